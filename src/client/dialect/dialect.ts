import { appointmentStatuses } from '../../contract/appointment.ts';
import { prefixes } from '../../contract/endpoints.ts';
import { isFields } from '../json-object.ts';
import { createFieldMap, type FieldMap, type ServerNames } from './field-map.ts';
import { type Rule, rules } from './setting-rules.ts';

/**
 * How a list is continued: by page number; by the number of rows before; by a cursor from the response; by the ID of
 * the last row; by a `Range` header; only by links in the response; or not at all. Links are followed in every style.
 * `unknown`: the list was too short to show it, so it is refused once it is long enough to have a second page.
 */
const pagingStyles = [
  ...(['page', 'offset', 'cursor', 'last_id', 'range', 'link', 'none'] as const),
  'unknown',
] as const;

/**
 * How a filter becomes a query: `plain` is the contract's `status=x`; `brackets` is JSON:API's `filter[status]=x`;
 * `django` uses suffixes such as `__gte`; `postgrest` and `odata` compare fields (`status=eq.x`, `$filter=status eq 'x'`).
 */
const filterStyles = ['plain', 'brackets', 'django', 'postgrest', 'odata'] as const;

const updateMethods = ['PUT', 'PATCH', 'POST'] as const;

/** `json`: the fields; `form`: url-encoded, as Stripe; `jsonapi`: a JSON:API document. */
const bodyFormats = ['json', 'form', 'jsonapi'] as const;

/** The parts that say how a list is continued. */
export const pagingParts = ['paging', 'pageParameter', 'firstPage', 'perPageParameter'] as const;

/** The parts that a list may have of its own. */
const listParts = [
  ...pagingParts,
  ...(['perPage', 'listParameters'] as const),
  ...(['nextKey', 'rowsKey', 'totalKey', 'filterNames', 'mostDays', 'idKey', 'fieldsKey'] as const),
] as const;

export type ListDialect = Partial<Pick<Dialect, (typeof listParts)[number]>>;

/** Returns a setting that the contract has this value of. */
function setting<Value>(rule: Rule<Value>, usual: NoInfer<Value>) {
  return { ...rule, usual };
}

const { fieldNames, flag, mapOf, name, oneOf, orNull, printable, text, texts, wholeNumber } = rules;
const notDots = String.raw`(?!\.{1,2}(?:/|$))`;
const segments = String.raw`(?:/${notDots}[\w.~{}()'-]+)`;

