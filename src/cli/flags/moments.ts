import { SalonError } from '../../contract/errors.ts';
import { closest } from '../../text/closest.ts';
import { renderLongDay, startOfDay, toClockText, toIsoDay, weekdayNames } from '../../time/local-days.ts';
import {
  createZoneClock,
  dayMs,
  hourMs,
  minuteMs,
  parseInstant,
  type TimeSpan,
  toMinutes,
  toUtcText,
} from '../../time/time.ts';
import type { WeekHours } from '../../time/week-hours.ts';
import { readWrittenTime, type TimeContext, type WrittenTime } from '../../time/written-times.ts';

export interface MomentContext {
  readonly now: Date;
  /** IANA name of the time zone for days and local times. */
  readonly timeZone: string;
  /** An instant: weekdays and days without a year are the first ones from its day on, such as the start of a range. */
  readonly sinceMs?: number | undefined;
  /** Whether a day without a year is within a year from then on, as that until which something is repeated. */
  readonly isLater?: boolean | undefined;
  /** Decides between the two readings of "at three". */
  readonly openingHours?: WeekHours | undefined;
  /** Gets a sentence about a start that the clocks show twice. */
  readonly onRepeated?: ((notice: string) => void) | undefined;
  /** Gets the instants of a local time: other rules of the clock may make others of it. */
  readonly onLocal?: ((instantMs: number) => void) | undefined;
}

/** A time as instants. */
export interface WrittenSpan extends TimeSpan {
  /** What was read, and as local time; undefined for an instant, which is the same in every time zone. */
  readonly local?: WrittenTime & TimeSpan;
}

/**
 * Reads a time as people write it; undefined for any other text. `today`, `fri`, `next fri`, `+7d`, `24/11/2026`,
 * `2026-11-21`, `next week`, `week 49` and `sat morning` are spans of local time; `fri 3pm`, `tomorrow 15:00`, `15:00`
 * (today), `half past ten` and `2026-11-21T09:30` are local times; `now`, `+1h30m`, `in 20 minutes` and RFC 3339 are
 * instants: both ends of these are the same. A local time that occurs twice is its first occurrence; a skipped one is
 * the first instant after the gap. Throws `usage` for a text with two readings, and for a day that does not exist.
 */
export function findSpan(text: string, context: MomentContext): WrittenSpan | undefined {
  const instantMs = readInstant(text.trim(), context.now);
  if (instantMs !== undefined) {
    assertInRange(instantMs, text);
    return { startMs: instantMs, endMs: instantMs };
  }
  const written = readWrittenTime(text, toTimeContext(context));
  if (written?.problem !== undefined) {
    throw new SalonError('usage', written.problem.message, { hint: written.problem.hint });
  }
  const [reading] = written?.readings ?? [];
  if (written === undefined || reading === undefined) return undefined;
  for (const ms of [reading.startMs, reading.endMs]) assertInRange(ms, text);
  const { earliest } = createZoneClock(context.timeZone);
  const span = { startMs: earliest(reading.startMs), endMs: earliest(reading.endMs) };
  for (const ms of [span.startMs, span.endMs]) context.onLocal?.(ms);
  return { ...span, local: { ...written, ...reading } };
}

/** Reads a time as `findSpan` does. Throws `usage` for any other text. */
export function parseSpan(text: string, context: MomentContext): TimeSpan {
  const span = findSpan(text, context);
  if (span !== undefined) return span;
  throw notATime(text);
}

/** One edge of a time as `findSpan` reads it, as a UTC instant ending in `Z`. Throws `usage`. */
export function parseMoment(
  text: string,
  { edge, ...context }: MomentContext & { readonly edge: 'start' | 'end' },
): string {
  const { startMs, endMs } = parseSpan(text, context);
  return toUtcText(edge === 'start' ? startMs : endMs);
}

/** The salon's calendar has no minutes in between: what counts from now is rounded up to the next of these. */
const stepMs = 5 * minuteMs;

/**
 * The start of an appointment, as a UTC instant; undefined for a text that is no date or time. A day without a year is
 * one to come; `now` and `in 20 minutes` are the next whole five minutes. Throws `usage` for a day without a time, and
 * for a local time that a clock change skips.
 */
