import type { Call } from '../call.ts';
import { hasManyColors } from '../output/format.ts';
import { readStyle } from '../output/print-style.ts';
import type { CalendarDay } from '../print/calendar/day-clock.ts';
import type { ReadCalendar } from './read-calendar.ts';

/** A calendar for people: a drawing, or sentences where a screen reader reads them out. */
export async function drawCalendar(
  { stylists, visits, leftOut }: ReadCalendar,
  days: readonly CalendarDay[],
  call: Call,
): Promise<string> {
  const { io } = call;
  const { color, plain, timeZone } = await readStyle(call);
  const contents = { stylists, visits, leftOut, timeZone, nowMs: io.now().getTime() };
  const style = {
    color,
    hasManyColors: hasManyColors(io),
    width: io.terminal.columns,
    height: io.terminal.rows,
  };
  const [day, ...others] = days;
  if (day === undefined) return '';
  if (plain) {
    const { renderSentences } = await import('../print/calendar/sentences.ts');
    return days.map((one) => renderSentences({ ...contents, day: one, visits: during(one) })).join('\n');
  }
  if (others.length === 0) {
    return (await import('../print/calendar/day-view.ts')).renderDay({ ...contents, day }, style);
  }
  return stylists.length === 1
    ? (await import('../print/calendar/stylist-week.ts')).renderStylistWeek({ ...contents, days }, style)
    : (await import('../print/calendar/salon-week.ts')).renderSalonWeek({ ...contents, days }, style);

  function during({ startMs, endMs }: CalendarDay) {
    return visits.filter((visit) => visit.startMs < endMs && visit.endMs > startMs);
  }
}
