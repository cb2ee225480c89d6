import { SalonError } from '../../contract/errors.ts';
import { createZoneClock } from '../../contract/time.ts';
import { type CalendarDay, toCalendarDay } from '../calendar/calendar-days.ts';
import { findMoment, type MomentContext, parseMoment } from '../flags/days.ts';
import { renderSpokenTime, type SpokenTimeStyle } from '../messages/spoken-time.ts';
import type { BookingDraft } from './draft.ts';

/**
 * Reads a time such as `fri 15:00` as a start, and a day or part of a day such as `fri` or `sat morning` as a span.
 * Throws `usage` for anything else, and for a time that the clocks skip.
 */
export function readMoment(
  text: string,
  moments: Pick<MomentContext, 'now' | 'timeZone'>,
): Pick<BookingDraft, 'start' | 'span'> {
  const [start, end] = (['start', 'end'] as const).map((edge) =>
    parseMoment(text, { ...moments, edge, since: moments.now.toISOString() }),
  );
  if (start !== end)
    return { span: { startMs: Date.parse(start ?? ''), endMs: Date.parse(end ?? '') }, start: undefined };
  return { start: parseMoment(text, { ...moments, edge: 'start', isExact: true }), span: undefined };
}

/** The start that a text such as `15:10` or `3pm` means on a day; undefined for any other text. */
export function findTimeOn(
  day: CalendarDay,
  text: string,
  moments: Pick<MomentContext, 'now' | 'timeZone'>,
): string | undefined {
  const date = new Date(day.dateMs).toISOString().slice(0, 10);
  try {
    return findMoment(`${date} ${text}`, { ...moments, edge: 'start', isExact: true });
  } catch (error) {
    // "3" alone may be early or late.
    if (error instanceof SalonError) return undefined;
    throw error;
  }
}

/** `Fri 27 Nov 15:00–16:30`; without the end where no duration is known. */
export function renderWhen(start: string, minutes: number, style: SpokenTimeStyle): string {
  if (!(minutes > 0)) return renderSpokenTime(start, style);
  const end = new Date(Date.parse(start) + minutes * 60_000).toISOString();
  const [from, to] = [renderSpokenTime(start, style), renderSpokenTime(end, style)];
  const isSameDay = from.slice(0, -5) === to.slice(0, -5);
  return `${from}–${isSameDay ? to.slice(-5) : to}`;
}

/** `today`, `tomorrow`, or nothing. */
export function renderNearDay(startMs: number, { timeZone, now }: SpokenTimeStyle): string {
  const zone = createZoneClock(timeZone);
  const { dateMs } = toCalendarDay(startMs, zone);
  const days = [toCalendarDay(now.getTime(), zone), toCalendarDay(now.getTime(), zone, 1)];
  return ['today', 'tomorrow'][days.findIndex((day) => day.dateMs === dateMs)] ?? '';
}
