import type { Dialect } from '../dialect/dialect.ts';
import type { QueryValues } from '../http/request-path.ts';
import { addFilters, addOrder } from './list-filter.ts';

/** What is requested of every page. */
export interface ListQuery {
  readonly filters: QueryValues;
  readonly parameters: Readonly<Record<string, string>> | undefined;
  /** Rows per page. */
  readonly size: number;
  /** Whether the size is sent: not if the server rejects it. */
  readonly sendsSize: boolean;
  /** The unit in the server's `Content-Range`. */
  readonly rangeUnit?: string | undefined;
}

/** Query and headers of a request for one page. */
export interface PageAddress {
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** The address of a page by number, from 1. The first page needs no number. */
export function toPageAddress(page: number, list: ListQuery, dialect: Dialect): PageAddress {
  const { paging, pageParameter, firstPage } = dialect;
  const query = toListQuery(list, dialect);
  const start = (page - 1) * list.size;
  const last = start + list.size - 1;
  const headers = paging === 'range' ? toRangeHeaders(list.rangeUnit, start, last) : undefined;
  if (pageParameter !== null && page > 1 && paging === 'page') setPosition(page - 1 + firstPage);
  if (pageParameter !== null && page > 1 && paging === 'offset') setPosition(start);
  return { query: withParameters(query, list), headers };

  function setPosition(position: number): void {
    query.set(pageParameter ?? '', String(position));
  }
}

/** The query that continues a list after a cursor or the ID of its last row. */
export function toCursorQuery(cursor: string, list: ListQuery, dialect: Dialect): URLSearchParams {
  const query = toListQuery(list, dialect);
  query.set(dialect.pageParameter ?? 'cursor', cursor);
  return withParameters(query, list);
}

function toListQuery({ filters, size, sendsSize }: ListQuery, dialect: Dialect): URLSearchParams {
  const { sort, ...others } = filters;
  const query = new URLSearchParams();
  addFilters(query, others, dialect);
  for (const [name, value] of Object.entries(dialect.listParameters)) query.set(name, value);
  if (sort !== undefined) addOrder(query, String(sort), dialect);
  const { perPageParameter } = dialect;
  if (perPageParameter !== null && sendsSize) query.set(perPageParameter, String(size));
  return query;
}

/** The caller's own parameters replace all others. */
function withParameters(query: URLSearchParams, { parameters = {} }: ListQuery): URLSearchParams {
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return query;
}

/** With a unit as RFC 9110 writes it, without one as PostgREST does. */
function toRangeHeaders(unit: string | undefined, from: number, to: number) {
  return unit === undefined
    ? { 'range-unit': 'items', range: `${from}-${to}` }
    : { range: `${unit}=${from}-${to}` };
}
