import { describe, expect, it } from 'vitest';
import { decimalsOf } from '../../src/contract/currency.ts';

describe('a currency', () => {
  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['CLP', 0],
    ['BHD', 3],
    ['KWD', 3],
    // Written with none in many places, and counted with two by the standard.
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

  it('is one that the platform knows as well, but for the newest ones', () => {
    const known = new Set(Intl.supportedValuesOf('currency'));
    const newest = ['XCG'];
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const strange = codes.filter((code) => decimalsOf(code) !== undefined && !known.has(code));
    expect(strange.filter((code) => !newest.includes(code))).toEqual([]);
  });
});
