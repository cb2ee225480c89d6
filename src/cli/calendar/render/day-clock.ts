import { createZoneClock, type ZoneClock } from '../../../contract/time.ts';

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
