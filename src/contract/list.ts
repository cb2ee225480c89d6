import { pageSizes } from './limits.ts';

/** Paging of a list, as the service's document gives it. `total` counts every record that matches. */
export const pagination = {
  type: 'object',
  required: ['page', 'per_page', 'total'],
  additionalProperties: false,
  properties: {
    page: { type: 'integer', minimum: 1, description: 'The page this answer holds, starting at 1.' },
    per_page: {
      type: 'integer',
      minimum: 1,
      maximum: pageSizes.most,
      description: 'The page size in force.',
    },
    total: { type: 'integer', minimum: 0, description: 'How many records match, over all pages.' },
  },
} as const;

/** What every list may be asked for. `per_page` above the most is lowered; the answer says what it became. */
export const pagingQuery = {
  page: { type: 'integer', minimum: 1, default: 1 },
  per_page: {
    type: 'integer',
    minimum: 1,
    default: pageSizes.default,
    description: `At most ${pageSizes.most} are sent.`,
  },
  after: {
    type: 'string',
    minLength: 1,
    maxLength: 512,
    description: 'A cursor from a `Link` header: the place behind a record. Decides over `page`.',
  },
} as const;

/** A response envelope around records of one schema. */
export function listOf<Item>(item: Item) {
  return {
    type: 'object',
    required: ['data', 'pagination'],
    additionalProperties: false,
    properties: { data: { type: 'array', items: item }, pagination },
  } as const;
}

/** What a `sort` parameter says of itself; its `enum` lists the fields, each also with `-` for the other way round. */
export const sortDescription = 'Creation order when left out; ties follow it too.';
