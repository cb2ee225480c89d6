import { SalonError } from '../../contract/errors.ts';
import { ExactNumber } from '../../contract/json.ts';
import { decimalsOf } from '../../contract/numbers.ts';

/** An amount of a payment in minor units; nothing is zero. Throws `unexpected_response` for anything but an integer. */
export function toMinorUnits(
  value: unknown,
  { id, field }: { readonly id: string; readonly field: string },
): Exact {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  const text = typeof value === 'number' || value instanceof ExactNumber ? String(value) : '';
  // An ExactNumber such as 45.50 would be in units, not in cents.
  if (/^-?\d+$/.test(text)) return BigInt(text);
  throw new SalonError(
    'unexpected_response',
    `The ${field} of payment ${id} is not a whole number of minor units, such as cents.`,
    {
      hint: 'This server counts money in another way, so there are no exact figures. Export the payments instead.',
    },
  );
}

/** `1,234.50`, without the currency. Minor units of an unknown currency stay as they are. */
export function renderMoney(minorUnits: bigint, currency: string | undefined): string {
  const decimals = decimalsOf(currency ?? '') ?? 0;
  const digits = String(minorUnits < 0n ? -minorUnits : minorUnits).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${minorUnits < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}

/** An integer without rounding: a number while it is safe, else a BigInt, which costs far more. */
export type Exact = number | bigint;

export function add(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(a) + BigInt(b);
}

export function subtract(a: Exact, b: Exact): Exact {
  return add(a, -b);
}
