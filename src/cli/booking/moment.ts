import { SalonError } from '../../contract/errors.ts';
import type { CalendarDay } from '../calendar/calendar-days.ts';
import { findMoment, type MomentContext, parseMoment } from '../flags/days.ts';
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
