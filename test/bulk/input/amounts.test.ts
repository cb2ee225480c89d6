import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAmount } from '../../../src/bulk/input/spreadsheet-numbers.ts';
import { UnclearCell } from '../../../src/bulk/sheet/sheet-form.ts';
import { renderDecimal } from '../../../src/text/numbers.ts';

describe('a decimal amount in a cell', () => {
  it.each([
    ['45.00', 'EUR', 4500],
    ['45,00', 'EUR', 4500],
    ['45', 'EUR', 4500],
    ['45.5', 'EUR', 4550],
    ['-45.50', 'EUR', -4550],
    ['1,234.50', 'EUR', 123_450],
    ['1.234,50', 'EUR', 123_450],
    ['1 234,50 EUR', 'EUR', 123_450],
    ['EUR 12', 'EUR', 1200],
    ['45,00 €', 'EUR', 4500],
    ['€45', 'EUR', 4500],
    ['45.-', 'CHF', 4500],
    ['45 zł', 'PLN', 4500],
    ['¥4,500', 'JPY', 4500],
    ['$45', 'EUR', '$45'],
    ['49.500000000000007', 'EUR', 4950],
    ['0.30000000000000004', 'EUR', 30],
    ['18.2550', 'KWD', 18_255],
    ['1200', 'JPY', 1200],
    ['1.200', 'JPY', 1200],
    ['12 USD', 'EUR', '12 USD'],
    ['free', 'EUR', 'free'],
  ])('%s in %s is %s', (cell, currency, expected) => {
    expect(parseAmount(cell, currency, null)).toBe(expected);
  });

  it('with three digits after one separator is unclear: a program may have calculated it', () => {
    expect(parseAmount('45.005', 'EUR', null)).toBeInstanceOf(UnclearCell);
    expect(parseAmount('1,234', 'EUR', 123_400)).toBe(123_400);
  });

  it('that has two meanings is unclear, unless one of them is the current amount', () => {
    expect(parseAmount('1.200', 'KWD', null)).toBeInstanceOf(UnclearCell);
    expect(parseAmount('1.200', 'KWD', null)).toMatchObject({
      reason: expect.stringMatching(/ with 4 decimals, or none\.$/),
    });
    expect(parseAmount('1.200', 'KWD', 1200)).toBe(1200);
    expect(parseAmount('1.200', 'KWD', 1_200_000)).toBe(1_200_000);
  });

  it('reads back as it is written, with a point or a comma', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom('EUR', 'JPY', 'KWD'), (amount, currency) => {
        const text = renderDecimal(amount, { EUR: 2, JPY: 0, KWD: 3 }[currency]) ?? '';
        expect(parseAmount(text, currency, amount)).toBe(amount);
        expect(parseAmount(text.replace('.', ','), currency, amount)).toBe(amount);
      }),
    );
  });
});
