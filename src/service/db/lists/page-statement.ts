import { placeBefore } from './blocks.ts';
import type { Values } from './conditions.ts';
import type { PageRequest, Statement } from './page-request.ts';
import { renderBehind, renderPage } from './page-rows.ts';

/** One row of what a statement for a page answers; none where there is no such collection. */
export interface PageRow {
  readonly version: number;
  /** Null when the count that was known is too old to be brought up to date. */
  readonly total: number | null;
  /** The records as a JSON array in UTF-8. */
  readonly records: Uint8Array;
  readonly last_seq: number | null;
  /** What the last record is ordered by; left out in creation order. */
  readonly last_value?: number | string | null;
  /** Whether rows follow; there for a page behind a spot. */
  readonly more?: 0 | 1;
}

/** A page of what a filter lets through. */
export interface FilteredRow extends PageRow {
  /** Where the first and the last match stand in the order; null where there is none. */
  readonly least: number | string | null;
  readonly most: number | string | null;
}

/** Texts of all kinds of pages there are, by kind: the same text each time, so that it is found at once. */
const texts = new Map<string, string>();

/** The statement that reads a page of a list without filters, the total and the version of one moment. */
export function toPageStatement(request: PageRequest): Statement {
  const { collection, order, from } = request;
  const start = 'after' in from ? 'after' : from.offset > 0 ? 'offset' : 'first';
  const kind = `${collection} ${order.column} ${order.descending} ${start}`;
  let text = texts.get(kind);
  if (text === undefined) {
    text = renderText(request);
    texts.set(kind, text);
  }
  return { text, values: toPageValues(request) };
}

/** What every statement for a page compares with. */
export function toPageValues({ accountId, collection, from, limit, order }: PageRequest): Values {
  const values: Values = { accountId, collection, limit };
  if ('after' in from) {
    values['seq'] = from.after.seq;
    if (order.column !== 'seq') {
      values['value'] = from.after.value;
    }
  } else if (from.offset > 0) {
    values['offset'] = from.offset;
  }
  return values;
}

function renderText(request: PageRequest): string {
  const { collection, order, from } = request;
  const { column } = order;
  const everything = `${collection} where account_id = :accountId`;
  const rows = `select seq, ${column} as value, record from ${everything} ${renderStart(request)}`;
  const isSkipping = 'offset' in from && from.offset > 0 && column !== 'seq';
  const behindPage = renderBehind(order, { value: 'page.last_value', seq: 'page.last_seq' });
  const more = 'after' in from ? `, exists (select 1 from ${everything} and ${behindPage}) as more` : '';
  return `
    with page as ${renderPage(order, { rows, isSkipping })}
    select head.version, head.total, page.* ${more}
    from collections as head, page
    where head.account_id = :accountId and head.name = :collection`;
}

/** Where in the list the page begins, as a condition on its rows. */
function renderStart({ from, collection, order }: PageRequest): string {
  if ('after' in from) {
    return `and ${renderBehind(order, { value: ':value', seq: ':seq' })}`;
  }
  if (from.offset === 0 || order.column !== 'seq') {
    return '';
  }
  // Where nothing was ever deleted, places and positions are the same.
  return `and seq > (
    select case when last_seq = total then :offset else coalesce(${placeBefore(collection)}, last_seq) end
    from collections where account_id = :accountId and name = :collection
  )`;
}
