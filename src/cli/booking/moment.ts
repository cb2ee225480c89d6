import { SalonError } from '../../contract/errors.ts';
import { toIsoDay } from '../../contract/local-days.ts';
import { createZoneClock } from '../../contract/time.ts';
import { type CalendarDay, toCalendarDay } from '../calendar/calendar-days.ts';
import { findStart, type MomentContext, parseSpan, parseStart } from '../flags/moments.ts';
import { renderShortTime, type ShortTimeStyle } from '../messages/short-times.ts';
import type { BookingDraft } from './draft.ts';

/**
 * Reads a time such as `fri 15:00` as a start, and a day or part of a day such as `fri` or `sat morning` as a span.
 * Throws `usage` for anything else, and for a time that the clocks skip.
 */
export function readMoment(text: string, moments: MomentContext): Pick<BookingDraft, 'start' | 'span'> {
  const span = parseSpan(text, { ...moments, sinceMs: moments.now.getTime() });
  if (span.startMs !== span.endMs) return { span, start: undefined };
  return { start: parseStart(text, moments), span: undefined };
}

/** The start that a text such as `15:10` or `3pm` means on a day; undefined for any other text. */
export function findTimeOn(day: CalendarDay, text: string, moments: MomentContext): string | undefined {
  try {
    return findStart(`${toIsoDay(day.dateMs)} ${text}`, moments);
  } catch (error) {
    // "3" alone may be early or late.
    if (error instanceof SalonError) return undefined;
    throw error;
  }
}

/** `Fri 27 Nov 15:00–16:30`; without the end where no duration is known. */
export function renderWhen(start: string, minutes: number, style: ShortTimeStyle): string {
  if (!(minutes > 0)) return renderShortTime(start, style);
  const end = new Date(Date.parse(start) + minutes * 60_000).toISOString();
  const [from, to] = [renderShortTime(start, style), renderShortTime(end, style)];
  const isSameDay = from.slice(0, -5) === to.slice(0, -5);
  return `${from}–${isSameDay ? to.slice(-5) : to}`;
}

/** `today`, `tomorrow`, or nothing. */
export function renderNearDay(startMs: number, { timeZone, now }: ShortTimeStyle): string {
  const zone = createZoneClock(timeZone);
  const { dateMs } = toCalendarDay(startMs, zone);
  const days = [toCalendarDay(now.getTime(), zone), toCalendarDay(now.getTime(), zone, 1)];
  return ['today', 'tomorrow'][days.findIndex((day) => day.dateMs === dateMs)] ?? '';
}
