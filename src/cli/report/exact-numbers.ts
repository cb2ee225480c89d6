import { decimalsOf } from '../../contract/currencies.ts';
import { SalonError } from '../../contract/errors.ts';
import { ExactNumber } from '../../text/json.ts';
import { renderDecimal } from '../../text/numbers.ts';

/** An amount of a payment in minor units; nothing is zero. Throws `unexpected_response` for anything but an integer. */
export function toMinorUnits(
  value: unknown,
  { id, field }: { readonly id: string; readonly field: string },
): bigint {
  if (value === null || value === undefined) return 0n;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
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
  const text = renderDecimal(minorUnits, decimalsOf(currency ?? '') ?? 0) ?? '';
  return text.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

/** `part` of `whole` in percent with one decimal, rounded half away from zero; null where the whole is zero. */
export function toPercent(part: bigint, whole: bigint): number | null {
  if (whole === 0n) return null;
  const size = whole < 0n ? -whole : whole;
  const isNegative = part < 0n;
  const tenths = ((isNegative ? -part : part) * 2000n + size) / (2n * size);
  return Number(isNegative ? -tenths : tenths) / 10;
}

/** By how much a number changed, in percent of the one before; null where that was zero. */
export function toChangePercent(now: bigint, before: bigint): number | null {
  return toPercent(now - before, before);
}

/** By how many points a rate changed; null where one of the two is not known. */
export function toPoints(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : Math.round((now - before) * 10) / 10;
}
