import { hasManyColors, readStyle } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { CalendarDay } from './calendar-days.ts';
import type { ReadCalendar } from './read-calendar.ts';

/** A calendar for people: a drawing, or sentences where a screen reader reads them out. */
export async function drawCalendar(
  { stylists, visits, leftOut }: ReadCalendar,
  days: readonly CalendarDay[],
  context: CommandContext,
): Promise<string> {
  const { io } = context;
  const { color, plain, timeZone } = await readStyle(context);
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
    const { renderSentences } = await import('./sentences.ts');
    return days.map((one) => renderSentences({ ...contents, day: one, visits: during(one) })).join('\n');
  }
  if (others.length === 0) {
    return (await import('./grid-views.ts')).renderDay({ ...contents, day }, style);
  }
  return stylists.length === 1
    ? (await import('./grid-views.ts')).renderStylistWeek({ ...contents, days }, style)
    : (await import('./salon-week.ts')).renderSalonWeek({ ...contents, days }, style);

  function during({ startMs, endMs }: CalendarDay) {
    return visits.filter((visit) => visit.startMs < endMs && visit.endMs > startMs);
  }
}
