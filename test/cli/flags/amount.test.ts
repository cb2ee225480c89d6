import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAmountFlag, parseCurrency } from '../../../src/cli/flags/values.ts';
import { renderAmount } from '../../../src/cli/output/cell.ts';

const flag = '--amount';

describe('an amount', () => {
  it.each([
    ['45', 'EUR', 4500],
    ['45.5', 'EUR', 4550],
    ['45.50', 'EUR', 4550],
    ['0.07', 'EUR', 7],
    ['007', 'EUR', 700],
    // Floating point would give 113.99999999999999.
    ['1.14', 'EUR', 114],
    ['90071992547409.91', 'EUR', 9007199254740991],
    ['1200', 'JPY', 1200],
    ['12.345', 'KWD', 12345],
    ['12.3', 'bhd', 12300],
  ])('%s %s is %i minor units', (text, currency, minorUnits) => {
    expect(parseAmountFlag(text, { currency, flag })).toBe(minorUnits);
  });

  it.each([
    ['45.505', 'EUR', '--amount 45.505 has too many decimals: EUR has 2.'],
    ['45.000', 'EUR', '--amount 45.000 has too many decimals: EUR has 2.'],
    ['45.0', 'JPY', '--amount 45.0 has too many decimals: JPY has 0.'],
    ['45,50', 'EUR', '--amount "45,50" is ambiguous.'],
    ['1,000', 'EUR', '--amount "1,000" is ambiguous.'],
    ['1.000.00', 'EUR', '--amount "1.000.00" is ambiguous.'],
    ['1 000', 'EUR', '--amount "1 000" is ambiguous.'],
    ['45.', 'EUR', '--amount "45." is ambiguous.'],
    ['.5', 'EUR', '--amount ".5" is ambiguous.'],
    ['', 'EUR', '--amount needs an amount, not "".'],
    ['-5', 'EUR', '--amount needs an amount, not "-5".'],
    ['4e3', 'EUR', '--amount needs an amount, not "4e3".'],
    ['€45', 'EUR', '--amount needs an amount, not "€45".'],
    ['٤٥', 'EUR', '--amount needs an amount, not "٤٥".'],
    ['90071992547409.92', 'EUR', '--amount 90071992547409.92 is too large.'],
    ['45', 'XXX', '--currency must be an ISO 4217 code, such as EUR; "XXX" is not.'],
  ])('refuses "%s" in %s', (text, currency, message) => {
    expect(() => parseAmountFlag(text, { currency, flag })).toThrow(
      expect.objectContaining({ code: 'usage', message }),
    );
  });

  it('parses what renderAmount prints, exactly', () => {
    const currency = fc.constantFrom('EUR', 'JPY', 'KWD');
    fc.assert(
      fc.property(fc.maxSafeNat(), currency, (minorUnits, code) => {
        const [text = ''] = renderAmount(minorUnits, code).split(' ');
        expect(parseAmountFlag(text, { currency: code, flag })).toBe(minorUnits);
      }),
    );
  });
});

describe('a currency', () => {
  it('may be in lower case', () => {
    expect(parseCurrency('eur')).toBe('EUR');
  });
});
