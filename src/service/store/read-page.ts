import { type RawBuilder, sql } from 'kysely';
import { type Place, placeBefore } from './blocks.ts';
import { type Condition, toSql } from './conditions.ts';
import type { Reader } from './engine.ts';

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

export interface PageRead {
  /** The records as a JSON array. */
  readonly dataJson: string;
  readonly total: number;
  readonly version: number;
  /** The last row's spot when more rows follow it, otherwise null. */
  readonly last: Spot | null;
}

interface PageRow {
  readonly version: number;
  readonly total: number;
  readonly records: string;
  readonly count: number;
  readonly last_value: number | string | null;
  readonly last_seq: number | null;
  readonly more: 0 | 1;
}

/**
 * Reads one page, the total and the collection's version in one statement, hence of one moment. The records
 * are joined to JSON where they lie. Any page of a whole list in creation order costs about the same.
 */
export async function readPage(reader: Reader, request: PageRequest): Promise<PageRead> {
  const { accountId, collection, limit } = request;
  const { rows } = await sql<PageRow>`
    with page as ${pageOf(request)}
    select head.version, ${totalOf(request)} as total, records, count, last_value, page.last_seq,
      ${moreAfter(request)} as more
    from collections as head, page
    where head.account_id = ${accountId} and head.name = ${collection}
  `.execute(reader);
  const [row] = rows;
  if (row === undefined) {
    return { dataJson: '[]', total: 0, version: 0, last: null };
  }
  const { version, total, records, count, last_value, last_seq } = row;
  const follows = 'after' in request.from ? row.more === 1 : request.from.offset + count < total;
  const last =
    follows && count === limit && last_value !== null && last_seq !== null
      ? { value: last_value, seq: last_seq }
      : null;
  return { dataJson: `[${records}]`, total, version, last };
}

/** The joined records of the page, and where its last row stands. */
function pageOf(request: PageRequest): RawBuilder<unknown> {
  const { order, limit } = request;
  const table = sql.table(request.collection);
  const column = sql.ref(order.column);
  // Ties follow creation order whichever way the list is turned.
  const direction =
    order.column === 'seq' ? sql`seq` : order.descending ? sql`value desc, seq` : sql`value, seq`;
  const skipped =
    'offset' in request.from && !isWholeList(request) ? sql`offset ${request.from.offset}` : sql``;
  const branches = branchesOf(request).map((conditions) => {
    const matches = matching({ ...request, conditions });
    return sql`select seq, ${column} as value, record from ${table} where ${matches} ${startOf(request)}`;
  });
  const rows = sql`${sql.join(branches, sql` union all `)} order by ${direction} limit ${bound(limit)} ${skipped}`;
  const joined = sql`coalesce(group_concat(record), '') as records, count(*) as count`;
  if (order.column === 'seq') {
    return sql`(select ${joined}, max(seq) as last_value, max(seq) as last_seq from (${rows}))`;
  }
  const last = order.descending ? sql`min(value)` : sql`max(value)`;
  return sql`(
    with picked as materialized (${rows})
    select ${joined}, ${last} as last_value,
      (select max(seq) from picked where value = (select ${last} from picked)) as last_seq
    from picked
  )`;
}

/**
 * In creation order, records with one of several values are merged from the ranges of each: an index has them
 * in order only for one value at a time.
 */
function branchesOf({ conditions, order }: PageRequest): (readonly Condition[])[] {
  const choice = conditions.find((condition) => 'isOneOf' in condition);
  if (choice === undefined || order.column !== 'seq') {
    return [conditions];
  }
  const others = conditions.filter((condition) => condition !== choice);
  return choice.isOneOf.map((value) => [{ column: choice.column, is: '=', value }, ...others]);
}

/** Where in the list the page begins, as a condition on its rows. */
function startOf(request: PageRequest): RawBuilder<unknown> {
  if ('after' in request.from) {
    return sql`and ${isBehind(request.order, request.from.after)}`;
  }
  const { offset } = request.from;
  if (offset === 0 || !isWholeList(request)) {
    return sql``;
  }
  // Where nothing was ever deleted, places and positions are the same.
  return sql`and seq > (
    select case when last_seq = total then ${offset} else coalesce(${placeBefore(request, offset)}, last_seq) end
    from collections where account_id = ${request.accountId} and name = ${request.collection}
  )`;
}

function isBehind({ column, descending }: Order, { value, seq }: Spot): RawBuilder<unknown> {
  if (column === 'seq') {
    return sql`seq > ${seq}`;
  }
  const name = sql.ref(column);
  return descending
    ? sql`${name} <= ${value} and (${name} < ${value} or seq > ${seq})`
    : sql`${name} >= ${value} and (${name} > ${value} or seq > ${seq})`;
}

/** A whole list's total is kept; a filtered one is counted. */
function totalOf(request: PageRequest): RawBuilder<number> {
  return request.conditions.length === 0
    ? sql`head.total`
    : sql`(select count(*) from ${sql.table(request.collection)} where ${matching(request)})`;
}

/** Behind a spot nobody knows how many rows there are, so one more than the page holds is looked for. */
function moreAfter(request: PageRequest): RawBuilder<number> {
  if ('offset' in request.from) {
    return sql`0`;
  }
  const { collection, order, from, limit } = request;
  return sql`(select count(*) from (
    select 1 from ${sql.table(collection)} where ${matching(request)} and ${isBehind(order, from.after)} limit ${bound(limit + 1)}
  )) > ${limit}`;
}

function matching({ accountId, conditions }: PageRequest): RawBuilder<unknown> {
  return sql.join([sql`account_id = ${accountId}`, ...conditions.map(toSql)], sql` and `);
}

/** SQLite plans a statement anew each time a bare LIMIT parameter is bound, which costs more than the page. */
function bound(limit: number): RawBuilder<number> {
  return sql`${limit} + 0`;
}

function isWholeList({ conditions, order }: PageRequest): boolean {
  return conditions.length === 0 && order.column === 'seq';
}
