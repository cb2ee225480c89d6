import { crc32 } from 'node:zlib';
import type { Operation } from '../../contract/endpoints.ts';
import { SalonError, type Violation } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Access } from '../../contract/roles.ts';
import type { CursorPosition, Order, SortColumn } from '../db/pages.ts';
import type { CollectionName } from '../db/record-rows.ts';
import type { Condition, FilterColumn } from '../db/rows.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { assertStorableQuery, assertValidQuery, invalidParameter, parseBound } from './validation.ts';

/** One page of a list. */
export interface PageOfRecords {
  /** The records as a JSON array, in UTF-8. */
  readonly dataJson: Buffer;
  /** How many records are on the page, if reading many of them is an export. */
  readonly count?: number;
  readonly page: number;
  readonly perPage: number;
  /** How many records match, over all pages. */
  readonly total: number;
  readonly version?: number;
  /** The cursor after the last row when more rows follow, otherwise null. */
  readonly next: string | null;
}

/** The parameters that every list accepts. */
export interface PagingQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly after?: string;
  readonly sort?: string;
}

export interface CollectionQuery {
  readonly collection: CollectionName;
  readonly query: PagingQuery;
  readonly conditions: readonly Condition[];
  /** The stylist whose records the caller is limited to. */
  readonly stylistId?: string | undefined;
}

/** Records as a JSON array, in UTF-8. */
export function toDataJson(records: readonly object[]): Buffer {
  return Buffer.from(JSON.stringify(records));
}

/** Fields a list can be sorted by. */
const sortColumns: Readonly<Record<string, SortColumn>> = {
  created_at: 'created_ms',
  updated_at: 'updated_ms',
  start_time: 'start_ms',
  from: 'start_ms',
  last_name: 'last_name_key',
};

/** In cursors by name: after a change of `toSortKey`, a former one would skip rows without a word. */
const nameOrder = 2;

/** Every page up to there skips all rows before it. A cursor skips none. */
const maxOffset = 100_000;

/**
 * Reads the page that a query asks for. Throws `invalid_parameter` for a cursor of another list, and `use_cursor` for
 * the number of a page too deep in the list.
 */
export async function readCollectionPage(
  { database, caller }: Pick<Context, 'database' | 'caller'>,
  { collection, query, conditions, stylistId }: CollectionQuery,
) {
  const accountId = caller.account.id;
  const { page, perPage, from, renderNext } = parsePaging([accountId, collection, stylistId], query);
  const request = { accountId, collection, conditions, order: toOrder(query.sort), from, limit: perPage };
  if ('offset' in from && from.offset > maxOffset) {
    const { total, version } = await database.readPage({ ...request, from: { offset: 0 }, limit: 1 });
    if (total > from.offset) {
      const depth = maxOffset.toLocaleString('en');
      throw new SalonError('use_cursor', `The page starts more than ${depth} records into the list.`);
    }
    return { dataJson: Buffer.from('[]'), count: 0, total, version, page, perPage, next: null };
  }
  const { last, ...read } = await database.readPage(request);
  return { ...read, page, perPage, next: renderNext(last) };
}

/** What a query of a caller finds. */
export type FindRecords<Query = object> = (
  context: Context,
  query: Query,
) => CollectionQuery | Promise<CollectionQuery>;

/** The function that lists what another one finds. */
export function createLister<Query>(find: FindRecords<Query>) {
  return async (context: Context, query: Query) => readCollectionPage(context, await find(context, query));
}

/** The function that lists all records of a collection, inactive ones included. It throws `invalid_parameter`. */
export function createListerOfAll(operation: Operation, collection: CollectionName) {
  return createLister(({ caller }, query: PagingQuery) => {
    authorize(caller, operation);
    assertStorableQuery(query);
    return { collection, query, conditions: [] };
  });
}

/**
 * Parses the paging of a query. `name` and the other parameters identify the list, and cursors belong to one list.
 * Throws `invalid_parameter` for a cursor of another list.
 */
export function parsePaging(name: readonly unknown[], query: PagingQuery) {
  const { page = 1, per_page = pageSizes.default, after, ...rest } = query;
  const perPage = Math.min(per_page, pageSizes.max);
  const keys = toOrder(rest.sort).column === 'last_name_key' ? [nameOrder] : [];
  const list = JSON.stringify([...name, ...keys, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]);
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
  return {
    page,
    perPage,
    from: after === undefined ? { offset } : { after: parseCursor(list, after) },
    renderNext: (last: CursorPosition | null) => (last === null ? null : renderCursor(list, last)),
  };
}

