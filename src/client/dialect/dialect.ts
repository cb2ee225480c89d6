import { prefixes } from '../../contract/endpoints.ts';
import { createFieldMap, type FieldMap, type ServerNames } from './field-map.ts';

/**
 * How a list is continued: by page number; by the number of rows before; by a cursor from the response; by the ID of
 * the last row; by a `Range` header; only by links in the response; or not at all. Links are followed in every style.
 * `unknown`: the list was too short to show it, so it is refused once it is long enough to have a second page.
 */
export const pagingStyles = [
  ...(['page', 'offset', 'cursor', 'last_id', 'range', 'link', 'none'] as const),
  'unknown',
] as const;

/**
 * How a filter becomes a query: `plain` is the contract's `status=x`; `brackets` is JSON:API's `filter[status]=x`;
 * `django` uses suffixes such as `__gte`; `postgrest` and `odata` compare fields (`status=eq.x`, `$filter=status eq 'x'`).
 */
export const filterStyles = ['plain', 'brackets', 'django', 'postgrest', 'odata'] as const;

export const updateMethods = ['PUT', 'PATCH', 'POST'] as const;

/** `json`: the fields; `form`: url-encoded, as Stripe; `jsonapi`: a JSON:API document. */
export const bodyFormats = ['json', 'form', 'jsonapi'] as const;

/** The parts that say how a list is continued. */
export const pagingParts = ['paging', 'pageParameter', 'firstPage', 'perPageParameter'] as const;

/** The parts that a list may have of its own. */
export const listParts = [
  ...pagingParts,
  ...(['perPage', 'listParameters'] as const),
  ...(['nextKey', 'rowsKey', 'totalKey', 'filterNames', 'mostDays', 'idKey', 'fieldsKey'] as const),
] as const;

export type ListDialect = Partial<Pick<Dialect, (typeof listParts)[number]>>;

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
  /** The most days of a range that the list needs, by `start_time_from` and `start_time_to`; null if it needs none. */
  readonly mostDays: number | null;
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
  /** By resource of the contract: how its list differs from the others. */
  readonly lists: Readonly<Record<string, ListDialect>>;
  /**
   * By resource of the contract: the server's names for its fields. A name may be a path, as in `segments.0.minutes` or,
   * for all of them, `segments.*.minutes`; or two names with the day and the time of day, as in `date+time`. Null: what
   * the server calls so is something else.
   */
  readonly fields: ServerNames['fields'];
  /** The contract's statuses of appointments for the server's words; the first word for a status is written. */
  readonly statuses: ServerNames['statuses'];
  /** Whether times are written as local ones, such as `2026-03-01 09:30:00`. */
  readonly localTimes: boolean;

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
  /** Whether the IDs of records are numbers, in references, too; null to look at the records of a list. */
  readonly numericIds: boolean | null;
  /** Headers of a change that clears a field. */
  readonly clearHeaders: Readonly<Record<string, string>>;
  /** Whether nothing was changed if a failure with status 500 says `"success": false` or the like. */
  readonly failuresAreRefusals: boolean;
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
  mostDays: null,
  nextKey: null,
  rowsKey: 'data',
  totalKey: 'total',
  fieldsKey: null,
  idKey: 'id',
  lists: {},
  fields: {},
  statuses: {},
  localTimes: false,
  sortParameter: 'sort',
  sortAscending: '{field}',
  sortDescending: '-{field}',
  filterStyle: 'plain',
  filterNames: {},
  updateMethod: 'PUT',
  partialUpdates: false,
  bodyFormat: 'json',
  bodyKeys: {},
  numericIds: null,
  clearHeaders: {},
  failuresAreRefusals: false,
  readOnlyFields: [],
  idempotencyKeys: false,
  idempotencyField: null,
};

const contractPrefixes: readonly string[] = prefixes;

/** The prefixes to try: the current one, then the contract's other ones unless a foreign prefix is configured. */
export function candidatePrefixes({ prefix }: Dialect): readonly string[] {
  return contractPrefixes.includes(prefix) ? [...new Set([prefix, ...contractPrefixes])] : [prefix];
}

/** What makes a server another one than the documented: any part but where it is and what every server may need. */
const neutralParts: readonly (keyof Dialect)[] = [
  ...(['prefix', 'headers', 'resources', 'listPath', 'itemPath'] as const),
  ...(['idempotencyKeys', 'perPage', 'numericIds'] as const),
];

/** Whether a dialect declares a server of another kind, which is then read as declared and in no other way. */
export function declaresServer(declared: Partial<Dialect>): boolean {
  return (Object.keys(declared) as (keyof Dialect)[]).some((part) => !neutralParts.includes(part));
}

/** What holds for one resource. */
export interface ResourceDialect extends Dialect {
  /** Undefined where the server has the contract's names and words. */
  readonly map?: FieldMap | undefined;
}

/** The dialect of one resource, by the contract's plural noun. */
export function toResourceDialect(dialect: Dialect, plural: string): ResourceDialect {
  const map = createFieldMap(dialect, plural);
  const readOnlyFields = map ? dialect.readOnlyFields.map(map.toContract) : dialect.readOnlyFields;
  return { ...dialect, ...dialect.lists[plural], readOnlyFields, map };
}

/** The dialect of one server: as declared. Of the documented API, the prefix and idempotency keys are found out. */
export function createDialectSource(
  given: Partial<Dialect>,
  onLearn: (part: LearnedPart, value: Dialect[LearnedPart]) => void,
) {
  // Before there were paging styles, a page parameter of null meant that there are no pages.
  const hasNoPages = given.pageParameter === null && given.paging === undefined;
  let known: Partial<Dialect> = hasNoPages ? { ...given, paging: 'none' } : given;
  let current: Dialect = { ...contractDialect, ...known };
  let found: Partial<ServerNames> = {};
  const resources = new Map<string, ResourceDialect>();
  return {
    /** Decided here, once: nothing below asks what kind of server it is. */
    isForeign: declaresServer(known),
    current: () => current,
    of(plural: string): ResourceDialect {
      const fields = { ...found.fields, ...current.fields };
      const of = resources.get(plural) ?? toResourceDialect({ ...current, ...found, fields }, plural);
      resources.set(plural, of);
      return of;
    },
    /** What a server calls fields and statuses where that is not declared: for this client, and never stored. */
    found: () => found,
    find(names: Partial<ServerNames>) {
      found = names;
      resources.clear();
    },
    /** What is declared or found out, without the contract's defaults. */
    known: () => known,
    /** Keeps a value and reports it to `onLearn` if it is new. */
    learn<Part extends LearnedPart>(part: Part, value: Dialect[Part]) {
      if (known[part] === value) return;
      const isNew = current[part] !== value;
      known = { ...known, [part]: value };
      current = { ...current, [part]: value };
      resources.clear();
      if (isNew) onLearn(part, value);
    },
  };
}

/** What requests find out about a server. */
export type LearnedPart = 'prefix' | 'idempotencyKeys';

export type DialectSource = ReturnType<typeof createDialectSource>;
