import { SalonError } from '../../contract/errors.ts';
import { addMonths, monthNames, startOfDay, startOfMonth } from '../../time/local-days.ts';
import { createZoneClock, dayMs, type ZoneClock } from '../../time/time.ts';
import { findSpan, type MomentContext, parseSpan } from './moments.ts';

/** From `from` up to, not including, `to`: local times of the salon, in milliseconds as if they were UTC. */
export interface LocalSpan {
  readonly from: number;
  readonly to: number;
}

/** The time that a report covers, and the time it is compared with. */
export interface Period extends LocalSpan {
  /** Whether it was cut at the end of today. */
  readonly isSoFar: boolean;
  readonly before: LocalSpan;
}

export interface PeriodContext extends MomentContext {
  /** Whether a period that is not over ends with today: what has not happened yet counts nowhere. */
  readonly endsToday: boolean;
}

export interface PeriodFlags {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** `last-week`, `last week`, `2026-10` … */
  readonly period?: string | undefined;
}

const maxYears = 50;

const monthsByName = monthNames.map((name) => name.toLowerCase());
const hint =
  'For example last week, this month, last 30 days, october, 2026-10, 2026, yesterday, a stylist, or --from and --to.';

/** Names of periods that completion offers; `parsePeriod` knows more. */
export const periodNames = [
  ...['today', 'yesterday', 'this-week', 'last-week', 'next-week', 'this-month', 'last-month', 'next-month'],
  ...['this-quarter', 'last-quarter', 'this-year', 'last-year', 'last-7-days', 'last-30-days'],
] as const;

/** Parses a period of a report. Throws `usage`. */
export function parsePeriod({ from, to, period }: PeriodFlags, context: PeriodContext): Period {
  const zone = createZoneClock(context.timeZone);
  if (from === undefined && to === undefined) return parseNamed(period ?? 'last-week', context, zone);
  if (period !== undefined) {
    throw new SalonError('usage', `Pass either a period (${period}) or --from and --to, not both.`);
  }
  if (from === undefined) {
    throw new SalonError('usage', '--to needs --from.', { hint });
  }
  const start = parseSpan(from, context);
  // As in the range of a list, a weekday is the first one from the start on.
  const end = to === undefined ? undefined : parseSpan(to, { ...context, sinceMs: start.startMs });
  const span = {
    from: zone.wall(start.startMs),
    to: end === undefined ? todayOf(context, zone) + dayMs : zone.wall(end.endMs),
  };
  if (span.to <= span.from) {
    const end = to === undefined ? 'and the period ends today' : `but --to ${to} is not after it`;
    throw new SalonError('usage', `The period starts with --from ${from}, ${end}.`, {
      hint: 'Pass an earlier --from or a later --to.',
    });
  }
  if (span.to - span.from > maxYears * 366 * dayMs) {
    throw new SalonError('usage', `A report covers at most ${maxYears} years.`, {
      hint: 'Pass a later --from.',
    });
  }
  return { ...span, isSoFar: false, before: findBefore(span) };
}

function parseNamed(text: string, context: PeriodContext, zone: ZoneClock): Period {
  const words = text
    .trim()
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean)
    .join('-');
  const today = todayOf(context, zone);
  const whole =
    parseRelative(words, today) ?? parseCalendarUnit(words, today) ?? parseDayOrWeek(text, context, zone);
  if (whole === undefined) throw new SalonError('usage', `"${text}" is not a period.`, { hint });
  const tomorrow = today + dayMs;
  const isSoFar = context.endsToday && whole.from < tomorrow && whole.to > tomorrow;
  if (!isSoFar) return { ...whole, isSoFar, before: findBefore(whole) };
  const span = { from: whole.from, to: tomorrow };
  return { ...span, isSoFar, before: shiftPart(span, whole) };
}

/** The same days of the unit before, such as 1–22 October for the first 22 days of November. */
function shiftPart(part: LocalSpan, whole: LocalSpan): LocalSpan {
  const months = monthsBetween(whole);
  if (months === undefined) {
    const lengthMs = whole.to - whole.from;
    return { from: part.from - lengthMs, to: part.to - lengthMs };
  }
  const lastDay = addMonths(part.to - dayMs, -months);
  return { from: addMonths(part.from, -months), to: Math.min(lastDay + dayMs, part.from) };
}

/** The span before of the same length; whole months are compared with as many whole months. */
export function findBefore(span: LocalSpan): LocalSpan {
  const months = monthsBetween(span);
  const from = months === undefined ? 2 * span.from - span.to : addMonths(span.from, -months);
  return { from, to: span.from };
}

function parseRelative(words: string, today: number): LocalSpan | undefined {
  const [, which, unit] = /^(this|last|next)-(month|quarter|year)$/.exec(words) ?? [];
  if (unit !== undefined) {
    const step = which === 'this' ? 0 : which === 'last' ? -1 : 1;
    const months = unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12;
    const month = new Date(today).getUTCMonth();
    const from = addMonths(startOfMonth(today), step * months - (month % months));
    return { from, to: addMonths(from, months) };
  }
  const [, amount, units] = /^last-(\d{1,4})-(day|week|month)s?$/.exec(words) ?? [];
  const count = Number(amount);
  if (units === undefined || count === 0) return undefined;
  const to = today + dayMs;
  if (units === 'month') return { from: addMonths(to, -count), to };
  return { from: to - count * (units === 'week' ? 7 : 1) * dayMs, to };
}

/** A year, a quarter or a month. */
function parseCalendarUnit(words: string, today: number): LocalSpan | undefined {
  const [, name = '', ofYear] = /^([a-z]{3,9})(?:-(\d{4}))?$/.exec(words) ?? [];
  const named = monthsByName.findIndex((month) => month === name || month.slice(0, 3) === name);
  const thisYear = new Date(today).getUTCFullYear();
  if (named >= 0) {
    const inYear = Date.UTC(Number(ofYear ?? thisYear), named);
    const from = ofYear === undefined && inYear > today ? addMonths(inYear, -12) : inYear;
    return { from, to: addMonths(from, 1) };
  }
  const [, year, month, quarter] = /^(\d{4})(?:-(\d{2})|-q([1-4]))?$/.exec(words) ?? [];
  if (year === undefined || Number(year) < 1000) return undefined;
  const first = month === undefined ? (Number(quarter ?? 1) - 1) * 3 : Number(month) - 1;
  if (first < 0 || first > 11) return undefined;
  const from = Date.UTC(Number(year), first);
  return { from, to: addMonths(from, month === undefined ? (quarter === undefined ? 12 : 3) : 1) };
}

/** Throws `usage` for a day or week that does not exist, and a day whose month is unclear. */
function parseDayOrWeek(text: string, context: PeriodContext, zone: ZoneClock): LocalSpan | undefined {
  const span = findSpan(text, context);
  if (span === undefined) return undefined;
  const [from, to] = [zone.wall(span.startMs), zone.wall(span.endMs)];
  // A time of day is no period.
  return from % dayMs === 0 && to > from && to % dayMs === 0 ? { from, to } : undefined;
}

function todayOf({ now }: PeriodContext, zone: ZoneClock): number {
  return startOfDay(zone.wall(now.getTime()));
}

/** The number of months that a span covers exactly; undefined for any other span. */
export function monthsBetween({ from, to }: LocalSpan): number | undefined {
  if (from !== startOfMonth(from) || to !== startOfMonth(to)) return undefined;
  const [start, end] = [new Date(from), new Date(to)];
  return (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
}
