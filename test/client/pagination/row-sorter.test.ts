import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openRowSorter } from '../../../src/client/pagination/row-sorter.ts';
import { compareKeys, keyIn, parseSort } from '../../../src/client/pagination/sort-order.ts';

const folder = mkdtempSync(join(tmpdir(), 'salon-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Row {
  readonly id: number;
  readonly value?: unknown;
}

function sort(rows: readonly Row[], sortText: string, mostInMemory?: number): Row[] {
  using sorter = openRowSorter<Row>({
    order: parseSort(sortText),
    folder,
    ...(mostInMemory === undefined ? {} : { mostInMemory }),
  });
  sorter.add(rows.slice(0, 5));
  sorter.add(rows.slice(5));
  return [...sorter.sorted()];
}

const values = fc.oneof(
  fc.constantFrom(null, undefined, '', 'Ümit', 'umit', 'two\nlines', '2026-11-21T10:00:00Z', '💇'),
  fc.integer({ min: 0, max: 3 }),
  fc.string({ unit: 'grapheme', maxLength: 2 }),
);
const lists = fc
  .array(values, { maxLength: 40 })
  .map((all) => all.map((value, id) => (value === undefined ? { id } : { id, value })));

describe('many rows', () => {
  it.each(['value', '-value'])(
    'are put in the order %s as if all were in memory, whatever is spilled',
    (text) => {
      const order = parseSort(text);
      fc.assert(
        fc.property(lists, fc.integer({ min: 1, max: 9 }), (rows, mostInMemory) => {
          const expected = rows.toSorted((one, other) =>
            compareKeys(keyIn(one, order), keyIn(other, order), order),
          );
          expect(sort(rows, text, mostInMemory)).toEqual(expected);
        }),
      );
    },
  );

  it('longer than what is read at a time come back whole', () => {
    const rows = [2, 1, 0].map((id) => ({ id, value: id, notes: 'ü'.repeat(100_000) }));
    expect(sort(rows, 'value', 1)).toEqual(rows.toReversed());
  });

  it('leave no file behind', () => {
    expect(readdirSync(folder)).toEqual([]);
  });
});
