import { foldStatus, readStatus } from '../../contract/appointment.ts';
import { prefixes } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import { isJsonNumber, parseJson } from '../../contract/json.ts';
import { type Fields, isFields } from '../json-object.ts';

/**
 * How a list is continued: by page number; by the number of rows before; by a cursor from the response; by the ID of
 * the last row; by a `Range` header; only by links in the response; or not at all. Links are followed in every style.
 */
export const pagingStyles = ['page', 'offset', 'cursor', 'last_id', 'range', 'link', 'none'] as const;

/**
 * How a filter becomes a query: `plain` is the contract's `status=x`; `brackets` is JSON:API's `filter[status]=x`;
 * `django` uses suffixes such as `__gte`; `postgrest` and `odata` compare fields (`status=eq.x`, `$filter=status eq 'x'`).
 */
export const filterStyles = ['plain', 'brackets', 'django', 'postgrest', 'odata'] as const;

export const updateMethods = ['PUT', 'PATCH', 'POST'] as const;

/** `json`: the fields; `form`: url-encoded, as Stripe; `jsonapi`: a JSON:API document. */
export const bodyFormats = ['json', 'form', 'jsonapi'] as const;

/** How a server differs from the contract. Plain data that a profile or a file can store as JSON. */
export interface Dialect {
  /** Path between the base URL and every endpoint. */
  readonly prefix: string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The server's names for the contract's resources, such as `customers` for `clients`. */
  readonly resources: Readonly<Record<string, string>>;
  /** Path of a list below the prefix, with `{resource}`. */
  readonly listPath: string;
  /** Path and query of a record, with `{resource}` and `{id}`, or `{key}` for an OData literal. */
  readonly itemPath: string;

  readonly paging: (typeof pagingStyles)[number];
  /** Query parameter for the page number, offset, cursor or last ID; null if lists have no pages. */
  readonly pageParameter: string | null;
  /** The number of the first page: 0 or 1. */
  readonly firstPage: number;
  /** Query parameter for the page size; null if the server rejects it. */
  readonly perPageParameter: string | null;
  /** Rows to request per page. */
  readonly perPage: number;
  /** Query parameters of every list. */
  readonly listParameters: Readonly<Record<string, string>>;
  /** Path of the member with the next link or cursor; null to find it by its usual names. */
  readonly nextKey: string | null;
  /** Path of the member with the rows, such as `data.items`; null if the response is an array. */
  readonly rowsKey: string | null;
  /** Path of the member with the number of records; null if there is none. */
  readonly totalKey: string | null;
  /** Member of a record that has its fields, such as JSON:API's `attributes`; null if they are in the record. */
  readonly fieldsKey: string | null;
  /** Path of the member with a record's ID; of a URL, its last segment counts. */
  readonly idKey: string;

  /** Query parameter for the order, with `{field}` if it contains the field; null if the server cannot sort. */
  readonly sortParameter: string | null;
  /** Its value for each direction, with `{field}`. */
  readonly sortAscending: string;
  readonly sortDescending: string;
  readonly filterStyle: (typeof filterStyles)[number];
  /**
   * The server's parameters for the contract's filters, sent as they are; null if it has none, so rows are filtered
   * here.
   */
  readonly filterNames: Readonly<Record<string, string | null>>;

  readonly updateMethod: (typeof updateMethods)[number];
  /** Whether an update contains only the changed fields, because the server keeps the others. */
  readonly partialUpdates: boolean;
  readonly bodyFormat: (typeof bodyFormats)[number];
  /** By resource of the contract: the member that wraps a record in a request, such as `customer`. */
  readonly bodyKeys: Readonly<Record<string, string>>;
  /** Fields that only the server sets, which a write leaves out; besides those of the contract. */
  readonly readOnlyFields: readonly string[];
  /** Whether the server executes a POST with the same `Idempotency-Key` only once. */
  readonly idempotencyKeys: boolean;
  /** Member of a new record that repeats the key, such as Square's `idempotency_key`; null if there is none. */
  readonly idempotencyField: string | null;
}

export const contractDialect: Dialect = {
  prefix: prefixes[0],
  headers: {},
  resources: {},
  listPath: '/{resource}',
  itemPath: '/{resource}/{id}',
  paging: 'page',
  pageParameter: 'page',
  firstPage: 1,
  perPageParameter: 'per_page',
  perPage: 200,
  listParameters: {},
  nextKey: null,
  rowsKey: 'data',
  totalKey: 'total',
  fieldsKey: null,
  idKey: 'id',
  sortParameter: 'sort',
  sortAscending: '{field}',
  sortDescending: '-{field}',
  filterStyle: 'plain',
  filterNames: {},
  updateMethod: 'PUT',
  partialUpdates: false,
  bodyFormat: 'json',
  bodyKeys: {},
  readOnlyFields: [],
  idempotencyKeys: false,
  idempotencyField: null,
};

const contractPrefixes: readonly string[] = prefixes;

