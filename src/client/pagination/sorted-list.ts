import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Observe } from '../events.ts';
import type { Page } from './page.ts';
import type { PagedList } from './paginate.ts';
import { openRowSorter } from './row-sorter.ts';
import {
  areInOrder,
  haveField,
  haveSeveralKeys,
  parseSort,
  renderSort,
  type SortOrder,
} from './sort-order.ts';

export interface SortedWalkParts<T> {
  /** Starts the walk in the server's order, or in creation order. */
  start(change: { readonly limit: number | undefined; readonly isSorted: boolean }): PagedList<T>;
  /** Reads the first page of the list in another order. */
  readFirst(sort: string): Promise<readonly T[]>;
  readonly sort: string;
  readonly limit: number | undefined;
  readonly observe: Observe;
}

/**
 * A walk in the order that was asked for, whether the server keeps it or not. Where a server without versions cannot be
 * seen to keep it, the whole list is read, put in order here and cut to the limit then, with one warning: rows with the
 * same value stay in the order of the list, those without one come first, or last in descending order.
 */
export function createSortedWalk<T>(parts: SortedWalkParts<T>): PagedList<T> {
  const { start, limit, observe } = parts;
  const order = parseSort(parts.sort);
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
    isSortedHere = !(await isOrderKept(first, order, parts.readFirst));
    if (!isSortedHere) {
      yield first;
      return yield* pages;
    }
    await pages.return();
    observe({
      type: 'warning',
      message: `The server ignored the order ${parts.sort}; the whole list is read and sorted here.`,
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
    if (rows.length < pageSizes.most) continue;
    yield { rows, page, total, version: undefined, resume: undefined };
    rows = [];
    page += 1;
  }
  if (rows.length > 0) yield { rows, page, total, version: undefined, resume: undefined };
}

/**
 * Whether a server is certain to keep an order. A page may be in order by chance, or because the list nearly is;
 * so the first page of the opposite order has to be in that one.
 */
async function isOrderKept<T>(
  first: Page<T>,
  order: SortOrder,
  readFirst: SortedWalkParts<T>['readFirst'],
): Promise<boolean> {
  if (first.version !== undefined) return true;
  if (!areInOrder(first.rows, order)) return false;
  if (first.total !== undefined && first.rows.length >= first.total) return true;
  const opposite = { ...order, isDescending: !order.isDescending };
  try {
    const rows = await readFirst(renderSort(opposite));
    // What no row shows cannot be sorted by here, and a server may well know it.
    if (!haveField(first.rows, order) && !haveField(rows, order)) return true;
    return areInOrder(rows, opposite) && haveSeveralKeys(rows, order);
  } catch (thrown) {
    // A server that refuses an order reads what it is asked for.
    if (thrown instanceof SalonError && (thrown.status === 400 || thrown.status === 422)) return true;
    throw thrown;
  }
}
