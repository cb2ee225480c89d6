import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withUnreadRows } from '../../../src/bulk/sheet/csv-lines.ts';
import { createCsvWriter } from '../../../src/bulk/sheet/row-writer.ts';
import { findUnreadLines } from '../../../src/client/pagination/unread-rows.ts';
import { createPartReader } from '../../../src/client/pagination/whole-response.ts';
import { parseJson } from '../../../src/contract/json.ts';
import { nastyText } from '../../cli/output/rows.ts';

type Row = Readonly<Record<string, unknown>>;

function readUnread(lines: readonly string[]): readonly Row[] {
  const reader = createPartReader((line) => 'end' in line);
  reader.add(Buffer.from([...lines, '{"end":true}\n'].join('\n')));
  return reader.next()?.rows ?? [];
}

function print(lines: readonly string[], keys: readonly string[]): string {
  const rows = readUnread(lines);
  expect(findUnreadLines(rows)).toBeDefined();
  const text = Buffer.from(withUnreadRows(createCsvWriter({ columns: keys }), keys).rows(rows)).toString();
  expect(findUnreadLines(rows) !== undefined).toBe(keys.length > 1);
  return text;
}

describe('withUnreadRows', () => {
  it('writes what the other writer writes', () => {
    const value = fc.oneof(
      nastyText,
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.string(), { maxLength: 2 }),
      fc.constantFrom(null, true, false, 0, -5, 1.5, 1e21, 1e-7),
    );
    const row = fc.record({ id: fc.uuid(), a: value, 'ü "': value, c: value }, { noNullPrototype: true });
    const keys = fc.array(fc.constantFrom('id', 'a', 'ü "', 'c', 'missing'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), keys, (rows, columns) => {
        const lines = rows.map((one) => JSON.stringify(one));
        const expected = createCsvWriter({ columns }).rows(lines.map((line) => parseJson(line) as Row));
        expect(print(lines, columns)).toBe(Buffer.from(expected).toString());
      }),
    );
  });

  it('keeps every digit', () => {
    const lines = ['{"id":"a","x":1}', '{"id":"b","x":1.50}', '{"id":"c","x":12345678901234567890}'];
    expect(print(lines, ['x', 'id'])).toBe('1,a\n1.50,b\n12345678901234567890,c\n');
  });

  it('writes a column that begins like JSON', () => {
    const lines = ['{"id":"a","x":"{1}","y":2}', '{"id":"b","x":"{\\"y\\"","y":3}'];
    expect(print(lines, ['x', 'y'])).toBe('{1},2\n"{""y""",3\n');
  });

  it('uses its memory again with the next page', () => {
    const writer = withUnreadRows(createCsvWriter({ columns: ['id', 'x'] }), ['id', 'x']);
    const print2 = (line: string) => Buffer.from(writer.rows(readUnread([line]))).toString();
    expect([print2('{"id":"a","x":"long text"}'), print2('{"id":"b","x":1}')]).toEqual([
      'a,long text\n',
      'b,1\n',
    ]);
    expect(writer.rows([{ id: 'c', x: 2 }])).toBe('c,2\n');
  });

  it('writes records with more members than a replacement can refer to', () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`m${index}`, index]));
    const rows = readUnread([JSON.stringify({ id: 'a', ...many })]);
    const keys = ['id', 'm119'];
    expect(withUnreadRows(createCsvWriter({ columns: keys }), keys).rows(rows)).toBe('a,119\n');
  });
});
