import type { Database } from '../database.ts';
import { type Count, type CountRow, toCountStatement } from './count-statement.ts';
import { toFilteredStatement } from './filtered-statement.ts';
import type { CursorPosition, PageRequest, Statement } from './page-request.ts';
import { type FilteredRow, type PageRow, toPageStatement } from './page-statement.ts';

export interface RecordPage {
  /** The records as a JSON array in UTF-8. */
  readonly dataJson: Buffer;
  readonly total: number;
  readonly version: number;
  /** The last row's spot when more rows follow it, otherwise null. */
  readonly last: CursorPosition | null;
}

type Ground = Pick<Database, 'read' | 'counts'>;

/** Filters whose count is remembered; whoever asks for more of them has them counted again. */
const mostCounts = 1000;

/**
 * Reads one page, the total and the collection's version in one statement, hence of one moment. The records
 * are joined to JSON where they lie. Any page of a whole list in creation order costs about the same.
 */
export async function readPage(ground: Ground, request: PageRequest): Promise<RecordPage> {
  const { conditions, from, limit } = request;
  const row = await (conditions.length === 0
    ? readRow<PageRow>(ground, toPageStatement(request))
    : readFiltered(ground, request));
  if (row === undefined) {
    return { dataJson: Buffer.from('[]'), total: 0, version: 0, last: null };
  }
  const { version, records, last_seq, last_value = last_seq } = row;
  const total = row.total ?? 0;
  const follows = 'after' in from ? row.more === 1 : from.offset + limit < total;
  const last =
    follows && last_value !== null && last_seq !== null ? { value: last_value, seq: last_seq } : null;
  const dataJson = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  return { dataJson, total, version, last };
}

/** Counts what matches, once; from then on the count follows what changes. */
async function readFiltered(ground: Ground, request: PageRequest): Promise<PageRow | undefined> {
  const { counts } = ground;
  const { accountId, collection, conditions, order } = request;
  const filter = JSON.stringify([accountId, collection, order.column, conditions]);
  for (;;) {
    const known = counts.get(filter) ?? (await readCount(ground, request));
    if (known === undefined) {
      return undefined;
    }
    const row = await readRow<FilteredRow>(ground, toFilteredStatement(request, known));
    if (row !== undefined && row.total !== null) {
      const { total, version, least, most } = row;
      remember(counts, filter, { ...known, total, version, least, most });
      return row;
    }
    counts.delete(filter);
  }
}

async function readCount({ read }: Ground, request: PageRequest): Promise<Count | undefined> {
  const { text, values, toCount } = toCountStatement(request);
  const [row] = await read<CountRow>(text, values);
  return row === undefined ? undefined : toCount(row);
}

async function readRow<Row>({ read }: Ground, { text, values }: Statement): Promise<Row | undefined> {
  const [row] = await read<Row>(text, values);
  return row;
}

function remember(counts: Map<string, Count>, filter: string, count: Count): void {
  if (counts.size >= mostCounts && !counts.has(filter)) {
    counts.clear();
  }
  counts.set(filter, count);
}
