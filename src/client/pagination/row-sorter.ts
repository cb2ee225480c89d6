import type { DatabaseSync } from 'node:sqlite';
import { parseJson } from '../../contract/json.ts';
import { openTempDatabase } from '../temp-database.ts';
import { compareKeys, compareLargeNumbers, type SortKey, type SortOrder, sortKeyOf } from './sort-order.ts';

/** Sorts any number of rows in a bounded amount of memory. */
export interface RowSorter<T> extends Disposable {
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
