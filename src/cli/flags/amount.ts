import { SalonError } from '../../contract/errors.ts';
import { decimalsOf } from '../../contract/numbers.ts';

/** What an amount is an amount of, and which flag gave it. */
export interface AmountContext {
  readonly currency: string;
  readonly flag: string;
}

/**
 * An amount as people write it, `45`, `45.5` or `45.00`, in minor units of its currency. Its digits are moved, so
 * that nothing is ever rounded. Throws `usage`, naming the flag, for anything that could be read in another way.
 */
export function parseAmount(text: string, { currency, flag }: AmountContext): number {
  const decimals = requireDecimals(currency);
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw notAnAmount(text, flag);
  if (fraction.length > decimals) {
    const has = decimals === 0 ? 'none' : String(decimals);
    throw new SalonError('usage', `${flag} ${text} has more decimals than ${currency}, which has ${has}.`, {
      hint: 'Nothing is rounded: say which amount is meant.',
    });
  }
  const minorUnits = Number(whole + fraction.padEnd(decimals, '0'));
  if (Number.isSafeInteger(minorUnits)) return minorUnits;
  throw new SalonError('usage', `${flag} ${text} is more than anybody can count.`, {
    hint: 'Check the digits.',
  });
}

/** The code of a currency in use, in capitals. Throws `usage`, naming the flag. */
export function parseCurrency(text: string, flag = '--currency'): string {
  const currency = text.toUpperCase();
  if (decimalsOf(currency) !== undefined) return currency;
  throw new SalonError('usage', `${flag} needs the code of a currency in use, not "${text}".`, {
    hint: 'As ISO 4217 writes it, such as EUR, USD or JPY.',
  });
}

function requireDecimals(currency: string): number {
  return decimalsOf(parseCurrency(currency)) ?? 0;
}

function notAnAmount(text: string, flag: string): SalonError {
  const isAmbiguous = /^[\d.,' ]+$/.test(text) && /\d/.test(text);
  const message = isAmbiguous
    ? `${flag} "${text}" can be read in more than one way.`
    : `${flag} needs an amount, not "${text}".`;
  return new SalonError('usage', message, {
    hint: 'Such as 45 or 45.50: a point before the decimals, nothing between the thousands.',
  });
}
