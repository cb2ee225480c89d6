import type { Reader } from '../engine.ts';
import type { CollectionPage, ListPageRequest } from '../pages.ts';
import { toRecords } from './page-bytes.ts';
import { type PageRow, type Query, renderFilteredPage, renderListPage } from './page-query.ts';

/** Counts kept; older ones are counted again. */
const maxCounts = 1000;

/** How many records match a filter, as of a version of their list. */
interface MatchCount {
  readonly version: number;
  readonly total: number;
}

/**
 * Creates the reader of pages. Each is read by one statement, which sees one moment of the database. What a filter
 * matches is counted again only after the list has changed.
 */
export function createPageReader(run: Reader['run']): (request: ListPageRequest) => Promise<CollectionPage> {
  const counts = new Map<string, MatchCount>();

  return async (request) => {
    const { accountId, collection, conditions, order } = request;
    if (conditions.length === 0) {
      const query = order.column === 'seq' ? renderListPage(request) : toSorted(request);
      const row = await readRow(run, query);
      return toPage(request, row, row?.listed ?? 0);
    }
    const key = JSON.stringify([accountId, collection, conditions]);
    const known = counts.get(key);
    if (known !== undefined) {
      const row = await readRow(run, renderFilteredPage(request, { isCounted: false }));
      if (row?.version === known.version) return toPage(request, row, known.total);
    }
    const row = await readRow(run, renderFilteredPage(request, { isCounted: true }));
    const total = row?.matching ?? 0;
    if (counts.size >= maxCounts) counts.clear();
    if (row !== undefined) counts.set(key, { version: row.version, total });
    return toPage(request, row, total);
  };
}

function toSorted(request: ListPageRequest): Query {
  return renderFilteredPage(request, { isCounted: false });
}

async function readRow(run: Reader['run'], { text, values }: Query): Promise<PageRow | undefined> {
  const [row] = await run<PageRow>(text, values);
  return row;
}

function toPage(
  { from, limit, format }: ListPageRequest,
  row: PageRow | undefined,
  total: number,
): CollectionPage {
  const empty = Buffer.from(format === 'lines' ? '' : '[]');
  if (row === undefined) return { dataJson: empty, count: 0, total: 0, version: 0, last: null };
  const { version, records, count, value, seq, more } = row;
  const isMore = 'after' in from ? more === 1 : from.offset + limit < total;
  const last = isMore && value !== null && seq !== null ? { value, seq } : null;
  const data = records === null ? { dataJson: empty } : toRecords(records, format);
  return { ...data, count, total, version, last };
}
