import { isStorable } from '../../contract/formats.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Condition } from '../store/conditions.ts';
import type { Order, SortColumn, Spot } from '../store/page-request.ts';
import { readPage } from '../store/read-page.ts';
import type { CollectionName } from '../store/tables.ts';
import type { Context } from './context.ts';
import { parseCursor, renderCursor } from './cursor.ts';
import { invalidQuery } from './violations.ts';

/** One page of a list, ready to be sent. */
export interface ListPage {
  /** The records as a JSON array in UTF-8. */
  readonly dataJson: Buffer;
  readonly page: number;
  readonly perPage: number;
  /** How many records match, over all pages. */
  readonly total: number;
  /** Of the whole collection, filtered or not; raised by every write to it. */
  readonly version: number;
  /** A cursor for the place behind the last row when more rows follow, otherwise null. */
  readonly next: string | null;
}

/** What the query of every list has. */
interface ListQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly after?: string;
  readonly sort?: string;
}

export interface ListRequest {
  readonly collection: CollectionName;
  readonly query: ListQuery;
  /** Conditions on the rows; none for the whole list. */
  readonly conditions: readonly Condition[];
  /** Whose calendar the list is bound to by the principal's rights. */
  readonly ownerId?: string | undefined;
}

/** Fields a list can be sorted by, and their columns. */
const sortColumns: Readonly<Record<string, SortColumn>> = {
  created_at: 'created_ms',
  updated_at: 'updated_ms',
  start_time: 'start_ms',
  last_name: 'last_name_key',
};

/** Reads the page a query asks for. Throws `invalid_parameter` for a cursor of another list. */
export async function readListPage(context: Context, request: ListRequest): Promise<ListPage> {
  const { database, principal } = context;
  const { collection, query, conditions } = request;
  const page = query.page ?? 1;
  const perPage = Math.min(query.per_page ?? pageSizes.default, pageSizes.most);
  const list = nameList(principal.account.id, request);

  const { last, ...read } = await readPage(database, {
    accountId: principal.account.id,
    collection,
    conditions,
    order: toOrder(query.sort),
    from:
      query.after === undefined ? { offset: toOffset(page, perPage) } : { after: toSpot(list, query.after) },
    limit: perPage,
  });
  return { ...read, page, perPage, next: last === null ? null : renderCursor(list, last) };
}

/** Refuses texts in a query that no record can hold. */
export function assertStorableQuery(query: object): void {
  const violations = Object.entries(query)
    .filter(([, value]) => typeof value === 'string' && !isStorable(value))
    .map(([parameter]) => ({
      parameter,
      code: 'invalid_format',
      detail: `${parameter} holds characters that are not text.`,
    }));
  if (violations.length > 0) {
    throw invalidQuery(violations);
  }
}

/** Everything that makes a list what it is: a cursor is good for no other. */
function nameList(accountId: string, { collection, query, ownerId }: ListRequest): string {
  const { page, per_page, after, ...rest } = query;
  return JSON.stringify([
    accountId,
    collection,
    ownerId,
    Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

function toOrder(sort: string | undefined): Order {
  const descending = sort?.startsWith('-') ?? false;
  const field = descending ? sort?.slice(1) : sort;
  return { column: sortColumns[field ?? ''] ?? 'seq', descending };
}

// Beyond what a number holds exactly there is no record either.
function toOffset(page: number, perPage: number): number {
  return Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
}

function toSpot(list: string, after: string): Spot {
  const spot = parseCursor(list, after);
  if (spot === undefined) {
    const detail = 'after is not a cursor of this list with this order and these filters.';
    throw invalidQuery([{ parameter: 'after', code: 'invalid_format', detail }]);
  }
  return spot;
}