export function findStart(text: string, context: MomentContext): string | undefined {
  const { now, timeZone, onRepeated } = context;
  const found = findSpan(text, { ...context, sinceMs: now.getTime() });
  if (found?.local === undefined) {
    const isCounted = findShift(text) !== undefined;
    return found && toUtcText(isCounted ? Math.ceil(found.startMs / stepMs) * stepMs : found.startMs);
  }
  const { startMs, local } = found;
  const { startMs: wallMs, endMs } = local;
  if (wallMs < endMs) {
    const isDay = !local.hasTime && endMs === wallMs + dayMs;
    const hint = isDay ? `Add one, e.g. "${text} 15:00".` : 'Write a time such as 15:00 or 3pm.';
    throw new SalonError('usage', `"${text}" is not a time of day.`, { hint });
  }
  const [first, other] = createZoneClock(timeZone).instants(wallMs);
  if (first === undefined) {
    throw new SalonError('usage', `"${text}" does not exist in ${timeZone}: clocks go forward then.`, {
      hint: 'Choose another time.',
    });
  }
  // "fri 3pm", written on a Friday at four.
  if (local.isWeekday && startMs < now.getTime()) {
    throw new SalonError('usage', `"${text}" is earlier today.`, {
      hint: 'For next week, write "next" before the weekday; for today, write "today".',
    });
  }
  if (other !== undefined) {
    const [one, two] = [first, other].map((ms) => toOffsetText(ms, wallMs));
    onRepeated?.(`Clocks go back: "${text}" is taken as ${one}. For the second time, write ${two}.`);
  }
  return toUtcText(startMs);
}

/** `2026-10-25T02:30+01:00` */
export function toOffsetText(instantMs: number, wallMs: number): string {
  const offset = new Date(Math.abs(wallMs - instantMs)).toISOString().slice(11, 16);
  return `${new Date(wallMs).toISOString().slice(0, 16)}${wallMs < instantMs ? '-' : '+'}${offset}`;
}

/** Reads a start as `findStart` does. Throws `usage` for any other text. */
export function parseStart(text: string, context: MomentContext): string {
  const start = findStart(text, context);
  if (start !== undefined) return start;
  throw notATime(text);
}

/** A time span as flags give it, or as UTC instants; an open end is undefined. */
export interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Parses `--from` and `--to` into UTC instants, the second exclusive. A weekday or time alone in `--to` is the first one
 * from `--from` on; a day in it is included. Throws `usage`, also for a range that ends before it begins.
 */
export function parseRange({ from, to }: Range, context: MomentContext): Range {
  const start = from === undefined ? undefined : parseSpan(from, context);
  const end = to === undefined ? undefined : parseSpan(to, { ...context, sinceMs: start?.startMs });
  const isBackwards = start && end && end.startMs < start.startMs && end.endMs <= start.startMs;
  if (isBackwards) {
    const { wall } = createZoneClock(context.timeZone);
    const [first, last] = [wall(start.startMs), wall(end.endMs - 1)];
    const isOneDay = startOfDay(first) === startOfDay(last);
    const span = isOneDay
      ? `from ${toClockText(first)} to ${toClockText(last + 1)}`
      : `from ${renderLongDay(first)} to ${renderLongDay(last)}`;
    throw new SalonError('usage', `The range ends before it begins: ${span}.`, {
      hint: `Swap ${from} and ${to}, or correct one of them.`,
    });
  }
  return { from: start && toUtcText(start.startMs), to: end && toUtcText(end.endMs) };
}

/**
 * The start of the day so long ago, such as `6mo`, `26 weeks`, `180d` or `1y`, or of a day or time as `findSpan` reads it,
 * as a UTC instant. Throws `usage`, naming the flag, for anything else and for the future.
 */
export function parseAgo(text: string, flag: string, context: MomentContext): string {
  const days = toCountedDays(text.trim().replace(/^-|\s+ago$/g, ''));
  const { startMs } = parseSpan(days === undefined ? text : `-${days}`, context);
  if (startMs <= context.now.getTime()) return toUtcText(startMs);
  throw new SalonError('usage', `${flag} needs a time in the past, not "${text}".`, {
    hint: 'For example 6mo, 90d or 2026-05-22.',
  });
}

