import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSort } from '../../../src/client/pagination/list-query.ts';
import { compareAscending, openRowSorter, sortKeyOf } from '../../../src/client/pagination/sorted-list.ts';
import { parseJson } from '../../../src/text/json.ts';

interface Row {
  readonly id: number;
  readonly value?: unknown;
}

function sort(rows: readonly Row[], sortText: string): Row[] {
  using sorter = openRowSorter<Row>(parseSort(sortText));
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
  it.each(['value', '-value'])('sorts by %s as it compares two rows', (text) => {
    const order = parseSort(text);
    const sign = order.isDescending ? -1 : 1;
    fc.assert(
      fc.property(lists, (rows) => {
        const expected = rows.toSorted(
          (one, other) => sign * compareAscending(sortKeyOf(one, order), sortKeyOf(other, order)),
        );
        expect(sort(rows, text)).toEqual(expected);
      }),
    );
  });

  it('returns long rows whole', () => {
    const rows = [2, 1, 0].map((id) => ({ id, value: id, notes: 'ü'.repeat(100_000) }));
    expect(sort(rows, 'value')).toEqual(rows.toReversed());
  });

  it('sorts numbers exactly that JavaScript rounds', () => {
    const numbers = ['5', '9007199254740993', '9007199254740992', '-9007199254740993', '9007199254740991.5'];
    const others = ['-9007199254740992', '99999999999999999999', '100000000000000000000'];
    const all = [...numbers, ...others];
    const rows = all.map((number) => parseJson(`{"value":${number}}`) as { id: number });
    const sorted = sort(rows, 'value').map((row) => JSON.stringify(row));
    expect(sorted).toEqual([3, 5, 0, 4, 2, 1, 6, 7].map((index) => `{"value":${all[index]}}`));
    expect(sort(rows, '-value').map((row) => JSON.stringify(row))).toEqual(sorted.toReversed());
  });
});
