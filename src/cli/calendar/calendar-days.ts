import { SalonError } from '../../contract/errors.ts';
import { startOfDay, startOfWeek, toClockText } from '../../time/local-days.ts';
import { createZoneClock, dayMs, type TimeSpan, type ZoneClock } from '../../time/time.ts';
import { findSpan, type MomentContext } from '../flags/moments.ts';

/** One day in a time zone; 23 or 25 hours long when the clocks change. */
export interface CalendarDay extends TimeSpan {
  /** Local midnight, written as if it were UTC. */
  readonly dateMs: number;
}

/** Local time during one day. */
export type DayClock = ReturnType<typeof createDayClock>;

/** What the lines of a calendar need of it. */
export type LineClock = Pick<DayClock, 'change' | 'wall' | 'text'>;

/** A time span as text, seen from one day. */
export interface SpanText {
  /** `09:45`; starts with `‹` if it is on an earlier day. */
  readonly from: string;
  /** `10:30`; ends with `›` if it is on a later day, and is `?` where it is not known. */
  readonly to: string;
  /** `09:45–10:30`, or `all day`. */
  readonly whole: string;
}

/**
 * The day to show, or all seven of its week from Monday, also where the text is a week. Throws `usage` for a text that
 * is not a day.
 */
export function parseCalendarDays(
  text: string,
  { isWeek, ...moments }: MomentContext & { readonly isWeek: boolean },
): readonly CalendarDay[] {
  const zone = createZoneClock(moments.timeZone);
  const span = findSpan(text, moments);
  if (span === undefined) {
    throw new SalonError('usage', `"${text}" is not a day.`, {
      hint: "Try today, tomorrow, fri, next fri, next week, +7d, 24/11/2026 or 2026-11-24, or a stylist's name.",
    });
  }
  const dateMs = startOfDay(zone.wall(span.startMs));
  if (!isWeek && zone.wall(span.endMs) <= dateMs + dayMs) return [toDay(dateMs, zone)];
  return Array.from({ length: 7 }, (_, index) => toDay(startOfWeek(dateMs) + index * dayMs, zone));
}

/** The day an instant falls on, plus `days`. */
export function toCalendarDay(instantMs: number, zone: ZoneClock, days = 0): CalendarDay {
  return toDay(startOfDay(zone.wall(instantMs)) + days * dayMs, zone);
}

function toDay(dateMs: number, zone: ZoneClock): CalendarDay {
  return { dateMs, startMs: zone.earliest(dateMs), endMs: zone.earliest(dateMs + dayMs) };
}

export function isWithin(instantMs: number | undefined, { startMs, endMs }: TimeSpan): boolean {
  return instantMs !== undefined && instantMs >= startMs && instantMs < endMs;
}

export function overlaps(one: TimeSpan, other: TimeSpan): boolean {
  return one.startMs < other.endMs && one.endMs > other.startMs;
}

export function createDayClock(day: CalendarDay, timeZone: string) {
  const zone = createZoneClock(timeZone);
  const change = findClockChange(day, zone);
  const text = (instantMs: number) => toClockText(zone.wall(instantMs)) + markTwice(instantMs, change);
  return {
    change,
    wall: zone.wall,
    /** `09:30`; a time that occurs twice that day ends in `A` or `B`. */
    text,
    /** Local time since midnight. */
    sinceMidnight: (instantMs: number) => zone.wall(instantMs) - day.dateMs,
    spanText({ startMs, endMs, isOpenEnded }: TimeSpan & { readonly isOpenEnded?: boolean }): SpanText {
      const from = `${startMs < day.startMs ? '‹' : ''}${text(startMs)}`;
      const to = isOpenEnded === true ? '?' : `${text(endMs)}${endMs > day.endMs ? '›' : ''}`;
      const isAllDay = startMs <= day.startMs && endMs >= day.endMs;
      return { from, to, whole: isAllDay ? 'all day' : `${from}–${to}` };
    },
  };
}

/** A clock that never changes, for times counted from midnight. */
export const plainClock: LineClock = { change: undefined, wall: (ms) => ms, text: toClockText };

/** Says that the clocks change; nothing on an ordinary day. */
export function describeClockChange({ change, wall }: DayClock): readonly string[] {
  if (change === undefined) return [];
  const [before, after] = [toClockText(wall(change.atMs) - change.byMs), toClockText(wall(change.atMs))];
  if (change.byMs > 0) return [`The clocks go forward from ${before} to ${after}.`];
  return [`The clocks go back from ${before} to ${after}. Times that occur twice are marked A and B.`];
}

/** The first instant of the new time, and how far the clocks go forward: negative if they go back. */
function findClockChange({ startMs, endMs }: CalendarDay, { wall, findOffsetChange }: ZoneClock) {
  // A zone may skip a whole day, as Samoa did.
  if (endMs <= startMs) return undefined;
  const [before, last] = [startMs - 1, endMs - 1];
  const byMs = wall(last) - last - (wall(before) - before);
  return byMs === 0 ? undefined : { atMs: findOffsetChange(before, last), byMs };
}

function markTwice(instantMs: number, change: ReturnType<typeof findClockChange>): string {
  if (change === undefined || change.byMs > 0) return '';
  const sinceMs = instantMs - change.atMs;
  if (sinceMs < change.byMs || sinceMs >= -change.byMs) return '';
  return sinceMs < 0 ? 'A' : 'B';
}
