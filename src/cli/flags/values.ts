import type { Shard } from '../../bulk/jobs/job.ts';
import { decimalsOf, findCurrencyProblem } from '../../contract/currencies.ts';
import { SalonError } from '../../contract/errors.ts';
import { didYouMean } from '../../text/closest.ts';
import { isTimeZone } from '../../time/time.ts';
import { parseWeekHours, renderWeekHours } from '../../time/week-hours.ts';

export const formats = ['table', 'json', 'ndjson', 'csv', 'xlsx'] as const;

export type Format = (typeof formats)[number];

/** Finds a format by name. Throws `usage`, naming the flag. */
export function parseFormat(text: string, flag = '--format'): Format {
  const format = formats.find((name) => name === text);
  if (format !== undefined) return format;
  throw new SalonError('usage', `${flag} cannot be "${text}".${didYouMean(text, formats)}`, {
    hint: `Formats: ${formats.join(', ')}`,
  });
}

/** A whole number, at least `least` (default: 1). Throws `usage`, naming the flag. */
export function parseCount(text: string, flag: string, { least = 1 }: { readonly least?: number } = {}) {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least) return count;
  throw new SalonError('usage', `${flag} needs a whole number, ${least} or more, not "${text}".`);
}

/** Requests at the same time, 1 to 64. Throws `usage`, naming the flag. */
export function parseConcurrency(text: string, flag = '--concurrency'): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= 64) return count;
  throw new SalonError('usage', `${flag} needs a whole number from 1 to 64, not "${text}".`, {
    hint: 'The default is 8.',
  });
}

/** `true` or `false`. Throws `usage`, naming the setting. */
export function parseBooleanFlag(text: string, name: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new SalonError('usage', `${name} must be true or false, not "${text}".`);
}

/** Splits `name=value` at the first `=`. Throws `usage`, naming the flag. */
export function parseKeyValue(text: string, flag = '--param'): readonly [key: string, value: string] {
  const middle = text.indexOf('=');
  if (middle > 0) return [text.slice(0, middle), text.slice(middle + 1)];
  throw new SalonError('usage', `${flag} needs name=value, not "${text}".`);
}

/** The parts of `a,b,c`, trimmed. Throws `usage`, naming the flag, where one is empty. */
export function parseList(text: string, flag: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every((part) => part !== '')) return parts;
  throw new SalonError('usage', `${flag} needs a comma-separated list, e.g. a,b, not "${text}".`);
}

/** The words of a list, each once, in the order of all that are known. Throws `usage` for an unknown one. */
export function parseWords<Word extends string>(
  text: string,
  flag: string,
  { one, all, notes = '' }: { readonly one: string; readonly all: readonly Word[]; readonly notes?: string },
): readonly Word[] {
  const words = parseList(text, flag);
  const unknown = words.find((word) => !all.some((known) => known === word));
  if (unknown === undefined) return all.filter((known) => words.includes(known));
  throw new SalonError('usage', `Unknown ${one} "${unknown}".${didYouMean(unknown, all)}`, {
    hint: `${one[0]?.toUpperCase()}${one.slice(1)}s: ${all.join(', ')}${notes}`,
  });
}

/** A name that is not blank, trimmed. Throws `usage`. */
export function parseName(text: string): string {
  if (text.trim() !== '') return text.trim();
  throw new SalonError('usage', '--name must not be empty.');
}

const perHour: Readonly<Record<string, number>> = { h: 1, m: 60, s: 3600 };

/** `5000/h`, `100/m` or `2/s` as requests per hour. Throws `usage`, naming the flag. */
export function parseRate(text: string, flag = '--rate'): number {
  const [, amount, unit = ''] = /^(\d{1,9})\/([hms])$/.exec(text) ?? [];
  const rate = Number(amount) * (perHour[unit] ?? Number.NaN);
  if (rate > 0) return rate;
  throw new SalonError('usage', `${flag} needs requests per hour, minute or second, not "${text}".`, {
    hint: 'For example 5000/h, 100/m or 2/s.',
  });
}

