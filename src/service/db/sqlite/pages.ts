import { type Condition, renderCondition, type SqlValue } from '../conditions.ts';
import type { CursorPosition, ListPageRequest, Order } from '../pages.ts';
import { type PageInBytes, renderRecords, toRecords } from './page-bytes.ts';
import { choosePlan, countMatches, type MatchCount, type QueryPlan, renderSource } from './page-query.ts';
import type { RunQuery } from './statements.ts';

interface CollectionHead {
  readonly version: number;
  readonly total: number;
}

/** Counts kept; older ones are counted again. */
const maxCounts = 1000;
/** Whatever the filter, all rows of such a list are looked at in about a millisecond. */
const shortListRows = 2000;

/** Whether a page is fast to read: it is near its start in a list in creation order, or its list is short. */
export function isShort(query: RunQuery, request: ListPageRequest): boolean {
  const { accountId, collection, conditions, from, order } = request;
  const skipped = 'offset' in from ? from.offset : 0;
  if (conditions.length === 0 && order.column === 'seq' && skipped <= shortListRows) return true;
  const text = 'select total from collections where account_id = ? and name = ?';
  const [list] = query<{ total: number }>(text, [accountId, collection]);
  return (list?.total ?? 0) <= shortListRows;
}

/**
 * Creates the reader of pages. Its statements must run in one read transaction. Filters are counted again only after the collection has changed.
 */
export function createPageReader(query: RunQuery): (request: ListPageRequest) => PageInBytes {
  const counts = new Map<string, MatchCount & { version: number }>();

  function readCounts(request: ListPageRequest, { version, total }: CollectionHead): MatchCount {
    const { accountId, collection, conditions, order } = request;
    if (conditions.length === 0) {
      return { total, examined: total, least: null, greatest: null, index: ['seq'] };
    }
    const key = JSON.stringify([accountId, collection, order.column, conditions]);
    const known = counts.get(key);
    if (known?.version === version) {
      return known;
    }
    if (counts.size >= maxCounts) {
      counts.clear();
    }
    const counted = { ...countMatches(query, request, total), version };
    counts.set(key, counted);
    return counted;
  }

  return (request) => {
    const { accountId, collection, from, limit } = request;
    const [head] = query<CollectionHead>(
      'select version, total from collections where account_id = ? and name = ?',
      [accountId, collection],
    );
    if (head === undefined) {
      const dataJson = Buffer.from(request.format === 'lines' ? '' : '[]');
      return { dataJson, count: 0, total: 0, version: 0, last: null };
    }
    const matches = readCounts(request, head);
    const plan = choosePlan(request, head.total, matches);
    const { records, count, seq, value = seq } = queryRows(query, request, { plan, matches });
    const end = value === null || seq === null ? null : { value, seq };
    const isMore =
      'after' in from
        ? end !== null && hasRowsAfter(query, { ...request, from: { after: end } }, plan, matches)
        : from.offset + limit < matches.total;
    const read = { count, total: matches.total, version: head.version, last: isMore ? end : null };
    return { ...toRecords(records, request), ...read };
  };
}

interface PageRow {
  /** The records in UTF-8: as a JSON array with room around it, or as lines. */
  readonly records: Uint8Array;
  readonly count: number;
  /** The last row's position; null on an empty page. Without a value, that is the position. */
  readonly seq: number | null;
  readonly value?: number | string | null;
}

function queryRows(
  query: RunQuery,
  request: ListPageRequest,
  { plan, matches }: { plan: QueryPlan; matches: MatchCount },
): PageRow {
  const { accountId, collection, from, limit, order } = request;
  const offset = 'offset' in from ? from.offset : 0;
  const { text, values } = toSource(request, plan, matches);
  const { column } = order;
  const joined = `${renderRecords(request)} as records, count(*) as count`;
  // The sum keeps SQLite from planning again for every bound limit.
  const rows = (columns: string, sorting: string) =>
    `select ${columns} ${text} order by ${sorting} limit ? + 0 offset ? + 0`;
  if (column === 'seq' && plan.isOrdered) {
    const page = `select ${joined}, max(seq) as seq from (${rows('seq, record', 'seq')})`;
    return readOne(query, page, [...values, limit, offset]);
  }
  // The records of skipped rows are not read, let alone sorted.
  const [forward, backward] = order.descending ? ['desc', ''] : ['', 'desc'];
  const statement = `with page as materialized (${rows(`seq, ${column} as value`, `value ${forward}, seq`)})
    select joined.records, joined.count, last.value, last.seq
    from (select ${joined} from page
      cross join ${collection} as found on found.account_id = ? and found.seq = page.seq) as joined
    left join (select value, seq from page order by value ${backward}, seq desc limit 1) as last on true`;
  return readOne(query, statement, [...values, limit, offset, accountId]);
}

function readOne(query: RunQuery, text: string, values: readonly SqlValue[]): PageRow {
  const [row] = query<PageRow>(text, values);
  if (row === undefined) throw new Error('The page was not read.');
  return row;
}

function hasRowsAfter(
  query: RunQuery,
  request: ListPageRequest,
  plan: QueryPlan,
  matches: MatchCount,
): boolean {
  const { text, values } = toSource(request, plan, matches);
  return query(`select 1 ${text} limit 1`, values).length > 0;
}

/** The rows of a list from a cursor on, as what follows the columns of a `select`. */
function toSource(
  request: ListPageRequest,
  { index, isOrdered }: QueryPlan,
  { least, greatest }: MatchCount,
): { text: string; values: SqlValue[] } {
  const { conditions, order, from } = request;
  // Along its own index, SQLite needs no hint: everything else has a plus. Short lists have no such index.
  const isOrderIndex = index.length === 1 && index[0] === order.column;
  const values: SqlValue[] = [];
  const source = renderSource(request, isOrderIndex ? [] : index, values);
  // A plus keeps a condition away from the index, where it would compete with the bounds below.
  const isIndexed = (one: Condition) =>
    'column' in one && index.includes(one.column) && one.column !== order.column;
  const parts = conditions.map((one) => `${isIndexed(one) ? '' : '+'}${renderCondition(one, values)}`);
  if ('after' in from) {
    parts.push(renderAfter(order, from.after, values));
  }
  if (isOrdered && conditions.length > 0) {
    // The cursor is the bound on its own side.
    if (!('after' in from) || order.descending) {
      parts.push(`${order.column} >= ?`);
      values.push(least);
    }
    if (!('after' in from && order.descending)) {
      parts.push(`${order.column} <= ?`);
      values.push(greatest);
    }
  }
  return { text: [source, ...parts].join(' and '), values };
}

/** The plus keeps SQLite from reading two ranges instead of one. */
function renderAfter(
  { column, descending }: Order,
  { value, seq }: CursorPosition,
  values: SqlValue[],
): string {
  if (column === 'seq') {
    values.push(seq);
    return 'seq > ?';
  }
  values.push(value, value, seq);
  return descending
    ? `${column} <= ? and (+${column} < ? or +seq > ?)`
    : `${column} >= ? and (+${column} > ? or +seq > ?)`;
}
