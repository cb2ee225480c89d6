import { isStorable } from '../../../contract/formats.ts';
import type { Condition } from '../../db/lists/conditions.ts';
import type { Order, SortColumn } from '../../db/lists/page-request.ts';
import { readPage } from '../../db/lists/read-page.ts';
import type { CollectionName } from '../../db/tables.ts';
import type { Context } from '../context.ts';
import { invalidQuery } from '../violations.ts';
import { type ListQuery, toPaging } from './paging.ts';

/** One page of a list that has no version, ready to be sent. */
export interface LogPage {
  /** The records as a JSON array in UTF-8. */
  readonly dataJson: Buffer;
  readonly page: number;
  readonly perPage: number;
  /** How many records match, over all pages. */
  readonly total: number;
  readonly version?: number;
  /** A cursor for the place behind the last row when more rows follow, otherwise null. */
  readonly next: string | null;
}

/** One page of a list, ready to be sent. */
export interface ListPage extends LogPage {
  /** Of the whole collection, filtered or not; raised by every write to it. */
  readonly version: number;
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
  const { collection, query, conditions, ownerId } = request;
  const accountId = principal.account.id;
  const { page, perPage, from, renderNext } = toPaging([accountId, collection, ownerId], query);
  const order = toOrder(query.sort);
  const asked = { accountId, collection, conditions, order, from, limit: perPage };
  const { last, ...read } = await readPage(database, asked);
  return { ...read, page, perPage, next: renderNext(last) };
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

function toOrder(sort: string | undefined): Order {
  const descending = sort?.startsWith('-') ?? false;
  const field = descending ? sort?.slice(1) : sort;
  return { column: sortColumns[field ?? ''] ?? 'seq', descending };
}
