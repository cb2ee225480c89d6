import { toSortKey } from '../../contract/formats.ts';
import { isJsonNumber } from '../../contract/json.ts';
import { parseInstant } from '../../contract/time.ts';

/** The order of a list, written as `field` or `-field`. */
export interface SortOrder {
  readonly field: string;
  readonly isDescending: boolean;
}

/** The value a row is sorted by. Null, for a row without one, sorts first. */
export type SortKey = number | string | null;

export function parseSort(sort: string): SortOrder {
  return sort.startsWith('-')
    ? { field: sort.slice(1), isDescending: true }
    : { field: sort, isDescending: false };
}

export function renderSort({ field, isDescending }: SortOrder): string {
  return isDescending ? `-${field}` : field;
}

/** The sort key that the contract's own service uses: instants by time, text without case and accents. */
export function sortKeyOf(row: unknown, { field }: SortOrder): SortKey {
  const value = readField(row, field);
  if (isJsonNumber(value) || typeof value === 'boolean') return Number(value);
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return JSON.stringify(value);
  return parseInstant(value)?.ms ?? (toSortKey(value) || null);
}

/** Negative if `one` comes first. Numbers come before text. */
export function compareKeys(one: SortKey, other: SortKey, { isDescending }: SortOrder): number {
  const ascending = compareAscending(one, other);
  return isDescending ? -ascending : ascending;
}

/** Compares the whole part of numbers that are the same for JavaScript. */
export function compareLargeNumbers(one: unknown, other: unknown, order: SortOrder): number {
  const [a = 0n, b = 0n] = [one, other].map((row) => toWhole(String(readField(row, order.field))));
  if (a === b) return 0;
  return a < b !== order.isDescending ? -1 : 1;
}

/** Undefined for a number with an exponent: writing it out could take any amount of memory. */
function toWhole(text: string): bigint | undefined {
  const whole = /^-?\d+(?=\.|$)/.exec(text)?.[0];
  return whole === undefined ? undefined : BigInt(whole);
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
export function haveDistinctKeys(rows: readonly unknown[], order: SortOrder): boolean {
  return new Set(rows.map((row) => sortKeyOf(row, order))).size > 1;
}
export function haveField(rows: readonly unknown[], { field }: SortOrder): boolean {
  return rows.some((row) => readField(row, field) !== undefined);
}

type Rule = (one: unknown, other: unknown, order: SortOrder) => number;

let collator: Intl.Collator | undefined;

/** As the contract's service sorts, by code unit, and as in a dictionary. */
const rules: readonly Rule[] = [
  (one, other, order) => compareAscending(sortKeyOf(one, order), sortKeyOf(other, order)),
  (one, other, order) => compareAscending(textIn(one, order), textIn(other, order)),
  (one, other, order) => compareAsInDictionary(textIn(one, order), textIn(other, order)),
];

/** Creates the collator on first use: it takes 10 ms and 3 MiB. */
function compareAsInDictionary(one: string, other: string): number {
  collator ??= new Intl.Collator();
  return collator.compare(one, other);
}

function compareAscending(one: SortKey, other: SortKey): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? -1 : 1;
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return one < other ? -1 : 1;
}

function textIn(row: unknown, { field }: SortOrder): string {
  return String(readField(row, field));
}

function readField(row: unknown, field: string): unknown {
  return typeof row === 'object' && row !== null && Object.hasOwn(row, field)
    ? (row as Readonly<Record<string, unknown>>)[field]
    : undefined;
}