/** Maximum retries, 0 to 99. Throws `usage`, naming the flag. */
export function parseRetries(text: string, flag: string): number {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw new SalonError('usage', `${flag} takes a whole number from 0 to 99, not "${text}".`, {
    hint: 'The default is 5.',
  });
}

/** An IANA zone name, such as `Europe/Berlin`. Throws `usage`, naming the setting. */
export function parseTimeZone(text: string, name: string): string {
  if (isTimeZone(text)) return text;
  throw new SalonError('usage', `${name} needs a time zone, not "${text}".`, {
    hint: 'Use a name such as Europe/Berlin or UTC.',
  });
}

/** Weekly hours, such as `mon-fri 9-18, sat 9-14`, in their usual form. Throws `usage`, naming the setting. */
export function parseOpeningHours(text: string, name: string): string {
  const week = parseWeekHours(text);
  if (week !== undefined) return renderWeekHours(week);
  throw new SalonError('usage', `${name} needs weekly opening hours, not "${text}".`, {
    hint: 'For example "mon-fri 9-18, sat 9-14" or "tue-sat 9:30-13:00 14:00-18:30".',
  });
}

/** `2/4` as the second of four parts. Throws `usage`. */
export function parseShard(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw new SalonError('usage', `--shard needs a part and the number of parts, not "${text}".`, {
    hint: 'For example 1/4, 2/4, 3/4 and 4/4 for four jobs.',
  });
}

/**
 * Parses an amount such as `45`, `45.5` or `45.00` into minor units of its currency, without rounding. Throws `usage`,
 * naming the flag, for anything ambiguous.
 */
export function parseAmountFlag(
  text: string,
  { currency, flag }: Readonly<Record<'currency' | 'flag', string>>,
): number {
  const decimals = decimalsOf(parseStoredCurrency(currency, '--currency')) ?? 0;
  const { whole, fraction } = readAmount(text, flag);
  if (fraction.length > decimals) {
    throw new SalonError('usage', `${flag} ${text} has too many decimals: ${currency} has ${decimals}.`, {
      hint: 'Amounts are not rounded. Enter the exact amount.',
    });
  }
  const minorUnits = Number(whole + fraction.padEnd(decimals, '0'));
  if (Number.isSafeInteger(minorUnits)) return minorUnits;
  throw new SalonError('usage', `${flag} ${text} is too large.`);
}

/** The digits of an amount in any currency. Throws `usage`, naming the flag, for anything ambiguous. */
export function readAmount(text: string, flag: string) {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw notAnAmount(text, flag);
  return { whole, fraction };
}

/** The code of a known currency, in capitals. Throws `usage`. */
export function parseCurrency(text: string, name = '--currency', hint?: string): string {
  const currency = text.toUpperCase();
  const problem = findCurrencyProblem(name, currency);
  if (problem === undefined) return currency;
  throw new SalonError('usage', problem, hint === undefined ? {} : { hint });
}

/** As `parseCurrency`, but prices stay in a currency that was withdrawn until the salon has another. */
export function parseStoredCurrency(text: string, name: string): string {
  return decimalsOf(text) === undefined ? parseCurrency(text, name) : text;
}

function notAnAmount(text: string, flag: string): SalonError {
  const isAmbiguous = /^[\d.,' ]+$/.test(text) && /\d/.test(text);
  const message = isAmbiguous ? `${flag} "${text}" is ambiguous.` : `${flag} needs an amount, not "${text}".`;
  return new SalonError('usage', message, {
    hint: 'Write 45 or 45.50: a point before the decimals, no thousands separators.',
  });
}

/** Why a text is refused, for a prompt; undefined if it is not. */
export function whyRefused(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof SalonError) return error.message;
    throw error;
  }
}

/** Values of `--faults`. */
export const failureNames = ['429', '503', '500', 'timeout', 'cut', 'lost'] as const;

export type FailureName = (typeof failureNames)[number];

/** Parses a list such as `429,timeout`. Throws `usage` for an unknown name. */
export function parseFailures(text: string, flag: string): readonly FailureName[] {
  const notes = ' (cut: half a response; lost: applied without a response).';
  return parseWords(text.toLowerCase(), flag, { one: 'failure', all: failureNames, notes });
}
