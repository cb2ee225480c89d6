import type { Dialect, ResourceDialect } from '../dialect/dialect.ts';
import { toODataLiteral } from '../dialect/record-form.ts';
import type { QueryValues } from '../http/request-path.ts';

/** The field a filter of the contract compares, and how: `in` is one of several values, `ge` is from, `lt` is before. */
interface Comparison {
  readonly field: string;
  readonly operator: 'eq' | 'in' | 'ge' | 'lt';
}

const comparisons = new Map<string, Comparison>([
  ['status', { field: 'status', operator: 'in' }],
  ['start_time_from', { field: 'start_time', operator: 'ge' }],
  ['start_time_to', { field: 'start_time', operator: 'lt' }],
  ['created_from', { field: 'created_at', operator: 'ge' }],
  ['created_to', { field: 'created_at', operator: 'lt' }],
  ['updated_since', { field: 'updated_at', operator: 'ge' }],
]);

/** The order of a list, written as `field` or `-field`. */
export interface SortOrder {
  readonly field: string;
  readonly isDescending: boolean;
}

export function parseSort(sort: string): SortOrder {
  return { field: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') };
}

export function renderSort({ field, isDescending }: SortOrder): string {
  return isDescending ? `-${field}` : field;
}

type FilterDialect = Pick<ResourceDialect, 'filterNames' | 'filterStyle' | 'map'>;

/** Whether the server has a filter at all. If not, it is not sent. */
export function hasFilter(name: string, { filterNames }: Pick<Dialect, 'filterNames'>): boolean {
  return !Object.hasOwn(filterNames, name) || filterNames[name] !== null;
}

/** Whether a query narrows a list down: an order and a page size do not. */
export function hasFilters({ sort: _order, per_page: _size, ...filters }: QueryValues): boolean {
  return Object.values(filters).some((value) => value !== undefined && value !== '');
}

/** The filters that say of which days a list is. */
export const rangeFilters: readonly string[] = ['start_time_from', 'start_time_to'];

/**
 * How many rows an empty list has without any parameter of ours: for some servers one that they do not know is a filter,
 * so that an empty list proves nothing. With filters none are looked for; with an order, the list is read again without it.
 */
export async function countHidden(
  filters: QueryValues,
  readBare: () => Promise<{ readonly rows: readonly unknown[] }>,
): Promise<number> {
  const isPlain = Object.values(filters).every((value) => value === undefined || value === '');
  return isPlain ? (await readBare()).rows.length : 0;
}

/** Adds the contract's filters to a query as the server writes them. */
function addFilters(query: URLSearchParams, filters: QueryValues, dialect: FilterDialect): void {
  const conditions: string[] = [];
  for (const [name, given] of Object.entries(filters)) {
    if (given === undefined || !hasFilter(name, dialect)) continue;
    const value = (name === 'status' && dialect.map?.toWords(String(given))) || String(given);
    const renamed = Object.hasOwn(dialect.filterNames, name) ? dialect.filterNames[name] : undefined;
    if (typeof renamed === 'string') query.append(renamed, value);
    else if (dialect.filterStyle === 'odata') conditions.push(toCondition(name, value, dialect));
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
export function toOrderParameters(sort: string, dialect: ResourceDialect): Readonly<Record<string, string>> {
  const { sortParameter, sortAscending, sortDescending } = dialect;
  if (sortParameter === null) return {};
  const { field: own, isDescending } = parseSort(sort);
  const field = dialect.map?.toServer(own) ?? own;
  const value = isDescending ? sortDescending : sortAscending;
  return { [sortParameter.replace('{field}', field)]: value.replace('{field}', field) };
}

function toParameter(name: string, value: string, dialect: FilterDialect): [string, string] {
  const { filterStyle } = dialect;
  const { field, operator } = comparisonOf(name, dialect);
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

function toCondition(name: string, value: string, dialect: FilterDialect): string {
  const { field, operator } = comparisonOf(name, dialect);
  if (operator !== 'in') return `${field} ${operator} ${toLiteral(value)}`;
  return `(${value
    .split(',')
    .map((item) => `${field} eq ${toLiteral(item)}`)
    .join(' or ')})`;
}

function toLiteral(value: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? value : toODataLiteral(value);
}

/** What a filter compares, by the server's name of the field. */
export function comparisonOf(name: string, { map }: Pick<FilterDialect, 'map'>): Comparison {
  const { field, operator } = comparisons.get(name) ?? { field: name, operator: 'eq' };
  return { field: map?.toServer(field) ?? field, operator };
}

/** What is requested of every page. */
export interface ListQuery {
  readonly filters: QueryValues;
  readonly parameters: Readonly<Record<string, string>> | undefined;
  /** Rows per page. */
  readonly size: number;
  /** Whether the size is sent; true by default. */
  readonly sendsSize?: boolean;
  /** The unit in the server's `Content-Range`. */
  readonly rangeUnit?: string | undefined;
}

/** Query and headers of a request for one page. */
export interface PageAddress {
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** The address of a page by number, from 1. The first page needs no number. */
export function toPageAddress(page: number, list: ListQuery, dialect: ResourceDialect): PageAddress {
  const { paging, pageParameter, firstPage } = dialect;
  const start = (page - 1) * list.size;
  const last = start + list.size - 1;
  const headers = paging === 'range' ? toRangeHeaders(list.rangeUnit, start, last) : undefined;
  const positions: Partial<Record<string, number>> = { page: page - 1 + firstPage, offset: start };
  const position = page > 1 && pageParameter !== null ? positions[paging] : undefined;
  const parameters = position === undefined ? {} : { [pageParameter ?? '']: String(position) };
  return { query: toListQuery(list, dialect, parameters), headers };
}

/** The query that continues a list after a cursor or the ID of its last row. */
export function toCursorQuery(cursor: string, list: ListQuery, dialect: ResourceDialect): URLSearchParams {
  return toListQuery(list, dialect, { [dialect.pageParameter ?? 'cursor']: cursor });
}

/** `position`: the parameter that leads to the page. */
function toListQuery(
  { filters, parameters, size, sendsSize = true }: ListQuery,
  dialect: ResourceDialect,
  position: Readonly<Record<string, string>>,
): URLSearchParams {
  const { sort, ...others } = filters;
  const { listParameters, perPageParameter } = dialect;
  const query = new URLSearchParams();
  addFilters(query, others, dialect);
  // An order among the fixed parameters gives way, and the caller's own parameters replace all others.
  const given = {
    ...listParameters,
    ...(sort !== undefined && toOrderParameters(String(sort), dialect)),
    ...(perPageParameter !== null && sendsSize && { [perPageParameter]: String(size) }),
    ...position,
    ...parameters,
  };
  for (const [name, value] of Object.entries(given)) query.set(name, value);
  return query;
}

/** With a unit as RFC 9110 writes it, without one as PostgREST does. */
function toRangeHeaders(unit: string | undefined, from: number, to: number) {
  return unit === undefined
    ? { 'range-unit': 'items', range: `${from}-${to}` }
    : { range: `${unit}=${from}-${to}` };
}
