import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientColumns } from '../../../src/cli/print/columns.ts';
import { createCsvPrinter } from '../../../src/cli/print/csv.ts';
import { addExcelGuard, removeExcelGuard } from '../../../src/cli/print/excel-guard.ts';
import type { Row } from '../../../src/cli/print/printer.ts';
import { parseListText, toValueText } from '../../../src/cli/print/value-text.ts';
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

describe('the list in a cell', () => {
  it.each([[['a', 'b']], [['']], [['[x']], [['a', null, 2]], [[]], [['a;b', '\\', ';']]])(
    '%j reads back',
    (list) => {
      expect(parseListText(toValueText(list))).toEqual(list);
    },
  );

  it('reads back whatever it was', () => {
    const list = fc.array(fc.oneof({ weight: 4, arbitrary: nastyText }, fc.constant(null), fc.integer()), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(list, (items) => {
        expect(parseListText(toValueText(items))).toEqual(items);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the guard for Excel', () => {
  it.each([
    '=1+1',
    '+cmd|x',
    '-2+3',
    '@SUM(A1)',
    '\tx',
    '\r=1',
    '\n=1',
    '＝1',
    '＋A1',
    '－A1',
    '＠x',
    '+1+1=2',
    '+',
    '-',
    "'=x",
    "''@y",
  ])('guards %j', (cell) => {
    expect(addExcelGuard(cell)).toBe(`'${cell}`);
  });

  it.each([
    'Anna',
    '',
    '-5',
    '+5.25',
    '-1,234.50',
    '-5%',
    '-1e6',
    '+44 20 7946 0018',
    '+442079460018',
    '+49 (30) 123-4567',
    '1-800-555',
    "'tis",
    "it's",
    "'-5",
    'a=b',
  ])('leaves %j alone', (cell) => {
    expect(addExcelGuard(cell)).toBe(cell);
  });

  it('comes off again exactly, also from texts that begin with it', () => {
    const start = fc.stringMatching(/^'{0,3}[=+\-@＝＋－＠\t]?/);
    fc.assert(
      fc.property(start, nastyText, (head, tail) => {
        expect(removeExcelGuard(addExcelGuard(head + tail))).toBe(head + tail);
      }),
      { numRuns: 2000 },
    );
  });
});
