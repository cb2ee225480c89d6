import { crc32 } from 'node:zlib';
import { isStorable } from '../../contract/formats.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Condition } from '../db/conditions.ts';
import type { CursorPosition, Order, SortColumn } from '../db/pages.ts';
import type { CollectionName } from '../db/tables.ts';
import type { Context } from './context.ts';
import { invalidQuery } from './validation.ts';

/** One page of a list that has no version, ready to be sent. */
export interface PageOfRecords {
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
export interface PageOfCollection extends PageOfRecords {
  /** Of the whole collection, filtered or not; raised by every write to it. */
  readonly version: number;
}

export interface CollectionQuery {
  readonly collection: CollectionName;
  readonly query: PagingQuery;
  /** Conditions on the rows; none for the whole list. */
  readonly conditions: readonly Condition[];
  /** Whose calendar the list is bound to by the caller's rights. */
  readonly stylistId?: string | undefined;
}

/** Fields a list can be sorted by, and their columns. */
const sortColumns: Readonly<Record<string, SortColumn>> = {
  created_at: 'created_ms',
  updated_at: 'updated_ms',
  start_time: 'start_ms',
  last_name: 'last_name_key',
};

/** Reads the page a query asks for. Throws `invalid_parameter` for a cursor of another list. */
export async function readCollectionPage(
  context: Context,
  request: CollectionQuery,
): Promise<PageOfCollection> {
  const { database, caller } = context;
  const { collection, query, conditions, stylistId: ownerId } = request;
  const accountId = caller.account.id;
  const { page, perPage, from, renderNext } = parsePaging([accountId, collection, ownerId], query);
  const order = toOrder(query.sort);
  const asked = { accountId, collection, conditions, order, from, limit: perPage };
  const { last, ...read } = await database.readPage(asked);
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

/** What the query of every list has. */
export interface PagingQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly after?: string;
  readonly sort?: string;
}

/** Which page of a list a query asks for. */
export interface Paging {
  readonly page: number;
  readonly perPage: number;
  /** Where it begins: after so many rows, or behind a spot. */
  readonly from: { readonly offset: number } | { readonly after: CursorPosition };
  /** The cursor of a spot; null for none. */
  renderNext(last: CursorPosition | null): string | null;
}

/**
 * Reads paging out of a query. `name` and the rest of the query say everything the list is: a cursor is good for no
 * other. Throws `invalid_parameter` for a cursor of another list.
 */
export function parsePaging(name: readonly unknown[], query: PagingQuery): Paging {
  const { page = 1, per_page = pageSizes.default, after, ...rest } = query;
  const perPage = Math.min(per_page, pageSizes.max);
  const list = JSON.stringify([...name, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]);
  return {
    page,
    perPage,
    from: after === undefined ? { offset: toOffset(page, perPage) } : { after: toSpot(list, after) },
    renderNext: (last) => (last === null ? null : renderCursor(list, last)),
  };
}

// Beyond what a number holds exactly there is no record either.
function toOffset(page: number, perPage: number): number {
  return Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
}

function toSpot(list: string, after: string): CursorPosition {
  const spot = parseCursor(list, after);
  if (spot === undefined) {
    const detail = 'after is not a cursor of this list with this order and these filters.';
    throw invalidQuery([{ parameter: 'after', code: 'invalid_format', detail }]);
  }
  return spot;
}

/**
 * An opaque text for a spot in a list. `list` says everything the list is (account, records, order, filters):
 * a checksum over it and the spot ties the cursor to that list. Holds nothing of the record but what the list
 * is ordered by, so it stays good when the record is deleted.
 */
export function renderCursor(list: string, { value, seq }: CursorPosition): string {
  return Buffer.from(JSON.stringify([value, seq, toChecksum(list, value, seq)])).toString('base64url');
}

/** The spot a cursor names; undefined when it was not made for this list. */
export function parseCursor(list: string, text: string): CursorPosition | undefined {
  const parts = parseParts(text);
  if (!Array.isArray(parts) || parts.length !== 3) {
    return undefined;
  }
  const [value, seq, checksum]: unknown[] = parts;
  const isSpot = (typeof value === 'number' || typeof value === 'string') && typeof seq === 'number';
  return isSpot && checksum === toChecksum(list, value, seq) ? { value, seq } : undefined;
}

function parseParts(text: string): unknown {
  const bytes = Buffer.from(text, 'base64url');
  // Decoding passes over foreign characters; a cursor has exactly one spelling.
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
