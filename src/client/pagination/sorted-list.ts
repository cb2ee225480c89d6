import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { SalonError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Observe } from '../events.ts';
import { openTempDatabase } from '../temp-database.ts';
import { withUnverified } from './consistency.ts';
import { keyOf, type Page } from './page.ts';
import type { PagedList } from './paginate.ts';
import {
  areInOrder,
  compareKeys,
  compareLargeNumbers,
  haveDistinctKeys,
  haveField,
  parseSort,
  renderSort,
  type SortKey,
  type SortOrder,
  sortKeyOf,
} from './sort-order.ts';

export interface SortedListOptions<T> {
  /** Starts reading in the requested order, or in creation order. */
  start(change: { readonly limit: number | undefined; readonly isSorted: boolean }): PagedList<T>;
  /** Whether the server may be able to sort. */
  readonly canSort: boolean;
  /** Reads the first page of the list in another order. */
  readFirst(sort: string): Promise<readonly T[]>;
  readonly sort: string;
  readonly limit: number | undefined;
  readonly observe: Observe;
}

/**
 * A list in the requested order, whether the server supports it or not. If a server without versions seems to ignore
 * the order, reads the whole list, sorts it here and then applies the limit, with a warning. Rows with equal values
 * keep their order; those without a value come first, or last in descending order. An order by a field that the rows
 * do not have is reported, and unverified, unless the server returns other rows for the opposite order.
 */
export function createSortedList<T>(options: SortedListOptions<T>): PagedList<T> {
  const { start, canSort, limit, observe, sort, readFirst } = options;
  const order = parseSort(sort);
  let current: PagedList<T> | undefined;
  let isSortedHere = false;
  let isUnverified = false;
  return {
    consistency: () => withUnverified(current?.consistency(), isUnverified ? [`sort=${sort}`] : []),
    isSortedHere: () => isSortedHere,
    [Symbol.asyncIterator]: readPages,
  };

  async function* readPages(): AsyncGenerator<Page<T>, void> {
    if (!canSort) {
      isSortedHere = true;
      return yield* readAndSort();
    }
    current = start({ limit, isSorted: true });
    const pages = current[Symbol.asyncIterator]();
    const { value: first, done } = await pages.next();
    if (done === true) return;
    const sorter = await findSorter(first, order, readFirst);
    isSortedHere = sorter === 'here';
    if (sorter === 'unknown') reportUnverified();
    if (sorter !== 'here') {
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
    let hasAnyField = false;
    for await (const page of current) {
      sorter.add(page.rows);
      hasAnyField ||= haveField(page.rows, order);
      yield { ...page, rows: [], resume: undefined, heldBack: sorter.size };
    }
    if (!hasAnyField && sorter.size > 1) reportUnverified();
    yield* toPages(sorter.sorted().take(limit ?? Number.POSITIVE_INFINITY), sorter.size);
  }

  function reportUnverified(): void {
    isUnverified = true;
    const message = `The rows have no field ${order.field}, so nothing shows that they are in the order ${sort}.`;
    observe({ type: 'warning', message });
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
 * Who sorts: the server, if that is certain. One page may be in order by chance, so the first page in the opposite order
 * has to be in that order too. `unknown`: both orders return the same rows, which do not have the field.
 */
async function findSorter<T>(
  first: Page<T>,
  order: SortOrder,
  readFirst: SortedListOptions<T>['readFirst'],
): Promise<'server' | 'here' | 'unknown'> {
  if (first.version !== undefined || first.rows.length === 0) return 'server';
  const isShown = haveField(first.rows, order);
  if (isShown && !areInOrder(first.rows, order)) return 'here';
  const isWhole = first.total !== undefined && first.rows.length >= first.total;
  if (isWhole && (isShown || first.rows.length === 1)) return 'server';
  const opposite = { ...order, isDescending: !order.isDescending };
  try {
    const rows = await readFirst(renderSort(opposite));
    if (isShown || haveField(rows, order)) {
      return areInOrder(rows, opposite) && haveDistinctKeys(rows, order) ? 'server' : 'here';
    }
    // A field that rows do not show cannot be sorted by here, but the server may know it.
    const count = Math.min(rows.length, first.rows.length);
    const keys = [rows, first.rows].map((one) => one.slice(0, count).map(keyOf));
    return isDeepStrictEqual(keys[0], keys[1]) ? 'unknown' : 'server';
  } catch (thrown) {
    // A server that rejects an order reads the parameter.
    if (thrown instanceof SalonError && (thrown.status === 400 || thrown.status === 422)) return 'server';
    throw thrown;
  }
}

/** Sorts any number of rows in a bounded amount of memory. */
interface RowSorter<T> extends Disposable {
  add(rows: readonly T[]): void;
  readonly size: number;
  /** All rows in order; rows with the same key in the order they were added. */
  sorted(): Generator<T, void>;
}

/** Rows are kept in memory up to `mostInMemory` of them, and in a temporary database beyond that. */
export function openRowSorter<T>(order: SortOrder, mostInMemory = 20_000): RowSorter<T> {
  let unsorted: T[] = [];
  let size = 0;
  let database: DatabaseSync | undefined;
  return {
    add(rows) {
      for (const row of rows) unsorted.push(row);
      size += rows.length;
      if (unsorted.length >= mostInMemory) spill();
    },
    get size() {
      return size;
    },
    *sorted() {
      if (database === undefined) return yield* sortLargeNumbers(sortRows(unsorted, order), order);
      spill();
      const direction = order.isDescending ? 'DESC' : 'ASC';
      const select = database.prepare(`SELECT json FROM row ORDER BY key ${direction}, number`);
      const rows = select.iterate().map(({ json }) => parseJson(String(json)) as T);
      yield* sortLargeNumbers(rows, order);
    },
    [Symbol.dispose]: () => database?.close(),
  };

  function spill(): void {
    database ??= openTempDatabase('CREATE TABLE row (number INTEGER PRIMARY KEY, key, json TEXT)');
    const insert = database.prepare('INSERT INTO row (key, json) VALUES (?, ?)');
    for (const row of unsorted) insert.run(toStoredKey(sortKeyOf(row, order)), JSON.stringify(row));
    unsorted = [];
  }
}

/** Sorts rows exactly whose numbers are too large for JavaScript, which are next to each other and few. */
function* sortLargeNumbers<T>(rows: Iterable<T>, order: SortOrder): Generator<T, void> {
  let group: T[] = [];
  let groupKey: SortKey = null;
  for (const row of rows) {
    const key = sortKeyOf(row, order);
    if (group.length > 0 && key !== groupKey) {
      yield* group.sort((one, other) => compareLargeNumbers(one, other, order));
      group = [];
    }
    groupKey = key;
    if (typeof key === 'number' && Math.abs(key) > Number.MAX_SAFE_INTEGER) group.push(row);
    else yield row;
  }
  yield* group.sort((one, other) => compareLargeNumbers(one, other, order));
}

function sortRows<T>(rows: readonly T[], order: SortOrder): T[] {
  return rows
    .map((row) => ({ row, key: sortKeyOf(row, order) }))
    .sort((one, other) => compareKeys(one.key, other.key, order))
    .map(({ row }) => row);
}

/** SQLite sorts null, numbers and bytes as `compareKeys` does. Texts become bytes that keep JavaScript's order. */
function toStoredKey(key: SortKey): null | number | Uint8Array {
  return typeof key === 'string' ? Buffer.from(key, 'utf16le').swap16() : key;
}
