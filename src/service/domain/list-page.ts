import { crc32 } from 'node:zlib';
import { SalonError, type Violation } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Access } from '../../contract/roles.ts';
import type { Database } from '../db/database.ts';
import type { CollectionPage, CursorPosition, ListPageRequest, Order, SortColumn } from '../db/pages.ts';
import type { CollectionName } from '../db/record-rows.ts';
import type { Condition, FilterColumn } from '../db/rows.ts';
import type { Context } from './context.ts';
import { assertStorableQuery, assertValidQuery, invalidQuery, parseRangeBound } from './validation.ts';

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

export interface PageOfCollection extends PageOfRecords {
  /** The version of the whole collection. */
  readonly version: number;
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

/** One page of a list of which one row more was read than the page shows: it says whether more follow. */
export function cutPage<Row>(
  { page, perPage, renderNext }: Paging,
  { rows, total }: { readonly rows: readonly Row[]; readonly total: number },
  toPosition: (last: Row) => CursorPosition,
) {
  const shown = rows.slice(0, perPage);
  const last = rows.length > perPage ? shown.at(-1) : undefined;
  return { shown, page, perPage, total, next: renderNext(last === undefined ? null : toPosition(last)) };
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
  last_name: 'last_name_key',
};

/**
 * Reads the page that a query asks for. Throws `invalid_parameter` for a cursor of another list, and `use_cursor` for
 * the number of a page too deep in the list.
 */
export async function readCollectionPage(
  { database, caller }: Context,
  { collection, query, conditions, stylistId }: CollectionQuery,
): Promise<PageOfCollection> {
  const accountId = caller.account.id;
  const { page, perPage, from, renderNext } = parsePaging([accountId, collection, stylistId], query);
  const order = toOrder(query.sort);
  const request = { accountId, collection, conditions, order, from, limit: perPage };
  if ('offset' in from && from.offset > maxOffset) {
    const { total, version } = await readDeepPage(database, request, from.offset);
    return { dataJson: Buffer.from('[]'), count: 0, total, version, page, perPage, next: null };
  }
  const { last, ...read } = await database.readPage(request);
  return { ...read, page, perPage, next: renderNext(last) };
}

/** Every page up to there skips all rows before it. A cursor skips none. */
const maxOffset = 100_000;

/** Reads a page that is not there. Throws `use_cursor` if it is. */
async function readDeepPage(
  database: Database,
  request: ListPageRequest,
  offset: number,
): Promise<CollectionPage> {
  const first = await database.readPage({ ...request, from: { offset: 0 }, limit: 1 });
  if (first.total <= offset) return first;
  const depth = maxOffset.toLocaleString('en');
  throw new SalonError('use_cursor', `The page starts more than ${depth} records into the list.`);
}

/**
 * Parses the paging of a query. `name` and the other parameters identify the list, and cursors belong to one list.
 * Throws `invalid_parameter` for a cursor of another list.
 */
export function parsePaging(name: readonly unknown[], query: PagingQuery) {
  const { page = 1, per_page = pageSizes.default, after, ...rest } = query;
  const perPage = Math.min(per_page, pageSizes.max);
  const list = JSON.stringify([...name, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]);
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
  return {
    page,
    perPage,
    from: after === undefined ? { offset } : { after: parseAfter(list, after) },
    renderNext: (last: CursorPosition | null) => (last === null ? null : renderCursor(list, last)),
  };
}

/** Which page of a list a query asks for. */
export type Paging = ReturnType<typeof parsePaging>;

function parseAfter(list: string, after: string): CursorPosition {
  const position = parseCursor(list, after);
  if (position === undefined) {
    const detail = 'after is not a cursor of this list, sort order and filters.';
    throw invalidQuery([{ parameter: 'after', code: 'invalid_format', detail }]);
  }
  return position;
}

export function toOrder(sort: string | undefined): Order {
  const descending = sort?.startsWith('-') ?? false;
  const field = descending ? sort?.slice(1) : sort;
  return { column: sortColumns[field ?? ''] ?? 'seq', descending };
}

/** Renders a cursor. A checksum ties it to its list. It stays valid when the record is deleted. */
function renderCursor(list: string, { value, seq }: CursorPosition): string {
  return Buffer.from(JSON.stringify([value, seq, toChecksum(list, value, seq)])).toString('base64url');
}

/** Parses a cursor; undefined when it was not made for this list. */
function parseCursor(list: string, text: string): CursorPosition | undefined {
  const parts = decodeCursor(text);
  if (!Array.isArray(parts) || parts.length !== 3) {
    return undefined;
  }
  const [value, seq, checksum]: unknown[] = parts;
  const isPosition = (typeof value === 'number' || typeof value === 'string') && typeof seq === 'number';
  return isPosition && checksum === toChecksum(list, value, seq) ? { value, seq } : undefined;
}

function decodeCursor(text: string): unknown {
  const bytes = Buffer.from(text, 'base64url');
  // Decoding ignores invalid characters; a cursor has exactly one spelling.
  if (bytes.toString('base64url') !== text) {
    return undefined;
  }
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function toChecksum(list: string, value: number | string, seq: number): number {
  return crc32(JSON.stringify([list, value, seq]));
}

/** How the parameters of a list filter it. */
export interface ListFilters {
  /** Parameters that equal the column of the same name. */
  readonly equal: readonly FilterColumn[];
  /** The values of `status`, which accepts a comma-separated list. */
  readonly statuses: readonly string[];
  /** Parameters for the inclusive start or the exclusive end of a time range. */
  readonly ranges: readonly {
    readonly parameter: string;
    readonly edge: 'begin' | 'end';
    readonly column: FilterColumn;
    /** Whether the time itself is not in the range that begins with it. */
    readonly isExclusive?: true;
  }[];
}

/** Turns a query into conditions. Throws `invalid_parameter` with all violations. */
export function toConditions(query: object, { equal, statuses, ranges }: ListFilters): Condition[] {
  assertStorableQuery(query);
  const given = new Map(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const conditions: Condition[] = [];
  const violations: Violation[] = [];
  for (const column of equal) {
    const value = given.get(column);
    if (value !== undefined) {
      conditions.push({ column, is: '=', value });
    }
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
  for (const { parameter, edge, column, isExclusive } of ranges) {
    const text = given.get(parameter);
    if (text !== undefined) {
      const ms = parseRangeBound(text, edge);
      if (ms === undefined) {
        const detail = `${parameter} must be an RFC 3339 time with a time zone, or a date.`;
        violations.push({ parameter, code: 'invalid_format', detail });
      }
      const value = (ms ?? 0) + (isExclusive ? 1 : 0);
      conditions.push({ column, is: edge === 'begin' ? '>=' : '<', value });
    }
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
  return { ...list, conditions: [own, ...list.conditions], stylistId };
}
