import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMatchKey } from '../../../src/bulk/input/edit-fields.ts';
import {
  mergeInRowOrder,
  openPartitionedLines,
  partitionCount,
} from '../../../src/bulk/plan/partitioned-lines.ts';
import { openRecordJoin } from '../../../src/bulk/plan/record-join.ts';
import { openFolder } from './sample-plan.ts';

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
);
const keys = fc.array(fc.option(key), { maxLength: 30 });

/** The same by a plain Map. */
function joinPlainly(names: readonly (string | null)[], recordKeys: readonly (string | null)[]) {
  return names.map((name, index) => {
    const of = (list: readonly (string | null)[]) =>
      list.flatMap((other, at) => (name !== null && other === name ? [at] : []));
    const ids = of(recordKeys).slice(0, 5).map(String);
    const lines =
      name === null
        ? [index + 2]
        : of(names)
            .slice(0, 5)
            .map((at) => at + 2);
    return { row: index + 1, key: name, lines, ids };
  });
}

describe('rows and records', () => {
  it('are paired as a plain map would pair them', async () => {
    await using folder = await openFolder();
    const trimmed = keys.map((list) => list.map((text) => toMatchKey('name', text) ?? null));
    fc.assert(
      fc.property(trimmed, trimmed, (names, recordKeys) => {
        using pairing = openRecordJoin<{ note: string }>(folder.path, 'name');
        for (const [index, name] of names.entries()) {
          pairing.addRow({ row: index + 1, line: index + 2, key: name, item: { note: `row\n${index}` } });
        }
        for (const [index, name] of recordKeys.entries()) pairing.addRecord({ id: index, name });
        const paired = Array.from({ length: partitionCount }, (_, partition) => [...pairing.pairs(partition)])
          .flat()
          .map(({ row, key: name, lines, found }) => ({ row, key: name, lines, ids: found?.ids ?? [] }))
          .toSorted((a, b) => a.row - b.row);
        expect(paired).toEqual(joinPlainly(names, recordKeys));
        const unmatched = new Set(names.filter((name) => name !== null && !recordKeys.includes(name)));
        expect(new Set(pairing.missing())).toEqual(unmatched);
        expect(pairing.size).toBe(names.filter((name) => name !== null).length);
      }),
      { numRuns: 60 },
    );
  });

  it('find one another also where most of them lie on disk', async () => {
    await using folder = await openFolder();
    using pairing = openRecordJoin<string>(folder.path, 'id');
    const count = 20_000;
    const item = 'x'.repeat(500);
    for (let row = 1; row <= count; row += 1) pairing.addRow({ row, line: row, key: `cli_${row}`, item });
    for (let id = count; id > 0; id -= 1) pairing.addRecord({ id: `cli_${id}`, notes: item });
    let found = 0;
    for (let partition = 0; partition < partitionCount; partition += 1) {
      for (const pair of pairing.pairs(partition)) found += pair.found?.record['id'] === pair.key ? 1 : 0;
    }
    expect(found).toBe(count);
  });

  it('count a record that came twice as it came last', async () => {
    await using folder = await openFolder();
    using pairing = openRecordJoin<null>(folder.path, 'id');
    pairing.addRow({ row: 1, line: 2, key: 'cli_1', item: null });
    pairing.addRecord({ id: 'cli_1', notes: 'old' });
    pairing.addRecord({ id: 'cli_1', notes: 'new' });
    const pairs = Array.from({ length: partitionCount }, (_, partition) => [
      ...pairing.pairs(partition),
    ]).flat();
    expect(pairs).toMatchObject([{ found: { record: { notes: 'new' }, ids: ['cli_1'] } }]);
  });
});

describe('lines in partitions', () => {
  it('come back in the order of their rows, wherever they lie and whatever rows are left out', async () => {
    await using folder = await openFolder();
    const placed = fc.uniqueArray(fc.tuple(fc.nat({ max: 2_000 }), fc.nat({ max: partitionCount - 1 })), {
      selector: ([row]) => row,
      maxLength: 200,
    });
    fc.assert(
      fc.property(placed, (rows) => {
        using lines = openPartitionedLines(folder.path);
        const ordered = rows.toSorted(([a], [b]) => a - b);
        for (const [row, partition] of ordered)
          lines.add(partition, JSON.stringify({ row, note: 'ü'.repeat(300) }));
        expect([...mergeInRowOrder(lines)].map(({ row }) => row)).toEqual(ordered.map(([row]) => row));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a key', () => {
  it.each([
    ['id', ' cli_1 ', 'cli_1'],
    ['id', 17, '17'],
    ['email', 'Ana@Salon.Test', 'ana@salon.test'],
    ['phone', '+44 (20) 7946-0018', '+442079460018'],
    ['external_id', 'A-1', 'A-1'],
    ['external_id', '', undefined],
    ['email', null, undefined],
    ['tags', ['vip'], undefined],
  ])('of %s %j is %s', (field, value, found) => {
    expect(toMatchKey(field, value)).toBe(found);
  });
});
