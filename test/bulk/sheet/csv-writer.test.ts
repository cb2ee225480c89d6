import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeExcelGuard, toCellText } from '../../../src/bulk/sheet/cell-text.ts';
import { createCsvWriter } from '../../../src/bulk/sheet/sheet-text.ts';
import { nouns } from '../../../src/cli/nouns/nouns.ts';
import type { Fields } from '../../../src/client/json-object.ts';
import { anyValue, nastyText } from '../../cli/output/rows.ts';
import { countBySpeed } from '../../support/speed.ts';

const forExcel = { lineEnd: '\r\n', hasByteOrderMark: true, isGuarded: true };

function print(rows: readonly Fields[], { keys = ['a'], excel = false } = {}): string {
  const writer = createCsvWriter({ columns: keys, ...(excel ? forExcel : {}) });
  return writer.begin() + writer.rows(rows) + writer.end();
}

describe('createCsvWriter', () => {
  it.each([
    ['text', 'Anna', 'Anna'],
    ['a comma', 'a,b', '"a,b"'],
    ['quotes', 'a "b"', '"a ""b"""'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['null', null, '""'],
    ['true', true, 'true'],
    ['a number', -5, '-5'],
    ['a list', ['vip', 'a;b', 'c\\d'], 'vip;a\\;b;c\\\\d'],
    ['an empty list', [], '""'],
    ['an object', { a: 1 }, '"{""a"":1}"'],
  ])('writes %s', (_, value, expected) => {
    expect(print([{ a: value }])).toBe(`a\n${expected}\n`);
  });

  it('writes the heading when there are no rows', () => {
    expect(print([], { keys: ['a', 'b'] })).toBe('a,b\n');
  });

  it('leaves missing values empty, and other members out', () => {
    expect(print([{ b: 1 }, { a: null, c: 2 }], { keys: ['a', 'b'] })).toBe('a,b\n,1\n,\n');
  });

  it('writes a byte order mark, CRLF and guarded formulas for Excel', () => {
    expect(print([{ a: '=1+1', b: 'x' }], { keys: ['a', 'b'], excel: true })).toBe(
      "\uFEFFa,b\r\n'=1+1,x\r\n",
    );
  });

  it.each([false, true])('is read back unchanged by another parser (Excel: %s)', (excel) => {
    const row = fc.record({ a: anyValue, b: anyValue, c: nastyText });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const records = parse(print(rows, { keys: ['a', 'b', 'c'], excel }), {
          bom: excel,
          record_delimiter: excel ? '\r\n' : '\n',
        });
        const bare = excel ? records.map((cells) => cells.map(removeExcelGuard)) : records;
        // UTF-8 has no half characters.
        const values = rows.map(({ a, b, c }) => [a, b, c].map((value) => toCellText(value).toWellFormed()));
        expect(bare).toEqual([['a', 'b', 'c'], ...values]);
      }),
      { numRuns: countBySpeed(500) },
    );
  });

  it('takes a few seconds of processor time at most for 100,000 clients on a slow machine', () => {
    const row = {
      id: 'cli_1',
      first_name: 'Anna',
      notes: 'mornings, please',
      tags: ['vip'],
      sms_marketing_consent: true,
    };
    const page = Array.from({ length: 200 }, () => row);
    const writer = createCsvWriter({ columns: nouns.clients.columns.all.map(({ key }) => key), ...forExcel });
    const start = process.cpuUsage();
    for (let count = 0; count < 500; count++) writer.rows(page);
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });
});
