import { hasManyColors } from '../output/format.ts';
import { readStyle } from '../output/print-style.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { ReadCalendar } from './read-calendar.ts';
import type { CalendarDay } from './render/day-clock.ts';

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
    const { renderSentences } = await import('./render/sentences.ts');
    return days.map((one) => renderSentences({ ...contents, day: one, visits: during(one) })).join('\n');
  }
  if (others.length === 0) {
    return (await import('./render/day-view.ts')).renderDay({ ...contents, day }, style);
  }
  return stylists.length === 1
    ? (await import('./render/stylist-week.ts')).renderStylistWeek({ ...contents, days }, style)
    : (await import('./render/salon-week.ts')).renderSalonWeek({ ...contents, days }, style);

  function during({ startMs, endMs }: CalendarDay) {
    return visits.filter((visit) => visit.startMs < endMs && visit.endMs > startMs);
  }
}
