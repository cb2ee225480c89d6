import type { ListPageRequest } from '../pages.ts';
import { type PageInBytes, renderRecords, toRecords } from './page-bytes.ts';
import type { ListSize } from './seek.ts';
import type { RunQuery } from './statements.ts';

interface ReadPage extends ListSize {
  readonly version: number;
  readonly records: Uint8Array;
}

/** Lists remembered at most. */
const maxLists = 10_000;

/**
 * Creates the reader of lists from which nothing was ever deleted: in creation order, each position has its row, and one
 * statement reads a page. Returns undefined for every other list.
 */
export function createWholePageReader(
  query: RunQuery,
): (request: ListPageRequest) => PageInBytes | undefined {
  /** Lists with deletions. Their positions stay empty. */
  const others = new Set<string>();
  const statements = new Map<string, string>();

  function toStatement(request: ListPageRequest): string {
    const { collection, format } = request;
    const name = format === 'lines' ? `${collection} as lines` : collection;
    const known = statements.get(name);
    if (known !== undefined) return known;
    const text = `select version, total, last_seq, (select ${renderRecords(request)} from ${collection}
        where account_id = ? and seq > ? and seq <= ?) as records
      from collections where account_id = ? and name = ?`;
    statements.set(name, text);
    return text;
  }

  return (request) => {
    const { accountId, collection, conditions, order, from, limit } = request;
    if (conditions.length > 0 || order.column !== 'seq') return undefined;
    const start = 'after' in from ? from.after.seq : from.offset;
    const name = `${accountId} ${collection}`;
    if (others.has(name) || !Number.isSafeInteger(start) || start < 0) return undefined;
    const [read] = query<ReadPage>(toStatement(request), [
      accountId,
      start,
      start + limit,
      accountId,
      collection,
    ]);
    if (read === undefined) return undefined;
    const { records, version, total, last_seq } = read;
    if (total !== last_seq) {
      if (others.size >= maxLists) others.clear();
      others.add(name);
      return undefined;
    }
    const end = start + limit;
    const count = Math.max(0, Math.min(limit, total - start));
    const last = end < total ? { value: end, seq: end } : null;
    return { ...toRecords(records, request), count, total, version, last };
  };
}