/** One page of a list of which one row more was read than the page shows: it says whether more follow. */
export function cutPage<Row>(
  { page, perPage, renderNext }: ReturnType<typeof parsePaging>,
  { rows, total }: { readonly rows: readonly Row[]; readonly total: number },
  toPosition: (last: Row) => CursorPosition,
) {
  const shown = rows.slice(0, perPage);
  const last = rows.length > perPage ? shown.at(-1) : undefined;
  return { shown, page, perPage, total, next: renderNext(last === undefined ? null : toPosition(last)) };
}

export function toOrder(sort = ''): Order {
  const descending = sort.startsWith('-');
  return { column: sortColumns[descending ? sort.slice(1) : sort] ?? 'seq', descending };
}

/** Renders a cursor. A checksum ties it to its list. It stays valid when the record is deleted. */
function renderCursor(list: string, { value, seq }: CursorPosition): string {
  const checksum = crc32(JSON.stringify([list, value, seq]));
  return Buffer.from(JSON.stringify([value, seq, checksum])).toString('base64url');
}

/** Throws `invalid_parameter` for a text that is not exactly a cursor of this list. */
function parseCursor(list: string, text: string): CursorPosition {
  try {
    const [value, seq]: unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const isPosition = (typeof value === 'number' || typeof value === 'string') && typeof seq === 'number';
    if (isPosition && renderCursor(list, { value, seq }) === text) return { value, seq };
  } catch {
    // It is no list in JSON.
  }
  throw invalidParameter('after', 'after is not a cursor of this list, sort order and filters.');
}

/** How the parameters of a list filter it. */
interface ListFilters {
  /** Parameters that equal the column of the same name. */
  readonly equal?: readonly FilterColumn[];
  /** The values of `status`, which accepts a comma-separated list. */
  readonly statuses?: readonly string[];
  /** The columns of parameters for the inclusive start or, if they end in `to`, the exclusive end of a time range. */
  readonly ranges: Readonly<Record<string, FilterColumn>>;
}

/** Turns a query into conditions. Throws `invalid_parameter` with all violations. */
export function toConditions(query: object, { equal = [], statuses = [], ranges }: ListFilters): Condition[] {
  assertStorableQuery(query);
  const given = new Map(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const conditions: Condition[] = [];
  const violations: Violation[] = [];
  for (const column of equal) {
    const value = given.get(column);
    if (value !== undefined) conditions.push({ column, is: '=', value });
  }
  const wanted = given.get('status')?.split(',');
  if (wanted !== undefined) {
    const unknown = wanted.find((status) => !statuses.includes(status));
    if (unknown !== undefined) {
      const detail = `status "${unknown}" is not one of ${statuses.join(', ')}.`;
      violations.push({ parameter: 'status', code: 'invalid_format', detail });
    }
    conditions.push({ column: 'status', isOneOf: [...new Set(wanted)] });
  }
  for (const [parameter, column] of Object.entries(ranges)) {
    const ms = parseBound(parameter, given.get(parameter), violations);
    if (ms === undefined) continue;
    // What ends at the start of the range is not in it.
    const value = column === 'end_ms' ? ms + 1 : ms;
    conditions.push({ column, is: parameter.endsWith('to') ? '<' : '>=', value });
  }
  assertValidQuery(violations);
  return conditions;
}

/** A list of records that belong to stylists. With `own` access, only those of the caller's stylist. */
export function limitToOwn({ caller }: Context, access: Access, list: CollectionQuery): CollectionQuery {
  if (access === 'all') return list;
  // A key without a stylist matches nothing.
  const stylistId = caller.stylistId ?? '';
  const own: Condition = { column: 'stylist_id', is: '=', value: stylistId };
  // What is blocked for the whole salon is blocked for every stylist.
  const isSeen: Condition =
    list.collection === 'blocked_times' ? { anyOf: [own, { column: 'stylist_id', isNull: true }] } : own;
  return { ...list, conditions: [isSeen, ...list.conditions], stylistId };
}
