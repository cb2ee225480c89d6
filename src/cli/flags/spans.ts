import { SalonError } from '../../contract/errors.ts';
import { createZoneClock } from '../../contract/time.ts';
import { type MomentContext, parseMoment } from './days.ts';

type Unit = 'd' | 'w' | 'mo' | 'y';

interface Span {
  readonly count: number;
  readonly unit: Unit;
}

const units: Readonly<Record<string, Unit>> = {
  ...{ d: 'd', day: 'd', days: 'd', w: 'w', week: 'w', weeks: 'w' },
  ...{ mo: 'mo', month: 'mo', months: 'mo', y: 'y', year: 'y', years: 'y' },
};

type DayContext = Pick<MomentContext, 'now' | 'timeZone'>;

/**
 * The start of the day so long ago, such as `6mo`, `26w`, `180d` or `1y`, or of a day or time as `parseMoment` reads
 * it, as a UTC instant. Throws `usage`, naming the flag, for anything else and for the future.
 */
export function parseAgo(text: string, flag: string, context: DayContext): string {
  const span = parseSpan(text.trim().replace(/^-|\s+ago$/g, ''));
  const day = span === undefined ? text : addSpan(today(context), { ...span, count: -span.count });
  const instant = parseMoment(day, { ...context, edge: 'start' });
  if (Date.parse(instant) <= context.now.getTime()) return instant;
  throw new SalonError('usage', `${flag} needs a time in the past, not "${text}".`, {
    hint: 'For example 6mo, 90d or 2026-05-22.',
  });
}

/** Today and the day so far ahead, as `YYYY-MM-DD`. Throws `usage`, naming the flag. */
export function parseAhead(
  text: string,
  flag: string,
  context: DayContext,
): { readonly from: string; readonly to: string } {
  const span = parseSpan(text.trim().replace(/^\+/, ''));
  const from = today(context);
  const to = span === undefined ? undefined : addSpan(from, span);
  if (to !== undefined && to <= addSpan(from, { count: 1, unit: 'y' })) return { from, to };
  throw new SalonError('usage', `${flag} needs a time of at most a year, not "${text}".`, {
    hint: 'For example 7d, 2w or 1mo.',
  });
}

function parseSpan(text: string): Span | undefined {
  const [, count, word = ''] = /^(\d{1,5})\s*([a-z]+)$/i.exec(text) ?? [];
  const unit = Object.hasOwn(units, word.toLowerCase()) ? units[word.toLowerCase()] : undefined;
  return unit === undefined ? undefined : { count: Number(count), unit };
}

/** The same day of another month, or the last one of a shorter month. */
function addSpan(day: string, { count, unit }: Span): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  if (unit === 'd' || unit === 'w') {
    return toDay(Date.UTC(year, month - 1, date + count * (unit === 'w' ? 7 : 1)));
  }
  const months = month - 1 + count * (unit === 'y' ? 12 : 1);
  const lastDate = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
  return toDay(Date.UTC(year, months, Math.min(date, lastDate)));
}

function today({ now, timeZone }: DayContext): string {
  return toDay(createZoneClock(timeZone).wall(now.getTime()));
}

function toDay(wallMs: number): string {
  const date = new Date(wallMs);
  if (date.getTime() >= Date.UTC(1, 0) && date.getTime() < Date.UTC(10_000, 0)) {
    return date.toISOString().slice(0, 10);
  }
  throw new SalonError('usage', 'That is too far away.', { hint: 'For example 6mo, 90d or 2026-05-22.' });
}
