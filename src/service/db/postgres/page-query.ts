import { type Condition, type RenderContains, renderCondition, type SqlValue } from '../conditions.ts';
import type { ListPageRequest, Order } from '../pages.ts';
import type { CollectionName } from '../record-rows.ts';

export interface Query {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** What a page's statement returns. There is no row if the account has no such list. */
export interface PageRow {
  readonly version: number;
  readonly listed: number;
  /** How many records match the filter, if they were to be counted. */
  readonly matching?: number;
  /** The records, separated by commas or line feeds; null on an empty page. */
  readonly records: string | null;
  readonly count: number;
  /** The last row's position; null on an empty page. */
  readonly value: number | string | null;
  readonly seq: number | null;
  /** 1 if rows follow the page; meaningless on an empty one. */
  readonly more: 0 | 1;
}

/** A page of a whole list in creation order. */
export function renderListPage({ accountId, collection, from, limit, format }: ListPageRequest): Query {
  const isAfter = 'after' in from;
  const place = isAfter ? 'row.seq > ?' : 'true';
  const offset = isAfter ? '' : 'offset ?';
  // The limit is part of the text, because plans for any limit are bad ones.
  const text = `select list.version, list.total as listed, page.records, page.count, page.seq as value, page.seq,
      case when page.seq < ${newestSeq(collection)} then 1 else 0 end as more
    from collections as list
    left join lateral (select string_agg(record, ${renderSeparator(format)}) as records, count(*) as count,
        max(seq) as seq
      from (select record, seq from ${collection} as row where row.account_id = list.account_id
        and ${place} order by seq limit ${limit} ${offset}) as rows) as page on true
    where list.account_id = ? and list.name = ?`;
  return { text, values: [isAfter ? from.after.seq : from.offset, accountId, collection] };
}

function newestSeq(collection: CollectionName): string {
  return `(select seq from ${collection} as row where row.account_id = list.account_id order by seq desc limit 1)`;
}

/** A page of a filtered or sorted list. `isCounted` also counts what matches the filter. */
export function renderFilteredPage(
  { accountId, collection, conditions, order, from, limit, format }: ListPageRequest,
  { isCounted }: { readonly isCounted: boolean },
): Query {
  const separator = renderSeparator(format);
  const values: SqlValue[] = [];
  const renderSource = (...others: readonly ((values: SqlValue[]) => string)[]) => {
    values.push(accountId);
    const filter = conditions.map((one: Condition) => renderCondition(one, values, renderLike));
    const rest = others.map((render) => render(values));
    return `from ${collection} where ${['account_id = ?', ...filter, ...rest].join(' and ')}`;
  };
  const counted = isCounted ? `counted as (select count(*) as matching ${renderSource()}),` : '';
  const source = 'after' in from ? renderSource(renderAfter(order, from.after)) : renderSource();
  const offset = 'offset' in from && from.offset > 0 ? [from.offset] : [];
  const { column } = order;
  const direction = order.descending && column !== 'seq' ? 'desc' : 'asc';
  const sorting = column === 'seq' ? 'seq' : `${column} ${direction}, seq`;
  // One row more shows whether any follow. The records are read when their places are known.
  const text = `with ${counted}
    found as materialized (select ${column} as value, seq ${source}
      order by ${sorting} limit ${limit + 1} ${offset.length > 0 ? 'offset ?' : ''}),
    page as materialized (select found.value, found.seq, record.record,
        row_number() over (order by found.value ${direction}, found.seq) as place
      from found join ${collection} as record on record.account_id = ? and record.seq = found.seq)
    select list.version, list.total as listed, ${isCounted ? '(select matching from counted) as matching,' : ''}
      (select string_agg(record, ${separator} order by place) from page where place <= ${limit}) as records,
      (select count(*) from page where place <= ${limit}) as count, last.value, last.seq,
      (select count(*) from page where place > ${limit}) as more
    from collections as list
    left join (select value, seq from page where place <= ${limit} order by place desc limit 1) as last on true
    where list.account_id = ? and list.name = ?`;
  return { text, values: [...values, ...offset, accountId, accountId, collection] };
}

function renderSeparator(format: ListPageRequest['format']): string {
  return format === 'lines' ? 'chr(10)' : "','";
}

/** What comes after a cursor. */
function renderAfter(
  { column, descending }: Order,
  { value, seq }: { readonly value: number | string; readonly seq: number },
): (values: SqlValue[]) => string {
  return (values) => {
    if (column === 'seq') {
      values.push(seq);
      return 'seq > ?';
    }
    if (!descending) {
      values.push(value, seq);
      return `(${column}, seq) > (?, ?)`;
    }
    values.push(value, value, seq);
    return `${column} <= ? and (${column} < ? or seq > ?)`;
  };
}

/** LIKE can use an index of trigrams, if there is one. */
const renderLike: RenderContains = (column, text, values) => {
  values.push(`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`);
  return `${column} like ?`;
};
