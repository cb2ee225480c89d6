import { describe, expect, it } from 'vitest';
import { createCsvWriter } from '../../../src/bulk/sheet/sheet-text.ts';
import { nouns } from '../../../src/cli/nouns/nouns.ts';
import { renderAmount, renderInstant, renderMinutes } from '../../../src/cli/output/cell.ts';
import { createTableWriter } from '../../../src/cli/output/table.ts';

describe('renderInstant', () => {
  it.each([
    ['2026-11-21T08:30:00Z', 'Europe/Berlin', '2026-11-21 09:30'],
    ['2026-07-21T08:30:00.123Z', 'Europe/Berlin', '2026-07-21 10:30'],
    ['2026-11-21T23:30:00+00:00', 'Asia/Tokyo', '2026-11-22 08:30'],
    ['2026-11-21T00:00:00Z', 'UTC', '2026-11-21 00:00'],
  ])('renders %s in %s as %s', (iso, timeZone, expected) => {
    expect(renderInstant(iso, { timeZone })).toBe(expected);
  });

  it.each([
    '',
    'soon',
    '2026-11-21',
    '2026-11-21T08:30:00',
    '2026-13-45T08:30:00Z',
    '0001-01-01T00:00:00Z',
    '1700000000',
  ])('returns "%s" unchanged', (text) => {
    expect(renderInstant(text, { timeZone: 'Europe/Berlin' })).toBe(text);
  });
});

describe('renderMinutes', () => {
  it.each([
    [0, '0 min'],
    [45, '45 min'],
    [60, '1 h'],
    [90, '1 h 30 min'],
    [1440, '24 h'],
    [-5, '-5'],
    [1.5, '1.5'],
    [Number.NaN, 'NaN'],
  ])('renders %d as %s', (minutes, expected) => {
    expect(renderMinutes(minutes)).toBe(expected);
  });
});

describe('renderAmount', () => {
  it.each([
    [4500, 'EUR', '45.00 EUR'],
    [7, 'EUR', '0.07 EUR'],
    [0, 'EUR', '0.00 EUR'],
    [-450, 'EUR', '-4.50 EUR'],
    [1200, 'JPY', '1200 JPY'],
    [12345, 'KWD', '12.345 KWD'],
    [5, 'KWD', '0.005 KWD'],
    [4500, 'XXX', '4500 XXX minor units'],
    [4500, undefined, '4500 minor units'],
    [45.5, 'EUR', '45.5'],
  ])('renders %d %s as %s', (minorUnits, currency, text) => {
    expect(renderAmount(minorUnits, currency)).toBe(text);
  });
});

describe('the amounts of payments', () => {
  const rows = [
    { id: 'pay_1', amount: 4500, currency: 'EUR', refunded_amount: 1000 },
    { id: 'pay_2', amount: 1200, currency: 'JPY', refunded_amount: 0 },
    { id: 'pay_3', amount: '12.00', currency: 'EUR', refunded_amount: null },
  ];
  const names = ['id', 'amount', 'refunded_amount'];
  const columns = nouns.payments.columns.all.filter(({ key }) => names.includes(key));

  it('are decimal in a table, even without a currency column', () => {
    const writer = createTableWriter({ columns, width: 80, color: false, timeZone: 'UTC' });
    expect(writer.rows(rows)).toBe(
      [
        'ID        Amount   Refunded',
        'pay_1  45.00 EUR  10.00 EUR',
        'pay_2   1200 JPY      0 JPY',
        'pay_3      12.00',
        '',
      ].join('\n'),
    );
  });

  it('are minor units in CSV', () => {
    const writer = createCsvWriter({ columns: columns.map(({ key }) => key) });
    expect(writer.begin() + writer.rows(rows.slice(0, 2))).toBe(
      'id,amount,refunded_amount\npay_1,4500,1000\npay_2,1200,0\n',
    );
  });
});
