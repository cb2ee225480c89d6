import { describe, expect, it } from 'vitest';
import { countOf, decimalsOf, renderCount } from '../../src/contract/numbers.ts';

describe('a currency', () => {
  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['CLP', 0],
    ['BHD', 3],
    ['KWD', 3],
    // Often written without decimals, but with two in the standard.
    ['HUF', 2],
    ['IDR', 2],
  ])('%s has %i decimals', (currency, decimals) => {
    expect(decimalsOf(currency)).toBe(decimals);
  });

  it.each(['DEM', 'XXX', 'XAU', 'XDR', 'eur', 'EU', '', 'constructor'])(
    '"%s" is none that is in use',
    (currency) => {
      expect(decimalsOf(currency)).toBeUndefined();
    },
  );

  it('is known to Intl, except for the newest ones', () => {
    const known = new Set(Intl.supportedValuesOf('currency'));
    const newest = ['XCG'];
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const strange = codes.filter((code) => decimalsOf(code) !== undefined && !known.has(code));
    expect(strange.filter((code) => !newest.includes(code))).toEqual([]);
  });
});

describe('renderCount', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [12_345, '12,345'],
    [999_999, '999,999'],
    [1_234_567_890, '1,234,567,890'],
  ])('renders %i as %s', (count, text) => {
    expect(renderCount(count)).toBe(text);
  });
});

describe('countOf', () => {
  it.each([
    [0, 'clients', '0 clients'],
    [1, 'clients', '1 client'],
    [1, 'deliveries', '1 delivery'],
    [1_200, 'deliveries', '1,200 deliveries'],
  ])('renders %i %s as %s', (count, plural, text) => {
    expect(countOf(count, plural)).toBe(text);
  });
});