/** Every setting but those of single lists: what it may be, and what it is in the contract. */
const settings = {
  /** Path between the base URL and every endpoint. */
  prefix: setting(text(new RegExp(`^${segments}*$`), 'a path such as /api/v1, or empty'), prefixes[0]),
  /** Headers of every request. */
  headers: setting(mapOf(text(/^[\t -~]{1,4000}$/, 'a text'), /^[a-z0-9!#$%&'*+.^_`|~-]+$/i), {}),
  /** The server's names for the contract's resources, such as `customers` for `clients`. */
  resources: setting(
    mapOf(
      text(new RegExp(String.raw`^${notDots}[\w.~-]+(?:/${notDots}[\w.~-]+)*$`), 'a path such as customers'),
    ),
    {},
  ),
  /** Path of a list below the prefix, with `{resource}`. */
  listPath: setting(
    text(new RegExp(`^(?=.*\\{resource\\})${segments}+/?$`), 'a path with {resource}'),
    '/{resource}',
  ),
  /** Path and query of a record, with `{resource}` and `{id}`, or `{key}` for an OData literal. */
  itemPath: setting(
    text(
      new RegExp(`^(?=.*\\{resource\\})(?=.*\\{(?:id|key)\\})${segments}+/?(?:\\?[!-~]+)?$`),
      'a path with {resource} and {id}',
    ),
    '/{resource}/{id}',
  ),
  paging: setting(oneOf(pagingStyles), 'page'),
  /** Query parameter for the page number, offset, cursor or last ID; null if lists have no pages. */
  pageParameter: setting(orNull(name), 'page'),
  /** The number of the first page: 0 or 1. */
  firstPage: setting(wholeNumber(0, 1), 1),
  /** Query parameter for the page size; null if the server rejects it. */
  perPageParameter: setting(orNull(name), 'per_page'),
  /** Rows to request per page. */
  perPage: setting(wholeNumber(1, 10_000), 200),
  /** Query parameters of every list. */
  listParameters: setting(mapOf(text(/^[ -~]{1,400}$/, 'a text'), printable), {}),
  /** The most days of a range that the list needs, by `start_time_from` and `start_time_to`; null if it needs none. */
  mostDays: setting(orNull(wholeNumber(1, 3_660)), null),
  /** Path of the member with the next link or cursor; null to find it by its usual names. */
  nextKey: setting(orNull(name), null),
  /** Path of the member with the rows, such as `data.items`; null if the response is an array. */
  rowsKey: setting(orNull(name), 'data'),
  /** Path of the member with the number of records; null if there is none. */
  totalKey: setting(orNull(name), 'total'),
  /** Member of a record that has its fields, such as JSON:API's `attributes`; null if they are in the record. */
  fieldsKey: setting(orNull(name), null),
  /** Path of the member with a record's ID; of a URL, its last segment counts. */
  idKey: setting(name, 'id'),
  /**
   * By resource of the contract: the server's names for its fields. A name may be a path, as in `segments.0.minutes` or,
   * for all of them, `segments.*.minutes`; or two names with the day and the time of day, as in `date+time`. Null: what
   * the server calls so is something else.
   */
  fields: setting(fieldNames, {}),
  /** The contract's statuses of appointments for the server's words; the first word for a status is written. */
  statuses: setting(mapOf(oneOf(appointmentStatuses), /^.{0,100}$/u), {}),
  /** Whether times are written as local ones, such as `2026-03-01 09:30:00`. */
  localTimes: setting(flag, false),
  /** Query parameter for the order, with `{field}` if it contains the field; null if the server cannot sort. */
  sortParameter: setting(orNull(name), 'sort'),
  /** Its value for each direction, with `{field}` unless the parameter has it. */
  sortAscending: setting(text(/^[ -~]{1,100}$/, 'a text such as {field},asc'), '{field}'),
  sortDescending: setting(text(/^[ -~]{1,100}$/, 'a text such as {field},desc'), '-{field}'),
  filterStyle: setting(oneOf(filterStyles), 'plain'),
  /**
   * The server's parameters for the contract's filters, sent as they are; null if it has none, so rows are filtered
   * here.
   */
  filterNames: setting(mapOf(orNull(name)), {}),
  updateMethod: setting(oneOf(updateMethods), 'PUT'),
  /** Whether an update contains only the changed fields, because the server keeps the others. */
  partialUpdates: setting(flag, false),
  bodyFormat: setting(oneOf(bodyFormats), 'json'),
  /** By resource of the contract: the member that wraps a record in a request, such as `customer`. */
  bodyKeys: setting(mapOf(name), {}),
  /** Whether the IDs of records are numbers, in references, too; null to look at the records of a list. */
  numericIds: setting(orNull(flag), null),
  /**
   * What stands for the year of a birthday without one: `-` as in `--05-15`, `0000` as in `0000-05-15`; null if the server
   * takes none, as every other server whose dialect does not say it.
   */
  birthdayWithoutYear: setting(orNull(oneOf(['-', '0000'])), '-'),
  /** Headers of a change that clears a field. */
  clearHeaders: setting(mapOf(text(/^[\t -~]{1,400}$/, 'a text'), /^[a-z0-9-]+$/i), {}),
  /** Whether nothing was changed if a failure with status 500 says `"success": false` or the like. */
  failuresAreRefusals: setting(flag, false),
  /** Requests in any so many minutes that a server allows which does not name its limit, such as `100/2m`. */
  rate: setting(
    orNull(text(/^[1-9]\d{0,5}\/(?:[1-9]|[1-5]\d|60)?m$/, 'requests in so many minutes, such as 100/2m')),
    null,
  ),
  /**
   * The contract's statuses of appointments for flags, such as `{"attendees.*.absent": "no_show"}`: where every value at
   * the path is true, whatever the status says. They are only read.
   */
  statusFlags: setting(mapOf(oneOf(appointmentStatuses)), {}),
  /** Fields that only the server sets, which a write leaves out; besides those of the contract. */
  readOnlyFields: setting(texts, []),
  /** Whether the server executes a POST with the same `Idempotency-Key` only once. */
  idempotencyKeys: setting(flag, false),
  /** Member of a new record that repeats the key, such as Square's `idempotency_key`; null if there is none. */
  idempotencyField: setting(orNull(name), null),
};

type Settings = { readonly [Part in keyof typeof settings]: (typeof settings)[Part]['usual'] };

/** How a server differs from the contract. Plain data that a profile or a file can store as JSON. */
export interface Dialect extends Settings {
  /** By resource of the contract: how its list differs from the others. */
  readonly lists: Readonly<Record<string, ListDialect>>;
}

export const contractDialect: Dialect = {
  ...(Object.fromEntries(Object.entries(settings).map(([part, { usual }]) => [part, usual])) as Settings),
  lists: {},
};

/** One rule for each member of a dialect. */
export const dialectRules: { readonly [Part in keyof Dialect]: Rule<Dialect[Part]> } = {
  ...settings,
  lists: {
    parse: parseLists,
    expected: 'an object of lists, such as {"appointments": {"paging": "offset"}}',
  },
};

/** The lists' own settings, under any of their names. */
function parseLists(value: unknown): Dialect['lists'] | undefined {
  if (!isFields(value)) return undefined;
  const lists = Object.entries(value).map(([plural, own]) => [plural, parseList(own)] as const);
  return lists.every(([, own]) => own !== undefined)
    ? (Object.fromEntries(lists) as Dialect['lists'])
    : undefined;
}

function parseList(own: unknown): ListDialect | undefined {
  const members = Object.entries(isFields(own) ? own : { '': own }).map(([key, member]) => {
    const part = listParts.find((one) => one === toCamelCase(key));
    return [part, part && dialectRules[part].parse(member)] as const;
  });
  const parts = new Map(members);
  const isValid = parts.size === members.length && members.every(([, member]) => member !== undefined);
  return isValid ? Object.fromEntries(parts) : undefined;
}

export function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

const contractPrefixes: readonly string[] = prefixes;

/** The prefixes to try: the current one, then the contract's other ones unless a foreign prefix is configured. */
export function candidatePrefixes({ prefix }: Dialect): readonly string[] {
  return contractPrefixes.includes(prefix) ? [...new Set([prefix, ...contractPrefixes])] : [prefix];
}

/** Where the lists of a server are, and how to reach them. */
export const placeParts = ['prefix', 'headers', 'resources', 'listPath', 'itemPath'] as const;

/** What makes a server another one than the documented: any part but where it is and what every server may need. */
const neutralParts: readonly (keyof Dialect)[] = [
  ...placeParts,
  ...(['idempotencyKeys', 'perPage', 'numericIds'] as const),
];

/** The settings among these parts. */
export function pickParts<const Part extends keyof Dialect>(
  dialect: Partial<Dialect>,
  parts: readonly Part[],
): Partial<Pick<Dialect, Part>> {
  return Object.fromEntries(
    parts.flatMap((part) => (part in dialect ? [[part, dialect[part]]] : [])),
  ) as object;
}

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
  const isForeign = declaresServer(known);
  let current: Dialect = {
    ...contractDialect,
    ...(isForeign ? { birthdayWithoutYear: null } : {}),
    ...known,
  };
  let found: Partial<ServerNames> = {};
  const resources = new Map<string, ResourceDialect>();
  return {
    /** Decided here, once: nothing below asks what kind of server it is. */
    isForeign,
    current: () => current,
    of(plural: string): ResourceDialect {
      if (!isForeign) return current;
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
