import { hasManyColors, readStyle } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Calendar } from './calendar.ts';
import { type CalendarDay, overlaps } from './calendar-days.ts';

/** A calendar as a drawing, or as sentences for screen readers. `linesAbove` of the screen are left to other text. */
export async function drawCalendar(
  calendar: Calendar,
  days: readonly CalendarDay[],
  context: CommandContext,
  linesAbove = 0,
): Promise<string> {
  const { io } = context;
  const { color, plain, timeZone } = await readStyle(context);
  const contents = { ...calendar, timeZone, nowMs: io.now().getTime() };
  const { columns: width, rows: height } = io.terminal;
  const style = { color, hasManyColors: hasManyColors(io), width, height: height - linesAbove };
  const [day, ...others] = days;
  if (day === undefined) return '';
  if (plain) {
    const { renderSentences } = await import('./sentences.ts');
    const pages = days.map((one) => {
      const entries = calendar.entries.filter((entry) => overlaps(entry, one));
      const hidden = calendar.hidden.filter((entry) => overlaps(entry, one));
      return renderSentences({ ...contents, day: one, entries, hidden });
    });
    return pages.join('\n');
  }
  const { renderDayGrid, renderStylistWeek } = await import('./grid-views.ts');
  if (others.length === 0) return renderDayGrid({ ...contents, day }, style);
  if (calendar.stylists.length === 1) return renderStylistWeek({ ...contents, days }, style);
  return (await import('./salon-week.ts')).renderSalonWeek({ ...contents, days }, style);
}
