import { SalonError } from '../../contract/errors.ts';
import { startOfDay } from '../../time/local-days.ts';
import { findBefore, type LocalSpan, readPeriod, shiftPart } from '../../time/periods.ts';
import { createZoneClock, dayMs } from '../../time/time.ts';
import { findSpan, type MomentContext, parseRange, type Range } from './moments.ts';

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

const maxYears = 50;

const hint =
  'For example last week, this month, last 30 days, october, 2026-10, 2026, yesterday, a stylist, or --from and --to.';

/** Names of periods that completion offers; `parsePeriod` knows more. */
export const periodNames = [
  ...['today', 'yesterday', 'this-week', 'last-week', 'next-week', 'this-month', 'last-month', 'next-month'],
  ...['this-quarter', 'last-quarter', 'this-year', 'last-year', 'last-7-days', 'last-30-days'],
] as const;

/** Parses a period of a report, such as `last-week` or `2026-10`, or its range. Throws `usage`. */
export function parsePeriod(
  { from, to, period }: Range & { readonly period?: string | undefined },
  context: PeriodContext,
): Period {
  if (from === undefined && to === undefined) return parseNamed(period ?? 'last-week', context);
  if (period !== undefined) {
    throw new SalonError('usage', `Pass either a period (${period}) or --from and --to, not both.`);
  }
  if (from === undefined) throw new SalonError('usage', '--to needs --from.', { hint });
  const { wall } = createZoneClock(context.timeZone);
  const range = parseRange({ from, to }, context);
  const span = {
    from: wall(Date.parse(range.from ?? '')),
    to: range.to === undefined ? todayOf(context) + dayMs : wall(Date.parse(range.to)),
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

function parseNamed(text: string, context: PeriodContext): Period {
  const today = todayOf(context);
  const whole = readPeriod(text, today) ?? parseDayOrWeek(text, context);
  if (whole === undefined) throw new SalonError('usage', `"${text}" is not a period.`, { hint });
  const tomorrow = today + dayMs;
  const isSoFar = context.endsToday && whole.from < tomorrow && whole.to > tomorrow;
  if (!isSoFar) return { ...whole, isSoFar, before: findBefore(whole) };
  const span = { from: whole.from, to: tomorrow };
  return { ...span, isSoFar, before: shiftPart(span, whole) };
}

/** Throws `usage` for a day or week that does not exist, and a day whose month is unclear. */
function parseDayOrWeek(text: string, context: PeriodContext): LocalSpan | undefined {
  const { local } = findSpan(text, context) ?? {};
  // A time of day is no period.
  return local === undefined || local.hasTime ? undefined : { from: local.startMs, to: local.endMs };
}

function todayOf({ now, timeZone }: PeriodContext): number {
  return startOfDay(createZoneClock(timeZone).wall(now.getTime()));
}
