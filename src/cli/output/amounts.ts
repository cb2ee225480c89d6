import { decimalsOf } from '../../contract/numbers.ts';

/** Minor units as people read them, `45.00 EUR`; the bare number where its currency says nothing of decimals. */
export function renderAmount(minorUnits: number, currency: unknown): string {
  const decimals = typeof currency === 'string' ? decimalsOf(currency) : undefined;
  if (decimals === undefined || !Number.isSafeInteger(minorUnits)) return String(minorUnits);
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${minorUnits < 0 ? '-' : ''}${whole}${fraction} ${currency}`;
}
