import { SalonError } from '../../contract/errors.ts';
import { toMinutes } from '../../contract/time.ts';

/** A length such as `45`, `1h30m` or `PT1H30M` as whole minutes. Throws `usage`, naming the flag. */
export function parseMinutes(text: string, flag = '--duration'): number {
  const minutes = toMinutes(text);
  if (minutes !== undefined) return minutes;
  throw new SalonError('usage', `${flag} needs a length in whole minutes, not "${text}".`, {
    hint: 'Such as 45, 45m, 1h30m or PT45M.',
  });
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

// Timers of Node take no more: a longer one would go off at once.
const longestMs = 2_147_483_647;

/** `500ms`, `30s`, `10m` or `1h` as milliseconds. Throws `usage`, naming the flag. */
export function parsePatience(text: string, flag: string): number {
  const [, amount, unit = ''] = /^(\d{1,10}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? [];
  const patienceMs = Math.round(Number(amount) * (unitMs[unit] ?? Number.NaN));
  if (patienceMs > longestMs) throw new SalonError('usage', `${flag} can be 24 days at most, not "${text}".`);
  if (patienceMs >= 0) return patienceMs;
  throw new SalonError('usage', `${flag} needs a time with its unit, not "${text}".`, {
    hint: 'Such as 500ms, 30s, 10m or 1h.',
  });
}

const perHour: Readonly<Record<string, number>> = { h: 1, m: 60, s: 3600 };

/** `5000/h`, `100/m` or `2/s` as requests an hour. Throws `usage`, naming the flag. */
export function parseRate(text: string, flag = '--rate'): number {
  const [, amount, unit = ''] = /^(\d{1,9})\/([hms])$/.exec(text) ?? [];
  const rate = Number(amount) * (perHour[unit] ?? Number.NaN);
  if (rate > 0) return rate;
  throw new SalonError('usage', `${flag} needs a number of requests and their time, not "${text}".`, {
    hint: 'Such as 5000/h, 100/m or 2/s.',
  });
}
