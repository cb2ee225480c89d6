import { toSortKey } from '../../contract/formats.ts';
import { parseInstant } from '../../contract/time.ts';

/** The order a list was asked for, as `field` or `-field`. */
export interface SortOrder {
  readonly field: string;
  readonly isDescending: boolean;
}

/** What a row is ordered by; null, which comes before everything, where it has nothing. */
export type SortKey = number | string | null;

export function parseSort(sort: string): SortOrder {
  return sort.startsWith('-')
    ? { field: sort.slice(1), isDescending: true }
    : { field: sort, isDescending: false };
}

export function renderSort({ field, isDescending }: SortOrder): string {
  return isDescending ? `-${field}` : field;
}

/** The key of a row, by which the contract's own service orders it: moments by time, texts without case and accents. */
export function keyIn(row: unknown, { field }: SortOrder): SortKey {
  const value = readField(row, field);
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value);
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return JSON.stringify(value);
  return parseInstant(value)?.ms ?? (toSortKey(value) || null);
}

/** Below zero where `one` comes first; numbers come before texts. */
export function compareKeys(one: SortKey, other: SortKey, { isDescending }: SortOrder): number {
  const ascending = compareAscending(one, other);
  return isDescending ? -ascending : ascending;
}

/**
 * Whether rows come in an order, by any rule a server may have for texts. Where rows without a value belong differs
 * from server to server, so that they prove nothing.
 */
export function areInOrder(rows: readonly unknown[], order: SortOrder): boolean {
  const present = rows.filter((row) => keyIn(row, order) !== null);
  return rules.some((compare) =>
    present.every((row, index) => {
      const before = present[index - 1];
      if (before === undefined) return true;
      const ascending = compare(before, row, order);
      return order.isDescending ? ascending >= 0 : ascending <= 0;
    }),
  );
}

/** Whether rows differ in what they are ordered by. */
export function haveSeveralKeys(rows: readonly unknown[], order: SortOrder): boolean {
  return new Set(rows.map((row) => keyIn(row, order))).size > 1;
}

/** Whether any of the rows shows the field. */
export function haveField(rows: readonly unknown[], { field }: SortOrder): boolean {
  return rows.some((row) => readField(row, field) !== undefined);
}

type Rule = (one: unknown, other: unknown, order: SortOrder) => number;

let collator: Intl.Collator | undefined;

/** As the contract's service does it, by the characters alone, and as in a dictionary. */
const rules: readonly Rule[] = [
  (one, other, order) => compareAscending(keyIn(one, order), keyIn(other, order)),
  (one, other, order) => compareAscending(textIn(one, order), textIn(other, order)),
  (one, other, order) => compareAsInDictionary(textIn(one, order), textIn(other, order)),
];

/** The collator is made when it is first needed: that takes 10 ms and 3 MiB. */
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
