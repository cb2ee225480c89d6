import { createZoneClock } from '../../../contract/time.ts';
import { type CalendarDay, createDayClock, describeShift } from './day-clock.ts';
import { renderDate, renderShortDate } from './day-names.ts';
import type { CalendarContents } from './visit.ts';

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