/** The prefixes to try: the current one, then the contract's other ones unless a foreign prefix is configured. */
export function candidatePrefixes({ prefix }: Dialect): readonly string[] {
  return contractPrefixes.includes(prefix) ? [...new Set([prefix, ...contractPrefixes])] : [prefix];
}

export function createDialectDetector(
  given: Partial<Dialect>,
  onLearn: (part: keyof Dialect, value: Dialect[keyof Dialect]) => void,
) {
  // Before there were paging styles, a page parameter of null meant that there are no pages.
  const hasNoPages = given.pageParameter === null && given.paging === undefined;
  const configured: Partial<Dialect> = hasNoPages ? { ...given, paging: 'none' } : given;
  let known = configured;
  let current: Dialect = { ...contractDialect, ...configured };
  // Earlier versions saved the defaults, too, and one of the contract's prefixes may be from before an update.
  const isOpen = (part: keyof Dialect) =>
    configured[part] === undefined ||
    configured[part] === contractDialect[part] ||
    (part === 'prefix' && contractPrefixes.includes(current.prefix));
  return {
    current: () => current,
    /** What is configured or detected, without the contract's defaults. */
    known: () => known,
    /** Whether a part can still be detected: it is not configured. */
    isOpen,
    /** Keeps a detected value and reports it to `onLearn` if it is new. A configured value is never replaced. */
    learn<Part extends keyof Dialect>(part: Part, value: Dialect[Part]) {
      if (!isOpen(part) || (current[part] === value && known[part] === value)) return;
      const isNew = current[part] !== value || part === 'firstPage';
      known = { ...known, [part]: value };
      current = { ...current, [part]: value };
      if (isNew) onLearn(part, value);
    },
  };
}

/** The dialect of one server as detected so far. */
export type DialectDetector = ReturnType<typeof createDialectDetector>;

/** The fields that refer to records of a resource. */
const references: Readonly<Record<string, readonly string[]>> = {
  clients: ['client_id'],
  stylists: ['stylist_id', 'preferred_stylist_id'],
  appointments: ['appointment_id'],
};
const referenceFields = Object.values(references).flat();

/** How a server writes references and statuses, as its records show: `5` for "5", `CANCELED` for "cancelled". */
export type ServerForms = ReturnType<typeof createServerForms>;

export function createServerForms() {
  /** Whether a reference is a number: as in the field, in the ID of what it refers to, or in any `id`. */
  const areNumbers = new Map<string, boolean>();
  const words = new Map<string, string>();
  const readings = new Map<string, Promise<void>>();
  let isContract = false;
  return {
    learn(plural: string, record: unknown): void {
      if (!isFields(record)) return;
      isContract ||= kindOfId(String(record['id'])) !== undefined;
      for (const field of ['id', ...(references[plural] ?? [])])
        if (!areNumbers.has(field)) areNumbers.set(field, isJsonNumber(record['id']));
      for (const field of referenceFields) {
        const value = record[field];
        if (value !== undefined && value !== null) areNumbers.set(field, isJsonNumber(value));
      }
      const word = plural === 'appointments' ? String(record['status']) : '';
      const status = foldStatus(word);
      // The contract's own word may come from an earlier write.
      const isNew = (words.get(status) ?? status) === status;
      if (isNew && readStatus(word) === status) words.set(status, word);
    },
    /** The fields of a write in the server's forms. Reads records, once, if none has shown a form. */
    async apply(plural: string, fields: Fields, readRecords: () => AsyncIterable<unknown>): Promise<Fields> {
      const status = plural === 'appointments' ? readStatus(fields['status']) : undefined;
      const numerals = Object.entries(fields).filter(
        ([name, value]) => referenceFields.includes(name) && /^(?:0|[1-9]\d*)$/.test(String(value)),
      );
      const isKnown = () =>
        (status === undefined || words.has(status)) &&
        numerals.every(([name]) => isNumber(name) !== undefined);
      const key = status ?? 'id';
      if (!isContract && !isKnown() && !readings.has(key)) readings.set(key, readUntil(readRecords, isKnown));
      await readings.get(key);
      const numbers = numerals.filter(([name]) => isNumber(name));
      const own = numbers.map(([name, value]) => [name, parseJson(String(value))]);
      const word = words.get(status ?? '') ?? (fields['status'] === status ? toCase(status) : undefined);
      return { ...fields, ...Object.fromEntries(own), ...(word !== undefined && { status: word }) };
    },
  };

  function isNumber(field: string): boolean | undefined {
    return areNumbers.get(field) ?? areNumbers.get('id');
  }

  /** A word that no record has shown, in capitals if all others are. */
  function toCase(status: string | undefined): string | undefined {
    const areCapitals = words.size > 0 && [...words.values()].every((word) => word === word.toUpperCase());
    return areCapitals ? status?.toUpperCase() : status;
  }
}

/** A list that cannot be read shows nothing. */
async function readUntil(read: () => AsyncIterable<unknown>, isKnown: () => boolean): Promise<void> {
  try {
    for await (const _page of read()) if (isKnown()) return;
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
  }
}