/** Today and the day so far ahead, as `YYYY-MM-DD`. Throws `usage`, naming the flag. */
export function parseAhead(
  text: string,
  flag: string,
  context: MomentContext,
): { readonly from: string; readonly to: string } {
  const { todayMs } = toTimeContext(context);
  const dayOf = (days: string) =>
    readWrittenTime(`+${days}`, { todayMs })?.readings[0]?.startMs ?? Number.NaN;
  const toMs = dayOf(toCountedDays(text.trim().replace(/^\+/, '')) ?? '');
  if (toMs <= dayOf('1y')) return { from: toIsoDay(todayMs), to: toIsoDay(toMs) };
  throw new SalonError('usage', `${flag} needs a time of at most a year, not "${text}".`, {
    hint: 'For example 7d, 2w or 1mo.',
  });
}

/** `6mo` for `6 months`; undefined for anything but a number of days, weeks, months or years. */
function toCountedDays(text: string): string | undefined {
  const [, count, unit] = /^(\d{1,5})\s*(d|w|mo|y|(?:day|week|month|year)s?)$/i.exec(text) ?? [];
  return unit === undefined ? undefined : `${count}${/^mo|^./i.exec(unit)?.[0]}`;
}

/** A duration such as `45`, `1h30m` or `PT1H30M` as whole minutes. Throws `usage`, naming the flag. */
export function parseMinutes(text: string, flag = '--duration'): number {
  const minutes = toMinutes(text);
  if (minutes !== undefined) return minutes;
  throw new SalonError('usage', `${flag} needs a duration in whole minutes, not "${text}".`, {
    hint: 'For example 45, 45m, 1h30m or PT45M.',
  });
}

const dayWords = ['today', 'tomorrow', 'morning', 'afternoon', 'evening', ...weekdayNames];

/** The word about a day that one of a text nearly is: `tomorrow` for `Mia cut tomorow`. */
export function findMistypedDay(text: string): string | undefined {
  for (const word of text.toLowerCase().split(/\s+/)) {
    const day = closest(word, dayWords, word.length < 7 ? 1 : 2);
    // "Frida" and "Monda" are names.
    if (day && day.toLowerCase() !== word && word.length >= Math.min(day.length, 6)) return day;
  }
  return undefined;
}

function notATime(text: string, what = 'a date or time'): SalonError {
  return new SalonError('usage', `"${text}" is not ${what}.`, {
    hint: 'For example today, fri 3pm, tomorrow 15:00, next week, +7d, 24/11/2026 or 2026-11-21T09:30.',
  });
}

/**
 * Milliseconds from a moment that is known: `now`, `+3h`, `-30m`, `+1h30m`, `in 20 minutes`. Undefined for any other
 * text.
 */
export function findShift(text: string): number | undefined {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^now$/, '+0m')
    .replace(/^in half an hour$/, '+30m')
    .replace(/^in an hour$/, '+1h')
    .replace(/^in (?=\d)/, '+');
  const [, sign, hours, minutes] =
    /^([+-])(?=\d)(?:(\d{1,6}) ?(?:h|hours?))?(?: ?(\d{1,6}) ?(?:m|min|mins|minutes?))?$/.exec(plain) ?? [];
  if (sign === undefined) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * hourMs + Number(minutes ?? 0) * minuteMs);
}

/** What `findShift` reads, or RFC 3339, where a space may replace the T and seconds may be missing. */
function readInstant(text: string, now: Date): number | undefined {
  const shift = findShift(text);
  if (shift !== undefined) return now.getTime() + shift;
  const [, day, time, seconds = ':00', zone] =
    /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(z|[+-]\d{2}:\d{2})$/i.exec(text) ?? [];
  return zone === undefined ? undefined : parseInstant(`${day}T${time}${seconds}${zone}`)?.ms;
}

function toTimeContext({ now, timeZone, sinceMs, isLater, openingHours }: MomentContext): TimeContext {
  const { wall } = createZoneClock(timeZone);
  return {
    openingHours,
    isLater,
    todayMs: startOfDay(wall(now.getTime())),
    sinceMs: sinceMs === undefined ? undefined : startOfDay(wall(sinceMs)),
  };
}

/** Throws `usage` for a year that no time is read in. */
function assertInRange(ms: number, text: string): void {
  if (ms >= Date.UTC(1000, 0) && ms < Date.UTC(10_000, 0)) return;
  throw notATime(text, 'in the years 1000 to 9999');
}
