import type { Database } from './database.ts';
import { type Count, type PageRequest, type PageRow, type Spot, toPageStatement } from './page-statement.ts';

export interface PageRead {
  /** The records as a JSON array in UTF-8. */
  readonly dataJson: Buffer;
  readonly total: number;
  readonly version: number;
  /** The last row's spot when more rows follow it, otherwise null. */
  readonly last: Spot | null;
}

/** Filters whose count is remembered; whoever asks for more of them has them counted again. */
const mostCounts = 1000;

/**
 * Reads one page, the total and the collection's version in one statement, hence of one moment. The records
 * are joined to JSON where they lie. Any page of a whole list in creation order costs about the same.
 */
export async function readPage(
  { read, counts }: Pick<Database, 'read' | 'counts'>,
  request: PageRequest,
): Promise<PageRead> {
  const { accountId, collection, conditions, from, limit } = request;
  const filter = conditions.length === 0 ? '' : JSON.stringify([accountId, collection, conditions]);
  const known = counts.get(filter);
  let [row] = await readRows(read, request, known);
  if (row?.total === null) {
    [row] = await readRows(read, request);
  }
  if (row === undefined) {
    return { dataJson: Buffer.from('[]'), total: 0, version: 0, last: null };
  }
  const { version, records, count, last_value, last_seq } = row;
  const total = row.total ?? 0;
  if (filter !== '' && known?.version !== version) {
    remember(counts, filter, { total, version });
  }
  const follows = 'after' in from ? row.more === 1 : from.offset + count < total;
  const last =
    follows && count === limit && last_value !== null && last_seq !== null
      ? { value: last_value, seq: last_seq }
      : null;
  const dataJson = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  return { dataJson, total, version, last };
}

function readRows(read: Database['read'], request: PageRequest, known?: Count): Promise<PageRow[]> {
  const { text, values } = toPageStatement(request, known);
  return read<PageRow>(text, values);
}

function remember(counts: Map<string, Count>, filter: string, count: Count): void {
  if (counts.size >= mostCounts) {
    counts.clear();
  }
  counts.set(filter, count);
}
