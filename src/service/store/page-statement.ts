import { type Place, placeBefore } from './blocks.ts';
import { changeTables } from './changes.ts';
import { type Condition, renderCondition, type Values } from './conditions.ts';

/** Columns a list can be ordered by; each has an index that ends with the place. */
export type SortColumn = 'seq' | 'created_ms' | 'updated_ms' | 'start_ms' | 'last_name_key';

export interface Order {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** A row's place in an ordered list: what it is ordered by, and its place in creation order, which breaks ties. */
export interface Spot {
  readonly value: number | string;
  readonly seq: number;
}

export interface PageRequest extends Place {
  /** What every row must fulfil; none for the whole list. */
  readonly conditions: readonly Condition[];
  readonly order: Order;
  /** Where the page begins: after so many rows, or behind a spot. */
  readonly from: { readonly offset: number } | { readonly after: Spot };
  readonly limit: number;
}

/** How many rows matched when the collection had a version. Never becomes wrong, only old. */
export interface Count {
  readonly total: number;
  readonly version: number;
}

/** One row of what the statement answers; none where there is no such collection. */
export interface PageRow {
  readonly version: number;
  /** Null when the count that was known is too old to be brought up to date. */
  readonly total: number | null;
  /** The records as a JSON array in UTF-8. */
  readonly records: Uint8Array;
  readonly count: number;
  readonly last_value: number | string | null;
  readonly last_seq: number | null;
  /** Whether rows follow; known only for a page behind a spot. */
  readonly more: 0 | 1;
}

/**
 * The statement that reads a page, the total and the version of one moment. It is plain text with named values,
 * the same text for every page of the same kind: built in a moment, and prepared once.
 */
export function toPageStatement(request: PageRequest, known?: Count): { text: string; values: Values } {
  const { accountId, collection, conditions, from, limit, order } = request;
  const values: Values = { accountId, collection, limit };
  const matches = ['account_id = :accountId', ...conditions.map((one) => renderCondition(one, values))];
  if ('after' in from) {
    values['seq'] = from.after.seq;
    if (order.column !== 'seq') {
      values['value'] = from.after.value;
    }
  } else if (from.offset > 0) {
    values['offset'] = from.offset;
  }
  const matching = matches.join(' and ');
  const total = renderTotal({ request, matching, known, values });
  const more =
    'after' in from
      ? `exists (select 1 from ${collection} where ${matching} and ${renderBehind(request, { value: 'page.last_value', seq: 'page.last_seq' })})`
      : '0';
  const text = `
    with page as ${renderPage(request, renderBranches(request, { matches, values }))}
    select head.version, ${total} as total, records, count, last_value, page.last_seq, ${more} as more
    from collections as head, page
    where head.account_id = :accountId and head.name = :collection`;
  return { text, values };
}

/** A whole list's total is kept. A filtered one is counted once, then follows what has changed since. */
function renderTotal(parts: {
  request: PageRequest;
  matching: string;
  known: Count | undefined;
  values: Values;
}): string {
  const { request, matching, known, values } = parts;
  const { collection, conditions } = request;
  if (conditions.length === 0) {
    return 'head.total';
  }
  const changes = changeTables[collection];
  if (known === undefined || changes === undefined) {
    return `(select count(*) from ${collection} where ${matching})`;
  }
  values['known'] = known.total;
  values['since'] = known.version;
  return `case when head.changes_since <= :since then :known + (
    select coalesce(sum(gain), 0) from ${changes.table} where ${matching} and version > :since
  ) end`;
}

/** The joined records of the page, and where its last row stands. */
function renderPage({ order, from, conditions }: PageRequest, branches: readonly string[]): string {
  // Ties follow creation order whichever way the list is turned.
  const sorted = order.column === 'seq' ? 'seq' : order.descending ? 'value desc, seq' : 'value, seq';
  const isSkipping = 'offset' in from && from.offset > 0 && !isWholeList({ conditions, order });
  const rows = `${branches.join(' union all ')} order by ${sorted} ${renderLimit(isSkipping)}`;
  // As bytes: they are sent on as they are, and making a text of them in between costs more than the page.
  const joined = `cast('[' || coalesce(group_concat(record), '') || ']' as blob) as records, count(*) as count`;
  if (order.column === 'seq') {
    return `(select ${joined}, max(seq) as last_value, max(seq) as last_seq from (${rows}))`;
  }
  const last = order.descending ? 'min(value)' : 'max(value)';
  return `(
    with picked as materialized (${rows})
    select ${joined}, ${last} as last_value,
      (select max(seq) from picked where value = (select ${last} from picked)) as last_seq
    from picked
  )`;
}

// SQLite plans a statement anew each time a bare LIMIT parameter is bound, which costs more than the page.
function renderLimit(isSkipping: boolean): string {
  return isSkipping ? 'limit :limit + 0 offset :offset' : 'limit :limit + 0';
}

/**
 * In creation order, records with one of several values are merged from the ranges of each: an index has them
 * in order only for one value at a time.
 */
function renderBranches(
  request: PageRequest,
  { matches, values }: { matches: readonly string[]; values: Values },
): string[] {
  const { collection, conditions, order } = request;
  const ordered = renderOrdered(request);
  const at = order.column === 'seq' ? conditions.findIndex((condition) => 'isOneOf' in condition) : -1;
  const choice = conditions[at];
  const branches =
    choice !== undefined && 'isOneOf' in choice
      ? choice.isOneOf.map((value) =>
          matches.with(at + 1, renderCondition({ column: choice.column, is: '=', value }, values)),
        )
      : [matches];
  const start = renderStart(request);
  return branches.map(
    (all) => `select seq, ${ordered} as value, record from ${collection} where ${all.join(' and ')} ${start}`,
  );
}

/** Where in the list the page begins, as a condition on its rows. */
function renderStart(request: PageRequest): string {
  const { from, collection } = request;
  if ('after' in from) {
    return `and ${renderBehind(request, { value: ':value', seq: ':seq' })}`;
  }
  if (from.offset === 0 || !isWholeList(request)) {
    return '';
  }
  // Where nothing was ever deleted, places and positions are the same.
  return `and seq > (
    select case when last_seq = total then :offset else coalesce(${placeBefore(collection)}, last_seq) end
    from collections where account_id = :accountId and name = :collection
  )`;
}

function renderBehind(request: PageRequest, { value, seq }: { value: string; seq: string }): string {
  const { descending } = request.order;
  if (request.order.column === 'seq') {
    return `seq > ${seq}`;
  }
  const column = renderOrdered(request);
  return descending
    ? `${column} <= ${value} and (${column} < ${value} or seq > ${seq})`
    : `${column} >= ${value} and (${column} > ${value} or seq > ${seq})`;
}

/**
 * What the list is ordered by. One client's few records are found first and then put in order: the plus keeps
 * SQLite from walking everybody's in that order to find them.
 */
function renderOrdered({ conditions, order }: PageRequest): string {
  const isFew = conditions.some((one) => 'column' in one && selective.has(one.column));
  return isFew && order.column !== 'seq' ? `+${order.column}` : order.column;
}

const selective: ReadonlySet<string> = new Set(['client_id', 'email', 'phone_digits']);

function isWholeList({ conditions, order }: Pick<PageRequest, 'conditions' | 'order'>): boolean {
  return conditions.length === 0 && order.column === 'seq';
}
