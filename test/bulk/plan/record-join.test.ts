import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMatchKey } from '../../../src/bulk/input/edit-fields.ts';
import { openRecordJoin } from '../../../src/bulk/plan/record-join.ts';
import { countBySpeed } from '../../support/speed.ts';

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

describe('openRecordJoin', () => {
  it('joins like a plain map', async () => {
    const trimmed = keys.map((list) => list.map((text) => toMatchKey('name', text) ?? null));
    fc.assert(
      fc.property(trimmed, trimmed, (names, recordKeys) => {
        using join = openRecordJoin<{ note: string }>('name');
        for (const [index, name] of names.entries()) {
          join.addRow({ row: index + 1, line: index + 2, key: name, item: { note: `row\n${index}` } });
        }
        for (const [index, name] of recordKeys.entries()) join.addRecord({ id: index, name });
        const joined = [...join.joined()].map(({ row, key: name, lines, found }) => ({
          row,
          key: name,
          lines,
          ids: found?.ids ?? [],
        }));
        expect(joined).toEqual(joinPlainly(names, recordKeys));
        const unmatched = new Set(names.filter((name) => name !== null && !recordKeys.includes(name)));
        expect(new Set(join.missing())).toEqual(unmatched);
        expect(join.size).toBe(names.filter((name) => name !== null).length);
      }),
      { numRuns: countBySpeed(60) },
    );
  });

  it('joins rows and records that do not fit in memory', async () => {
    using join = openRecordJoin<string>('id');
    const count = 20_000;
    const item = 'x'.repeat(500);
    for (let row = 1; row <= count; row += 1) join.addRow({ row, line: row, key: `cli_${row}`, item });
    for (let id = count; id > 0; id -= 1) join.addRecord({ id: `cli_${id}`, notes: item });
    let found = 0;
    for (const pair of join.joined()) found += pair.found?.record['id'] === pair.key ? 1 : 0;
    expect(found).toBe(count);
  });

  it('uses the latest version of a record', async () => {
    using join = openRecordJoin<null>('id');
    join.addRow({ row: 1, line: 2, key: 'cli_1', item: null });
    join.addRecord({ id: 'cli_1', notes: 'old' });
    join.addRecord({ id: 'cli_1', notes: 'new' });
    expect([...join.joined()]).toMatchObject([{ found: { record: { notes: 'new' }, ids: ['cli_1'] } }]);
  });
});

describe('toMatchKey', () => {
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
