import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareKeys, parseSort, sortKeyOf } from '../../../src/client/pagination/sort-order.ts';
import { openRowSorter } from '../../../src/client/pagination/sorted-list.ts';
import { parseJson } from '../../../src/contract/json.ts';

interface Row {
  readonly id: number;
  readonly value?: unknown;
}

function sort(rows: readonly Row[], sortText: string, mostInMemory?: number): Row[] {
  using sorter = openRowSorter<Row>(parseSort(sortText), mostInMemory);
  sorter.add(rows.slice(0, 5));
  sorter.add(rows.slice(5));
  return [...sorter.sorted()];
}

const values = fc.oneof(
  fc.constantFrom(null, undefined, '', 'Ümit', 'umit', 'two\nlines', '2026-11-21T10:00:00Z', '💇', '￼'),
  fc.integer({ min: 0, max: 3 }),
  fc.string({ unit: 'grapheme', maxLength: 2 }),
);
const lists = fc
  .array(values, { maxLength: 40 })
  .map((all) => all.map((value, id) => (value === undefined ? { id } : { id, value })));

describe('a row sorter', () => {
  it.each(['value', '-value'])('sorts by %s in a database as it does in memory', (text) => {
    const order = parseSort(text);
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 9 }), (rows, mostInMemory) => {
        const expected = rows.toSorted((one, other) =>
          compareKeys(sortKeyOf(one, order), sortKeyOf(other, order), order),
        );
        expect(sort(rows, text, mostInMemory)).toEqual(expected);
      }),
    );
  });

  it('returns long rows whole', () => {
    const rows = [2, 1, 0].map((id) => ({ id, value: id, notes: 'ü'.repeat(100_000) }));
    expect(sort(rows, 'value', 1)).toEqual(rows.toReversed());
  });

  it.each([1, 100])(
    'sorts numbers exactly that JavaScript rounds, with %i rows in memory',
    (mostInMemory) => {
      const numbers = [
        '5',
        '9007199254740993',
        '9007199254740992',
        '-9007199254740993',
        '9007199254740991.5',
      ];
      const rows = numbers.map((number) => parseJson(`{"value":${number}}`) as { id: number });
      const sorted = sort(rows, 'value', mostInMemory).map((row) => JSON.stringify(row));
      expect(sorted).toEqual([3, 0, 4, 2, 1].map((index) => `{"value":${numbers[index]}}`));
      expect(sort(rows, '-value', mostInMemory).map((row) => JSON.stringify(row))).toEqual(
        sorted.toReversed(),
      );
    },
  );
});
