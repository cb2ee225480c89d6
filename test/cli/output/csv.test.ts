import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeExcelGuard, toValueText } from '../../../src/bulk/sheet/cell-text.ts';
import { clientColumns, type Row } from '../../../src/cli/output/columns.ts';
import { createCsvPrinter } from '../../../src/cli/output/csv.ts';
import { anyValue, nastyText } from './rows.ts';

function print(rows: readonly Row[], { keys = ['a'], excel = false } = {}): string {
  const printer = createCsvPrinter({ columns: keys.map((key) => ({ key, kind: 'text' })), excel });
  return printer.begin() + printer.rows(rows) + printer.end();
}

describe('createCsvPrinter', () => {
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

  it('prints the header when there are no rows', () => {
    expect(print([], { keys: ['a', 'b'] })).toBe('a,b\n');
  });

  it('leaves absent members empty and members that were not asked for out', () => {
    expect(print([{ b: 1 }, { a: null, c: 2 }], { keys: ['a', 'b'] })).toBe('a,b\n,1\n,\n');
  });

  it('writes for Excel with byte order mark, CRLF and guarded formulas', () => {
    expect(print([{ a: '=1+1', b: 'x' }], { keys: ['a', 'b'], excel: true })).toBe(
      "\uFEFFa,b\r\n'=1+1,x\r\n",
    );
  });

  it.each([false, true])('reads back through an independent parser what went in (Excel: %s)', (excel) => {
    const row = fc.record({ a: anyValue, b: anyValue, c: nastyText });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const records = parse(print(rows, { keys: ['a', 'b', 'c'], excel }), {
          bom: excel,
          record_delimiter: excel ? '\r\n' : '\n',
        });
        const bare = excel ? records.map((cells) => cells.map(removeExcelGuard)) : records;
        // UTF-8 has no half characters.
        const values = rows.map(({ a, b, c }) => [a, b, c].map((value) => toValueText(value).toWellFormed()));
        expect(bare).toEqual([['a', 'b', 'c'], ...values]);
      }),
      { numRuns: 500 },
    );
  });

  it('takes less than a second of processor time for 100,000 clients on any machine', () => {
    const row = {
      id: 'cli_1',
      first_name: 'Anna',
      notes: 'mornings, please',
      tags: ['vip'],
      sms_marketing_consent: true,
    };
    const page = Array.from({ length: 200 }, () => row);
    const printer = createCsvPrinter({ columns: clientColumns.all, excel: true });
    const start = process.cpuUsage();
    for (let count = 0; count < 500; count++) printer.rows(page);
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
  });
});
