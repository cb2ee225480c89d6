import type { XStatic } from 'typebox/schema';
import { pageSizes } from './limits.ts';

/** A point in time in a response: RFC 3339 in UTC. */
export const instantSchema = { type: 'string', format: 'date-time' } as const;

/** When a record was created and last changed. */
export const stamps = { created_at: instantSchema, updated_at: instantSchema } as const;

/** Free text about a record. */
export const noteText = { type: ['string', 'null'], maxLength: 1000 } as const;

/** An ID in a request. Servers choose their own IDs, so any short text passes. */
export const idInput = { type: 'string', minLength: 1, maxLength: 64 } as const;

export const nullableIdInput = { ...idInput, type: ['string', 'null'] } as const;

/** A point in time in a request. */
export const timeInput = {
  ...instantSchema,
  description: 'RFC 3339 with a zone. Responses use UTC.',
} as const;

/** An amount of money. */
export const minorUnits = {
  type: 'integer',
  minimum: 0,
  description: 'In the smallest unit of the currency, such as cents.',
} as const;

/** The largest amount that a request can have. */
export const maxAmount = 1_000_000_000_000;

export const nameSchema = { type: ['string', 'null'], maxLength: 100 } as const;

/** Contact fields of clients and stylists. */
export const contactFields = {
  email: {
    type: ['string', 'null'],
    format: 'salon-email',
    maxLength: 254,
    description: 'Stored in lower case.',
  },
  phone: {
    type: ['string', 'null'],
    format: 'salon-phone',
    maxLength: 64,
    description: 'An optional + and 7 to 15 digits. Spaces, dots, dashes and brackets are removed.',
  },
} as const;

/** Start of a time range in a query. */
export const fromFilter = {
  type: 'string',
  description: 'Inclusive: an RFC 3339 time with a zone, or a date in UTC.',
} as const;

/** End of a time range in a query. */
export const toFilter = {
  type: 'string',
  description: 'Exclusive: an RFC 3339 time with a zone. A date includes that whole day in UTC.',
} as const;

/** Several statuses in a query. */
export const statusFilter = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'One or more statuses, separated by commas.',
} as const;

/** The `sort` parameter of a list: by one of the fields, or with a leading - in descending order. */
export function sortBy<const Field extends string>(...fields: readonly Field[]) {
  // As in `objectOf`, typebox reads one element of all names.
  const names = fields.flatMap((field) => [field, `-${field}`]) as unknown as readonly [Field | `-${Field}`];
  const description =
    'Field to sort by; a leading - sorts in descending order. Default: creation order, which also breaks ties.';
  return { type: 'string', enum: names, description } as const;
}

/** The parameters of every list. A larger `per_page` is lowered to the maximum; the response has the size used. */
export const pagingQuery = {
  page: { type: 'integer', minimum: 1, default: 1, description: 'Page number, starting at 1.' },
  per_page: {
    type: 'integer',
    minimum: 1,
    default: pageSizes.default,
    description: `Page size, at most ${pageSizes.max}.`,
  },
  after: {
    type: 'string',
    minLength: 1,
    maxLength: 512,
    description: 'A cursor from a `Link` header: list the records after it. Takes precedence over `page`.',
  },
} as const;

/** The schema of an object in which every field is required. */
export function objectOf<const Properties extends object>(properties: Properties) {
  // typebox reads required fields from tuples only; one element of all names has the same meaning.
  const required = Object.keys(properties) as unknown as readonly [keyof Properties & string];
  return { type: 'object', required, additionalProperties: false, properties } as const;
}

/** The schema of a record in a response: every field is present. */
export function recordOf<const Title extends string, const Properties extends object>(
  title: Title,
  properties: Properties,
) {
  return { title, ...objectOf(properties) } as const;
}

/** The paging of a list response, as in the published API document. */
const pagination = objectOf({
  page: { type: 'integer', minimum: 1, description: 'The number of this page, starting at 1.' },
  per_page: { type: 'integer', minimum: 1, maximum: pageSizes.max, description: 'The page size used.' },
  total: { type: 'integer', minimum: 0, description: 'How many records match in total, on all pages.' },
});

/** Fields that the body of a change may contain but that are ignored: clients often send whole records back. */
export const readOnlyFields = { id: {}, created_at: {}, updated_at: {} } as const;

/** What a body can set: fields that are ignored accept anything. */
export type SettableOf<Body> = {
  [Field in keyof Body as unknown extends Body[Field] ? never : Field]: Body[Field];
};

/** What a change can set, by the schema of its body. */
export type ChangeOf<Schema> = SettableOf<XStatic<Schema>>;

/** The schema of a request body. Every field is optional unless the head requires it. */
export function bodyOf<const Head extends { title: string }, const Properties extends object>(
  head: Head,
  properties: Properties,
) {
  return { ...head, type: 'object', additionalProperties: false, properties } as const;
}

/** The schema of query parameters. */
export function queryOf<const Properties extends object>(properties: Properties) {
  return { type: 'object', additionalProperties: false, properties } as const;
}

/** The schema of the query parameters of a list. */
export function listQueryOf<const Properties extends object>(properties: Properties) {
  return queryOf({ ...pagingQuery, ...properties });
}

/** The response of a list of records with one schema. */
export function listOf<Item>(item: Item) {
  return objectOf({ data: { type: 'array', items: item }, pagination });
}

/** The media type of a whole list in one response: a record a line. */
export const linesMediaType = 'application/x-ndjson';

/** The preference (RFC 7240) for `ListMark` lines between the records. */
export const cursorsPreference = 'cursors';

/** How many records of a whole list in one response count as one request. */
export const streamedRowsPerRequest = 1000;

/**
 * A line after as many records as a page may have, with the cursor to continue after; or at the end of the list. It has
 * no `id`.
 */
export type ListMark =
  | { readonly cursor: string }
  /** `rows`: how many records the response has. */
  | { readonly end: true; readonly rows: number };
