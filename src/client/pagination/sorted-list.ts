import { isDeepStrictEqual } from 'node:util';
import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import { isJsonNumber, parseJson } from '../../text/json.ts';
import { compareTexts, toSortKey } from '../../text/search-text.ts';
import { parseInstant } from '../../time/time.ts';
import type { Observe } from '../events.ts';
import { isFields } from '../json-object.ts';
import { openTempDatabase } from '../temp-database.ts';
import { withUnverified } from './consistency.ts';
import { parseSort, renderSort, type SortOrder } from './list-query.ts';
import { keyOf, type Page } from './page.ts';
import type { PagedList } from './paginate.ts';

interface SortedListOptions<T> {
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
    // For some servers an order that they do not know is a filter, so that nothing found proves nothing.
    const isNothing = first.rows.length === 0 && first.version === undefined;
    const sorter = isNothing ? 'here' : await findSorter(first, order, readFirst);
    isSortedHere = sorter === 'here';
    if (sorter === 'unknown') reportUnverified();
    if (sorter !== 'here') {
      yield first;
      return yield* pages;
    }
    await pages.return();
    yield* readAndSort(isNothing ? 'finds nothing in' : 'ignored');
  }

  /** `did`: what the server did with the order, if that is to be said. */
  async function* readAndSort(did?: string): AsyncGenerator<Page<T>, void> {
    using sorter = openRowSorter<T>(order);
    let isToBeSaid = did !== undefined;
    current = start({ limit: undefined, isSorted: false });
    let hasAnyField = false;
    for await (const page of current) {
      if (isToBeSaid && page.rows.length > 0) {
        isToBeSaid = false;
        const message = `The server ${did} the order ${sort}; reading the whole list to sort it here.`;
        observe({ type: 'warning', message });
      }
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
  if (first.version !== undefined) return 'server';
  const isShown = haveField(first.rows, order);
  if (isShown && !areInOrder(first.rows, order)) return 'here';
  const isWhole = first.total !== undefined && first.rows.length >= first.total;
  if (isWhole && (isShown || first.rows.length === 1)) return 'server';
  const opposite = { ...order, isDescending: !order.isDescending };
  try {
    const rows = await readFirst(renderSort(opposite));
    if (isShown || haveField(rows, order)) {
      const keys = new Set(rows.map((row) => sortKeyOf(row, order)));
      return areInOrder(rows, opposite) && keys.size > 1 ? 'server' : 'here';
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

/** Keeps rows in a temporary database, which is a file only when it outgrows memory. */
export function openRowSorter<T>(order: SortOrder) {
  const database = openTempDatabase(
    'CREATE TABLE row (number INTEGER PRIMARY KEY, key, exact TEXT, json TEXT)',
  );
  const insert = database.prepare('INSERT INTO row (key, exact, json) VALUES (?, ?, ?)');
  const direction = order.isDescending ? 'DESC' : 'ASC';
  const select = database.prepare(
    `SELECT json FROM row ORDER BY key ${direction}, exact ${direction}, number`,
  );
  let size = 0;
  return {
    add(rows: readonly T[]) {
      for (const row of rows) {
        const key = sortKeyOf(row, order);
        // SQLite sorts null, numbers and texts in this order, and texts by code point.
        insert.run(key, toExactKey(key, readField(row, order.field)), JSON.stringify(row));
      }
      size += rows.length;
    },
    get size() {
      return size;
    },
    /** All rows in order; rows with the same key in the order they were added. */
    sorted: () => select.iterate().map(({ json }) => parseJson(String(json)) as T),
    [Symbol.dispose]: () => database.close(),
  };
}

/**
 * Sorts numbers that are the same for JavaScript by the digits of their whole part, of negative ones backwards. None for
 * a number with an exponent: writing it out could take any amount of memory.
 */
function toExactKey(key: SortKey, value: unknown): string {
  if (typeof key !== 'number' || Math.abs(key) <= Number.MAX_SAFE_INTEGER) return '';
  const [, sign, digits = ''] = /^(-?)(\d+)(?=\.|$)/.exec(String(value)) ?? [];
  const text = `${String(digits.length).padStart(9, '0')}${digits}`;
  return sign === '-' ? text.replaceAll(/\d/g, (digit) => String(9 - Number(digit))) : text;
}

/** The value a row is sorted by. Null, for a row without one, sorts first. */
type SortKey = number | string | null;

/** The sort key that the contract's own service uses: instants by time, text without case and accents. */
export function sortKeyOf(row: unknown, { field }: SortOrder): SortKey {
  const value = readField(row, field);
  if (isJsonNumber(value) || typeof value === 'boolean') return Number(value);
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return JSON.stringify(value);
  return parseInstant(value)?.ms ?? (toSortKey(value) || null);
}

/** Whether rows are in order by any rule that servers have for text. Rows without a value may be anywhere. */
export function areInOrder(rows: readonly unknown[], order: SortOrder): boolean {
  const withValue = rows.filter((row) => sortKeyOf(row, order) !== null);
  return rules.some((compare) =>
    withValue.every((row, index) => {
      const before = withValue[index - 1];
      if (before === undefined) return true;
      const ascending = compare(before, row, order);
      return order.isDescending ? ascending >= 0 : ascending <= 0;
    }),
  );
}

function haveField(rows: readonly unknown[], { field }: SortOrder): boolean {
  return rows.some((row) => readField(row, field) !== undefined);
}

/** That of the root collation, on every machine. Created on first use: it takes 10 ms and 3 MiB. */
let collator: Intl.Collator | undefined;

/** As the contract's service sorts, by character, and as in a dictionary. */
const rules: readonly ((one: unknown, other: unknown, order: SortOrder) => number)[] = [
  (one, other, order) => compareAscending(sortKeyOf(one, order), sortKeyOf(other, order)),
  (one, other, order) => compareAscending(textIn(one, order), textIn(other, order)),
  (one, other, order) => {
    collator ??= new Intl.Collator('en');
    return collator.compare(textIn(one, order), textIn(other, order));
  },
];

export function compareAscending(one: SortKey, other: SortKey): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? -1 : 1;
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(one, other);
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return one < other ? -1 : 1;
}

function textIn(row: unknown, { field }: SortOrder): string {
  return String(readField(row, field));
}

function readField(row: unknown, field: string): unknown {
  return isFields(row) && Object.hasOwn(row, field) ? row[field] : undefined;
}
