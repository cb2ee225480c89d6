import { type Condition, renderCondition, type SqlValue } from '../conditions.ts';
import type { ListPageRequest, Order } from '../pages.ts';
import type { CollectionName } from '../record-rows.ts';
import { findSearch, renderSearch } from './search-index.ts';
import type { RunQuery } from './statements.ts';

/** What one pass over the records of a filter finds. */
export interface MatchCount {
  readonly total: number;
  /** How many rows the filter's index led to. */
  readonly examined: number;
  /** The range in which the matches lie in the list's order; null when there are none. */
  readonly least: SqlValue;
  readonly greatest: SqlValue;
  /** The filter's index. */
  readonly index: readonly string[];
}

/** How a page's rows are found: by which index, and whether it yields them in the list's order. */
export interface QueryPlan {
  readonly index: readonly string[];
  readonly isOrdered: boolean;
}

/**
 * Indexes for filters, the most selective first. SQLite without statistics would prefer any equality, such as one on
 * the status, to a narrow range. Every index ends with `seq`. That of the search only spares reading the records.
 */
const filterIndexes: readonly (readonly string[])[] = [
  ['client_id'],
  ['appointment_id'],
  ['email'],
  ['phone_digits'],
  ['stylist_id', 'start_ms'],
  ['updated_ms'],
  ['start_ms'],
  ['created_ms'],
  ['stylist_id'],
  ['status'],
  ['search'],
];

/** Leads to the rows of a search, in no order. */
const trigrams: readonly string[] = ['trigrams'];

/** Counts the records that match a filter, and looks at each of them once. */
export function countMatches(query: RunQuery, request: ListPageRequest, listTotal: number): MatchCount {
  const { conditions, order } = request;
  const filterIndex = chooseFilterIndex(conditions, order);
  const isSearch = filterIndex[0] === 'search';
  const index = isSearch && findSearch(query, conditions, listTotal) ? trigrams : filterIndex;
  const values: SqlValue[] = [];
  const isInIndex = (one: Condition) => filterIndex.some((column) => isOn(column, one));
  const render = (some: readonly Condition[]) => some.map((one) => renderCondition(one, values));
  const rest = conditions.filter((one) => !isInIndex(one));
  const filter = () => ['true', ...render(rest)].join(' and ');
  const { column } = order;
  const text = `select count(*) as examined, count(*) filter (where ${filter()}) as total,
      min(${column}) filter (where ${filter()}) as least, max(${column}) filter (where ${filter()}) as greatest
    ${renderSource(request, index, values)}`;
  const where = [text, ...render(conditions.filter(isInIndex))].join(' and ');
  const [counted] = query<Omit<MatchCount, 'index'>>(where, values);
  return { ...(counted ?? { total: 0, examined: 0, least: null, greatest: null }), index };
}

/** The most selective index for the conditions; its later columns may serve the order alone. */
function chooseFilterIndex(conditions: readonly Condition[], order: Order): readonly string[] {
  const isFiltered = (column: string) => conditions.some((one) => isOn(column, one));
  const isUseful = ([first = '', ...others]: readonly string[]) =>
    isFiltered(first) && others.every((column) => isFiltered(column) || column === order.column);
  return filterIndexes.find(isUseful) ?? ['seq'];
}

/** Whether a condition is on nothing but a column. */
function isOn(column: string, condition: Condition): boolean {
  return 'anyOf' in condition
    ? condition.anyOf.every((one) => isOn(column, one))
    : condition.column === column;
}

/** Collecting and sorting a row costs about as much as looking at this many along an index. */
const sortingCost = 8;

/** Few matches are collected and sorted; many are found soon enough along the order's own index. */
export function choosePlan(
  { conditions, order, from, limit, readsOn }: ListPageRequest,
  listTotal: number,
  { total, examined, index }: MatchCount,
): QueryPlan {
  const isFixed = (column: string) =>
    conditions.some(
      (one) =>
        (('is' in one && one.is === '=') || ('isOneOf' in one && one.isOneOf.length === 1)) &&
        one.column === column,
    );
  const isOrdered = [...index, 'seq'].find((column) => !isFixed(column)) === order.column;
  if (isOrdered) {
    return { index, isOrdered };
  }
  const wanted = readsOn === true ? total : limit + ('offset' in from ? from.offset : 0);
  const examinedInOrder = (listTotal * wanted) / Math.max(1, total);
  // Every page collects and sorts all matches again.
  const pages = readsOn === true ? Math.ceil(total / limit) : 1;
  return examinedInOrder < pages * sortingCost * examined
    ? { index: [order.column], isOrdered: true }
    : { index, isOrdered: false };
}

/** The rows of an account that an index leads to, as what follows the columns of a `select`; conditions may follow. */
export function renderSource(
  { accountId, collection, conditions }: ListPageRequest,
  index: readonly string[],
  values: SqlValue[],
): string {
  values.push(accountId);
  if (index === trigrams)
    return `from ${collection} where +account_id = ?${renderSearch(conditions, values)}`;
  return `from ${collection} ${renderIndex(collection, index)} where account_id = ?`;
}

/** Creation order has the primary key. */
function renderIndex(collection: CollectionName, index: readonly string[]): string {
  return index.length === 0 || index[0] === 'seq'
    ? ''
    : `indexed by ${[collection, ...index, 'seq'].join('_')}`;
}
