import type { Order } from './page-request.ts';

/** The joined records of the page that `rows` are cut to, and where its last row stands. */
export function renderPage(
  order: Order,
  { rows, isSkipping }: { rows: string; isSkipping: boolean },
): string {
  const limited = `${rows} order by ${renderSorting(order)} ${renderLimit(isSkipping)}`;
  // As bytes: they are sent on as they are, and making a text of them in between costs more than the page.
  const joined = `cast('[' || coalesce(group_concat(record), '') || ']' as blob) as records`;
  if (order.column === 'seq') {
    return `(select ${joined}, max(seq) as last_seq from (${limited}))`;
  }
  const last = order.descending ? 'min(value)' : 'max(value)';
  return `(
    with picked as materialized (${limited})
    select ${joined}, ${last} as last_value,
      (select max(seq) from picked where value = (select ${last} from picked)) as last_seq
    from picked
  )`;
}

/** What stands behind a spot, as a condition; the plus keeps SQLite from looking for two ranges instead of one. */
export function renderBehind(
  { column, descending }: Order,
  { value, seq }: { value: string; seq: string },
): string {
  if (column === 'seq') {
    return `seq > ${seq}`;
  }
  return descending
    ? `${column} <= ${value} and (+${column} < ${value} or +seq > ${seq})`
    : `${column} >= ${value} and (+${column} > ${value} or +seq > ${seq})`;
}

// Ties follow creation order whichever way the list is turned.
function renderSorting({ column, descending }: Order): string {
  return column === 'seq' ? 'seq' : descending ? 'value desc, seq' : 'value, seq';
}

// SQLite plans a statement anew each time a bare LIMIT parameter is bound, which costs more than the page.
function renderLimit(isSkipping: boolean): string {
  return isSkipping ? 'limit :limit + 0 offset :offset' : 'limit :limit + 0';
}
