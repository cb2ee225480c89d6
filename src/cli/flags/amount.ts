import { SalonError } from '../../contract/errors.ts';
import { decimalsOf } from '../../contract/numbers.ts';

/** The currency of an amount, and the flag that gave it. */
export interface AmountContext {
  readonly currency: string;
  readonly flag: string;
}

/**
 * Parses an amount such as `45`, `45.5` or `45.00` into minor units of its currency, without rounding. Throws `usage`,
 * naming the flag, for anything ambiguous.
 */
export function parseAmountFlag(text: string, { currency, flag }: AmountContext): number {
  const decimals = requireDecimals(currency);
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw notAnAmount(text, flag);
  if (fraction.length > decimals) {
    throw new SalonError('usage', `${flag} ${text} has too many decimals: ${currency} has ${decimals}.`, {
      hint: 'Amounts are not rounded. Enter the exact amount.',
    });
  }
  const minorUnits = Number(whole + fraction.padEnd(decimals, '0'));
  if (Number.isSafeInteger(minorUnits)) return minorUnits;
  throw new SalonError('usage', `${flag} ${text} is too large.`);
}

/** The code of a known currency, in capitals. Throws `usage`, naming the flag. */
export function parseCurrency(text: string, flag = '--currency'): string {
  const currency = text.toUpperCase();
  if (decimalsOf(currency) !== undefined) return currency;
  throw new SalonError('usage', `Unknown currency "${text}" in ${flag}.`, {
    hint: 'Use an ISO 4217 code, e.g. EUR, USD or JPY.',
  });
}

function requireDecimals(currency: string): number {
  return decimalsOf(parseCurrency(currency)) ?? 0;
}

function notAnAmount(text: string, flag: string): SalonError {
  const isAmbiguous = /^[\d.,' ]+$/.test(text) && /\d/.test(text);
  const message = isAmbiguous ? `${flag} "${text}" is ambiguous.` : `${flag} needs an amount, not "${text}".`;
  return new SalonError('usage', message, {
    hint: 'Write 45 or 45.50: a point before the decimals, no thousands separators.',
  });
}
