import { SalonError } from '../../contract/errors.ts';
import { createZoneClock } from '../../contract/time.ts';
import { parseMoment } from '../flags/days.ts';
import { type CalendarDay, toCalendarDay } from './render/day-clock.ts';

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
