import { describe, expect, it } from 'vitest';
import { createCsvWriter } from '../../../src/bulk/sheet/row-writer.ts';
import { renderAmount } from '../../../src/cli/output/cell.ts';
import { paymentColumns } from '../../../src/cli/output/columns.ts';
import { createTablePrinter } from '../../../src/cli/output/table.ts';

describe('an amount', () => {
  it.each([
    [4500, 'EUR', '45.00 EUR'],
    [7, 'EUR', '0.07 EUR'],
    [0, 'EUR', '0.00 EUR'],
    [-450, 'EUR', '-4.50 EUR'],
    [1200, 'JPY', '1200 JPY'],
    [12345, 'KWD', '12.345 KWD'],
    [5, 'KWD', '0.005 KWD'],
    [4500, 'XXX', '4500'],
    [4500, undefined, '4500'],
    [45.5, 'EUR', '45.5'],
  ])('of %d in %s is shown as %s', (minorUnits, currency, text) => {
    expect(renderAmount(minorUnits, currency)).toBe(text);
  });
});

describe('payments', () => {
  const rows = [
    { id: 'pay_1', amount: 4500, currency: 'EUR', refunded_amount: 1000 },
    { id: 'pay_2', amount: 1200, currency: 'JPY', refunded_amount: 0 },
    { id: 'pay_3', amount: '12.00', currency: 'EUR', refunded_amount: null },
  ];
  const names = ['id', 'amount', 'refunded_amount'];
  const columns = paymentColumns.all.filter(({ key }) => names.includes(key));

  it('have amounts in a table as people read them, whether or not the currency is a column', () => {
    const printer = createTablePrinter({ columns, width: 80, color: false, timeZone: 'UTC' });
    expect(printer.rows(rows)).toBe(
      [
        'id        amount  refunded_amount',
        'pay_1  45.00 EUR        10.00 EUR',
        'pay_2   1200 JPY            0 JPY',
        'pay_3      12.00',
        '',
      ].join('\n'),
    );
  });

  it('have minor units in CSV', () => {
    const printer = createCsvWriter({ columns: columns.map(({ key }) => key) });
    expect(printer.begin() + printer.rows(rows.slice(0, 2))).toBe(
      'id,amount,refunded_amount\npay_1,4500,1000\npay_2,1200,0\n',
    );
  });
});
