import type { Dialect } from '../dialect/dialect.ts';
import { toODataLiteral } from '../dialect/resource-path.ts';
import type { QueryValues } from '../http/request-path.ts';

/** The field a filter of the contract compares, and how: `in` is one of several values, `ge` is from, `lt` is before. */
interface Comparison {
  readonly field: string;
  readonly operator: 'eq' | 'in' | 'ge' | 'lt';
}

const comparisons: Readonly<Record<string, Comparison>> = {
  status: { field: 'status', operator: 'in' },
  start_time_from: { field: 'start_time', operator: 'ge' },
  start_time_to: { field: 'start_time', operator: 'lt' },
  created_from: { field: 'created_at', operator: 'ge' },
  created_to: { field: 'created_at', operator: 'lt' },
  updated_since: { field: 'updated_at', operator: 'ge' },
};

/** The order of a list, written as `field` or `-field`. */
export interface SortOrder {
  readonly field: string;
  readonly isDescending: boolean;
}

export function parseSort(sort: string): SortOrder {
  return sort.startsWith('-')
    ? { field: sort.slice(1), isDescending: true }
    : { field: sort, isDescending: false };
}

export function renderSort({ field, isDescending }: SortOrder): string {
  return isDescending ? `-${field}` : field;
}

type FilterDialect = Pick<Dialect, 'filterNames' | 'filterStyle'>;

/** Whether the server has a filter at all. If not, it is not sent. */
export function hasFilter(name: string, { filterNames }: Pick<Dialect, 'filterNames'>): boolean {
  return !Object.hasOwn(filterNames, name) || filterNames[name] !== null;
}

/** Whether a query narrows a list down: an order and a page size do not. */
export function hasFilters({ sort: _order, per_page: _size, ...filters }: QueryValues): boolean {
  return Object.values(filters).some((value) => value !== undefined && value !== '');
}

/** Adds the contract's filters to a query as the server writes them. */
function addFilters(query: URLSearchParams, filters: QueryValues, dialect: FilterDialect): void {
  const conditions: string[] = [];
  for (const [name, given] of Object.entries(filters)) {
    if (given === undefined || !hasFilter(name, dialect)) continue;
    const value = String(given);
    const renamed = Object.hasOwn(dialect.filterNames, name) ? dialect.filterNames[name] : undefined;
    if (typeof renamed === 'string') query.append(renamed, value);
    else if (dialect.filterStyle === 'odata') conditions.push(toCondition(name, value));
    else query.append(...toParameter(name, value, dialect));
  }
  if (conditions.length > 0) query.append('$filter', conditions.join(' and '));
}

/** The contract's filters as query parameters of the server. */
export function toFilterParameters(filters: QueryValues, dialect: FilterDialect): Record<string, string> {
  const query = new URLSearchParams();
  addFilters(query, filters, dialect);
  return Object.fromEntries(query);
}

/** An order of the contract as query parameters of the server; none if it cannot sort. */
export function toOrderParameters(sort: string, dialect: Dialect): Record<string, string> {
  const query = new URLSearchParams();
  addOrder(query, sort, dialect);
  return Object.fromEntries(query);
}

function toParameter(name: string, value: string, { filterStyle }: FilterDialect): [string, string] {
  const { field, operator } = comparisonOf(name);
  if (filterStyle === 'brackets') return [`filter[${name}]`, value];
  if (filterStyle === 'django') return [field + djangoSuffixes[operator], value];
  if (filterStyle === 'postgrest') return [field, toPostgrest(operator, value)];
  return [name, value];
}

const djangoSuffixes = { eq: '', in: '__in', ge: '__gte', lt: '__lt' } as const;

function toPostgrest(operator: Comparison['operator'], value: string): string {
  if (operator !== 'in') return `${operator === 'ge' ? 'gte' : operator}.${value}`;
  const items = value.split(',').map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`);
  return `in.(${items.join(',')})`;
}

function toCondition(name: string, value: string): string {
  const { field, operator } = comparisonOf(name);
  if (operator !== 'in') return `${field} ${operator} ${toLiteral(value)}`;
  return `(${value
    .split(',')
    .map((item) => `${field} eq ${toLiteral(item)}`)
    .join(' or ')})`;
}

function toLiteral(value: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? value : toODataLiteral(value);
}

function comparisonOf(name: string): Comparison {
  return (
    (Object.hasOwn(comparisons, name) ? comparisons[name] : undefined) ?? { field: name, operator: 'eq' }
  );
}

/** Adds the order to a query, if the server can sort. An order among the fixed parameters gives way. */
function addOrder(query: URLSearchParams, sort: string, dialect: Dialect): void {
  const { sortParameter, sortAscending, sortDescending } = dialect;
  if (sortParameter === null) return;
  const { field, isDescending } = parseSort(sort);
  const value = isDescending ? sortDescending : sortAscending;
  query.set(sortParameter.replace('{field}', field), value.replace('{field}', field));
}

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
