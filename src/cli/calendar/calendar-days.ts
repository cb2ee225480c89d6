import { SalonError } from '../../contract/errors.ts';
import { renderLongDay, renderShortDay } from '../../contract/spoken-day.ts';
import { createZoneClock, dayMs, type ZoneClock } from '../../contract/time.ts';
import { findMoment } from '../flags/days.ts';

/** From `startMs` up to, not including, `endMs`. */
export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** One day in a time zone; 23 or 25 hours long when the clocks change. */
export interface CalendarDay extends TimeSpan {
  /** Local midnight, written as if it were UTC. */
  readonly dateMs: number;
}

/** A change of the clocks within a day. */
interface ClockChange {
  /** First instant of the new time. */
  readonly atMs: number;
  /** Positive if the clocks go forward, negative if they go back. */
  readonly byMs: number;
}

/** Local time during one day. */
export interface DayClock extends Pick<ZoneClock, 'wall'> {
  readonly change: ClockChange | undefined;
  /** `09:30`; a time that occurs twice that day ends in `A` or `B`. */
  text(instantMs: number): string;
}

/** A time span within one day. */
export interface SpanText {
  /** `09:45`; starts with `‹` if it is on an earlier day. */
  readonly from: string;
  /** `10:30`; ends with `›` if it is on a later day, and is `?` where it is not known. */
  readonly to: string;
  /** `09:45–10:30`. */
  readonly whole: string;
}

/** The day to show, or all seven of its week from Monday. Throws `usage` for a text that is not a day. */
export function parseCalendarDays(
  text: string,
  { isWeek, now, timeZone }: { readonly isWeek: boolean; readonly now: Date; readonly timeZone: string },
): readonly CalendarDay[] {
  const zone = createZoneClock(timeZone);
  const startMs = Date.parse(parseStart(text, now, timeZone));
  const day = toCalendarDay(startMs, zone);
  if (!isWeek) return [day];
  const sinceMonday = (new Date(day.dateMs).getUTCDay() + 6) % 7;
  return Array.from({ length: 7 }, (_, index) => toCalendarDay(startMs, zone, index - sinceMonday));
}

/** The day an instant falls on, plus `days`. */
export function toCalendarDay(instantMs: number, zone: ZoneClock, days = 0): CalendarDay {
  const dateMs = (Math.floor(zone.wall(instantMs) / dayMs) + days) * dayMs;
  return { dateMs, startMs: zone.earliest(dateMs), endMs: zone.earliest(dateMs + dayMs) };
}

export function isWithin(instantMs: number | undefined, { startMs, endMs }: TimeSpan): boolean {
  return instantMs !== undefined && instantMs >= startMs && instantMs < endMs;
}

export function overlaps(one: TimeSpan, other: TimeSpan): boolean {
  return one.startMs < other.endMs && one.endMs > other.startMs;
}

export function createDayClock(day: CalendarDay, timeZone: string): DayClock {
  const zone = createZoneClock(timeZone);
  const change = findClockChange(day, zone);
  const text = (instantMs: number) => wallText(zone.wall(instantMs)) + markTwice(instantMs, change);
  return { change, wall: zone.wall, text };
}

/** A clock that never changes, for times counted from midnight. */
export const plainClock: DayClock = { change: undefined, wall: (ms) => ms, text: wallText };

/** Local time since the midnight of a day. */
export function createSinceMidnight(timeZone: string): (instantMs: number, day: CalendarDay) => number {
  const { wall } = createZoneClock(timeZone);
  return (instantMs, { dateMs }) => wall(instantMs) - dateMs;
}

/** Says that the clocks change; undefined on an ordinary day. */
export function describeClockChange({ change, wall }: DayClock): string | undefined {
  if (change === undefined) return undefined;
  const [before, after] = [wallText(wall(change.atMs) - change.byMs), wallText(wall(change.atMs))];
  if (change.byMs > 0) return `The clocks go forward from ${before} to ${after}.`;
  return `The clocks go back from ${before} to ${after}. Times that occur twice are marked A and B.`;
}

export function createSpanText(
  { startMs, endMs }: CalendarDay,
  clock: DayClock,
): (span: TimeSpan & { readonly isOpenEnded?: boolean }) => SpanText {
  return (span) => {
    const from = `${span.startMs < startMs ? '‹' : ''}${clock.text(span.startMs)}`;
    const end = `${clock.text(span.endMs)}${span.endMs > endMs ? '›' : ''}`;
    const to = span.isOpenEnded === true ? '?' : end;
    return { from, to, whole: `${from}–${to}` };
  };
}

/** `Tuesday 24 November 2026`. */
export function renderDate({ dateMs }: CalendarDay): string {
  return renderLongDay(dateMs);
}

/** `Tue 24 Nov`. */
export function renderShortDate({ dateMs }: CalendarDay): string {
  return renderShortDay(dateMs);
}

function parseStart(text: string, now: Date, timeZone: string): string {
  const start = findMoment(text, { now, timeZone, edge: 'start' });
  if (start !== undefined) return start;
  throw new SalonError('usage', `"${text}" is not a day.`, {
    hint: 'Try today, tomorrow, fri, next fri, +7d, 24/11/2026 or 2026-11-24.',
  });
}

function findClockChange(
  { startMs, endMs }: CalendarDay,
  { wall, findOffsetChange }: ZoneClock,
): ClockChange | undefined {
  if (endMs <= startMs) return undefined;
  const [before, last] = [startMs - 1, endMs - 1];
  const byMs = wall(last) - last - (wall(before) - before);
  return byMs === 0 ? undefined : { atMs: findOffsetChange(before, last), byMs };
}

function markTwice(instantMs: number, change: ClockChange | undefined): string {
  if (change === undefined || change.byMs > 0) return '';
  const sinceMs = instantMs - change.atMs;
  if (sinceMs < change.byMs || sinceMs >= -change.byMs) return '';
  return sinceMs < 0 ? 'A' : 'B';
}

function wallText(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(11, 16);
}
