import { type Reader, readFirst } from './engine.ts';
import type { CollectionPage, CursorPosition, ListPageRequest, Order } from './pages.ts';
import { type Condition, renderCondition, type SqlValue } from './rows.ts';

/** What an engine adds to the statement of a page. */
export interface PageDialect {
  /** Renders a condition that spares looking at rows which cannot match the others; undefined if there is none. */
  readonly renderIndexed?: (conditions: readonly Condition[], values: SqlValue[]) => string | undefined;
  /** Renders a text as its bytes. They are sent unchanged; decoding and encoding them takes longer than the statement. */
  readonly renderBytes?: (text: string) => string;
}

interface PageRow {
  readonly version: number;
  readonly listed: number;
  /** How many records match the filter, if they were to be counted. */
  readonly matching?: number;
  /** How many rows were found: one more than the limit if others follow. */
  readonly found: number;
  readonly records: string | Uint8Array;
  /** The last row's position on a full page. */
  readonly value: number | string | null;
  readonly seq: number | null;
}

/** Counts kept; older ones are counted again. */
const maxCounts = 1000;

/**
 * Creates the reader of pages. Each is read by one statement, which sees one moment of the database. What a filter
 * matches is counted again only after the list has changed, because a filtered list is often read to its end.
 */
export function createPageReader(
  toRunner: (accountId: string) => Reader,
  dialect: PageDialect = {},
): (request: ListPageRequest) => Promise<CollectionPage> {
  const counts = new Map<string, { readonly version: number; readonly total: number }>();

  function readRow(request: ListPageRequest, isCounted: boolean) {
    const { text, values } = renderPage(request, { ...dialect, isCounted });
    return readFirst<PageRow>(toRunner(request.accountId), text, values);
  }

  return async (request) => {
    const { accountId, collection, conditions } = request;
    if (conditions.length === 0) {
      const row = await readRow(request, false);
      return toPage(request, row, row?.listed);
    }
    const key = JSON.stringify([accountId, collection, conditions]);
    const known = counts.get(key);
    if (known !== undefined) {
      const row = await readRow(request, false);
      if (row?.version === known.version) return toPage(request, row, known.total);
    }
    const row = await readRow(request, true);
    if (counts.size >= maxCounts) counts.clear();
    if (row?.matching !== undefined) counts.set(key, { version: row.version, total: row.matching });
    return toPage(request, row, row?.matching);
  };
}

function toPage({ format, limit }: ListPageRequest, row: PageRow | undefined, total = 0): CollectionPage {
  if (row === undefined) {
    const dataJson = Buffer.from(format === 'lines' ? '' : '[]');
    return { dataJson, count: 0, total: 0, version: 0, last: null };
  }
  const { version, found, records, value, seq } = row;
  const dataJson =
    typeof records === 'string'
      ? Buffer.from(records)
      : Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  const last = found > limit && value !== null && seq !== null ? { value, seq } : null;
  return { dataJson, count: Math.min(found, limit), total, version, last };
}

/** Renders the statement of a page. It returns no row if the account has no such list. */
function renderPage(
  { accountId, collection, conditions, order, from, limit, format }: ListPageRequest,
  { isCounted, renderIndexed, renderBytes }: PageDialect & { readonly isCounted: boolean },
): { text: string; values: SqlValue[] } {
  const values: SqlValue[] = [];
  const renderSource = (after?: CursorPosition) => {
    values.push(accountId);
    // First: SQLite starts a range at the first condition that bounds it.
    const start = after === undefined ? [] : [renderAfter(order, after, values)];
    const filter = conditions.map((one) => renderCondition(one, values));
    const indexed = renderIndexed?.(conditions, values) ?? [];
    return `from ${collection} where ${['account_id = ?', ...start, ...filter].concat(indexed).join(' and ')}`;
  };
  const source = renderSource('after' in from ? from.after : undefined);
  const isSkipping = 'offset' in from && from.offset > 0;
  if (isSkipping) values.push(from.offset);
  const counted = isCounted ? `(select count(*) ${renderSource()}) as matching,` : '';
  values.push(accountId, collection);
  const records =
    format === 'lines'
      ? "coalesce(string_agg(record, '\n') || '\n', '')"
      : "concat('[', string_agg(record, ','), ']')";
  const { column, descending } = order;
  const sorting = column === 'seq' ? 'seq' : `${column} ${descending ? 'desc' : 'asc'}, seq`;
  // The limit is part of the text, because plans for any limit are bad ones. One row more shows whether any follow. Both
  // engines read a materialized page in its order; sorting it again would take as long as finding it.
  const text = `with page as materialized (select ${column} as value, seq, record ${source}
      order by ${sorting} limit ${limit + 1} ${isSkipping ? 'offset ?' : ''})
    select list.version, list.total as listed, ${counted} (select count(*) from page) as found,
      (select ${renderBytes?.(records) ?? records} from (select record from page limit ${limit}) as shown) as records,
      last.value, last.seq
    from collections as list
    left join (select value, seq from page limit 1 offset ${limit - 1}) as last on true
    where list.account_id = ? and list.name = ?`;
  return { text, values };
}

/** What comes after a position: ties of any order are in creation order. */
function renderAfter(
  { column, descending }: Order,
  { value, seq }: CursorPosition,
  values: SqlValue[],
): string {
  if (column === 'seq') {
    values.push(seq);
    return 'seq > ?';
  }
  if (!descending) {
    values.push(value, seq);
    return `(${column}, seq) > (?, ?)`;
  }
  values.push(value, value, seq);
  return `${column} <= ? and not (${column} = ? and seq <= ?)`;
}
