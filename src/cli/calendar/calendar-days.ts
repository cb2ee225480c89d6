import { SalonError } from '../../contract/errors.ts';
import { createZoneClock, type ZoneClock } from '../../contract/time.ts';
import { parseMoment } from '../flags/days.ts';
import type { CalendarContents } from './calendar-contents.ts';
import type { Span } from './time-rows.ts';

/** One day of a zone, as long as the clocks make it. */
export interface CalendarDay {
  /** Its first instant, and the first one after it. */
  readonly startMs: number;
  readonly endMs: number;
  /** Its date on the wall, in milliseconds as if the wall were in UTC. */
  readonly dateMs: number;
}

/** A change of the clocks within a day. */
export interface ClockShift {
  /** The first instant of the new time. */
  readonly atMs: number;
  /** How far the clocks go forward; negative where they go back. */
  readonly byMs: number;
}

/** What the wall shows in the course of one day. */
export interface DayClock extends Pick<ZoneClock, 'wall'> {
  readonly shift: ClockShift | undefined;
  /** `09:30`; a time that comes twice in the day has an `A` or a `B` behind it. */
  text(instantMs: number): string;
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The day of a zone in which an instant lies, or the one so many days after it. */
export function toCalendarDay(instantMs: number, zone: ZoneClock, days = 0): CalendarDay {
  const dateMs = (Math.floor(zone.wall(instantMs) / dayMs) + days) * dayMs;
  return { dateMs, startMs: zone.earliest(dateMs), endMs: zone.earliest(dateMs + dayMs) };
}

export function createDayClock({ startMs, endMs }: CalendarDay, timeZone: string): DayClock {
  const { wall } = createZoneClock(timeZone);
  const shift = endMs > startMs ? findShift(wall, startMs, endMs) : undefined;
  return { shift, wall, text: (instantMs) => wallText(wall(instantMs)) + markTwice(instantMs, shift) };
}

/** A wall that is never changed, for times counted from midnight. */
export const plainClock: DayClock = { shift: undefined, wall: (ms) => ms, text: wallText };

/** What a person has to know of a day that is longer or shorter than others. */
export function describeShift({ shift, wall }: DayClock): string | undefined {
  if (shift === undefined) return undefined;
  const [before, after] = [wallText(wall(shift.atMs) - shift.byMs), wallText(wall(shift.atMs))];
  if (shift.byMs > 0) return `The clocks go forward: after ${before} comes ${after}.`;
  return `The clocks go back at ${before} to ${after}: what comes twice is A and B.`;
}

function findShift(wall: ZoneClock['wall'], startMs: number, endMs: number): ClockShift | undefined {
  const offset = (instantMs: number) => wall(instantMs) - instantMs;
  let [low, high] = [startMs - 1, endMs - 1];
  const byMs = offset(high) - offset(low);
  if (byMs === 0) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle) === offset(endMs - 1)) high = middle;
    else low = middle;
  }
  return { atMs: high, byMs };
}

function markTwice(instantMs: number, shift: ClockShift | undefined): string {
  if (shift === undefined || shift.byMs > 0) return '';
  const sinceMs = instantMs - shift.atMs;
  if (sinceMs < shift.byMs || sinceMs >= -shift.byMs) return '';
  return sinceMs < 0 ? 'A' : 'B';
}

function wallText(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(11, 16);
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** `Tuesday 24 November 2026`, of a date in milliseconds as if the wall were in UTC. */
export function renderDate(dateMs: number): string {
  const date = new Date(dateMs);
  return `${renderWeekday(dateMs)} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `Tue 24 Nov`. */
export function renderShortDate(dateMs: number): string {
  const date = new Date(dateMs);
  return `${renderWeekday(dateMs).slice(0, 3)} ${date.getUTCDate()} ${months[date.getUTCMonth()]?.slice(0, 3)}`;
}

function renderWeekday(dateMs: number): string {
  return weekdays[new Date(dateMs).getUTCDay()] ?? '';
}

/** When something is, as one day tells it. */
export interface When {
  /** `09:45`; with `‹` before it of an earlier day. */
  readonly from: string;
  /** `10:30`; with `›` behind it of a later day. */
  readonly to: string;
  /** `09:45–10:30`. */
  readonly whole: string;
}

export function createWhen({ startMs, endMs }: CalendarDay, clock: DayClock): (span: Span) => When {
  return (span) => {
    const from = `${span.startMs < startMs ? '‹' : ''}${clock.text(span.startMs)}`;
    const to = `${clock.text(span.endMs)}${span.endMs > endMs ? '›' : ''}`;
    return { from, to, whole: `${from}–${to}` };
  };
}

export interface AskedDays {
  /** A day as a person writes it; today where it is left out. */
  readonly text: string | undefined;
  readonly isWeek: boolean;
  readonly now: Date;
  readonly timeZone: string;
}

/** The day that is asked for, or the seven from Monday to Sunday around it. Throws `usage`. */
export function readDays({ text = 'today', isWeek, now, timeZone }: AskedDays): readonly CalendarDay[] {
  const zone = createZoneClock(timeZone);
  const startMs = Date.parse(parseDay(text, { now, timeZone }));
  const day = toCalendarDay(startMs, zone);
  if (!isWeek) return [day];
  const sinceMonday = (new Date(day.dateMs).getUTCDay() + 6) % 7;
  return Array.from({ length: 7 }, (_, index) => toCalendarDay(startMs, zone, index - sinceMonday));
}

function parseDay(text: string, context: { readonly now: Date; readonly timeZone: string }): string {
  try {
    return parseMoment(text, { ...context, edge: 'start' });
  } catch (cause) {
    throw new SalonError('usage', `"${text}" is not a day.`, {
      cause,
      hint: 'Such as today, tomorrow, yesterday, +7d, -2w or 2026-11-21.',
    });
  }
}

export interface WeekContents extends CalendarContents {
  readonly days: readonly CalendarDay[];
  readonly timeZone: string;
}

/** `Monday 23 November 2026 to Sunday 29 November 2026`. */
export function renderWeekDates(days: readonly CalendarDay[]): string {
  return `${renderDate(days[0]?.dateMs ?? 0)} to ${renderDate(days.at(-1)?.dateMs ?? 0)}`;
}

/** What has to be known of the days on which the clocks are changed. */
export function describeShifts({ days, timeZone }: WeekContents): readonly string[] {
  return days.flatMap((day) => {
    const shift = describeShift(createDayClock(day, timeZone));
    return shift === undefined ? [] : [`${renderShortDate(day.dateMs)}: ${shift}`];
  });
}

/** Counts the time of one day from its midnight, by the wall. */
export function createWallCount(timeZone: string): (instantMs: number, day: CalendarDay) => number {
  const { wall } = createZoneClock(timeZone);
  return (instantMs, { dateMs }) => wall(instantMs) - dateMs;
}
