import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Observe } from '../events.ts';
import type { Page } from './page.ts';
import type { PagedList } from './paginate.ts';
import { openRowSorter } from './row-sorter.ts';
import {
  areInOrder,
  haveDistinctKeys,
  haveField,
  parseSort,
  renderSort,
  type SortOrder,
} from './sort-order.ts';

export interface SortedListOptions<T> {
  /** Starts reading in the requested order, or in creation order. */
  start(change: { readonly limit: number | undefined; readonly isSorted: boolean }): PagedList<T>;
  /** Reads the first page of the list in another order. */
  readFirst(sort: string): Promise<readonly T[]>;
  readonly sort: string;
  readonly limit: number | undefined;
  readonly observe: Observe;
}

/**
 * A list in the requested order, whether the server supports it or not. If a server without versions seems to ignore
 * the order, reads the whole list, sorts it here and then applies the limit, with a warning. Rows with equal values
 * keep their order; those without a value come first, or last in descending order.
 */
export function createSortedList<T>(options: SortedListOptions<T>): PagedList<T> {
  const { start, limit, observe, sort, readFirst } = options;
  const order = parseSort(sort);
  let current: PagedList<T> | undefined;
  let isSortedHere = false;
  return {
    consistency: () => current?.consistency(),
    isSortedHere: () => isSortedHere,
    [Symbol.asyncIterator]: readPages,
  };

  async function* readPages(): AsyncGenerator<Page<T>, void> {
    current = start({ limit, isSorted: true });
    const pages = current[Symbol.asyncIterator]();
    const { value: first, done } = await pages.next();
    if (done === true) return;
    isSortedHere = !(await isSortedByServer(first, order, readFirst));
    if (!isSortedHere) {
      yield first;
      return yield* pages;
    }
    await pages.return();
    observe({
      type: 'warning',
      message: `The server ignored the order ${sort}; reading the whole list to sort it here.`,
    });
    yield* readAndSort();
  }

  async function* readAndSort(): AsyncGenerator<Page<T>, void> {
    using sorter = openRowSorter<T>(order);
    current = start({ limit: undefined, isSorted: false });
    for await (const page of current) {
      sorter.add(page.rows);
      yield { ...page, rows: [], resume: undefined, heldBack: sorter.size };
    }
    yield* toPages(sorter.sorted().take(limit ?? Number.POSITIVE_INFINITY), sorter.size);
  }
}

function* toPages<T>(sorted: Iterable<T>, total: number): Generator<Page<T>, void> {
  let rows: T[] = [];
  let page = 1;
  for (const row of sorted) {
    rows.push(row);
    if (rows.length < pageSizes.max) continue;
    yield { rows, page, total, version: undefined, resume: undefined };
    rows = [];
    page += 1;
  }
  if (rows.length > 0) yield { rows, page, total, version: undefined, resume: undefined };
}

/**
 * Whether the server certainly sorts. One page may be in order by chance, so the first page in the opposite order has
 * to be in that order too.
 */
async function isSortedByServer<T>(
  first: Page<T>,
  order: SortOrder,
  readFirst: SortedListOptions<T>['readFirst'],
): Promise<boolean> {
  if (first.version !== undefined) return true;
  if (!areInOrder(first.rows, order)) return false;
  if (first.total !== undefined && first.rows.length >= first.total) return true;
  const opposite = { ...order, isDescending: !order.isDescending };
  try {
    const rows = await readFirst(renderSort(opposite));
    // A field that rows do not show cannot be sorted by here, but the server may know it.
    if (!haveField(first.rows, order) && !haveField(rows, order)) return true;
    return areInOrder(rows, opposite) && haveDistinctKeys(rows, order);
  } catch (thrown) {
    // A server that rejects an order reads the parameter.
    if (thrown instanceof SalonError && (thrown.status === 400 || thrown.status === 422)) return true;
    throw thrown;
  }
}
