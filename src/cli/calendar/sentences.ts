import { renderLongDay } from '../../contract/local-days.ts';
import { countOf } from '../../contract/numbers.ts';
import { cleanText } from '../messages/clean-text.ts';
import { statusWord } from '../output/status.ts';
import type { DayContents } from './calendar.ts';
import { createDayClock, createSpanText, describeClockChange } from './calendar-days.ts';
import { joinLines, renderEmpty, renderTotals } from './frame.ts';

/** A day as text for screen readers: one sentence per appointment, stylist by stylist. */
export function renderSentences(contents: DayContents): string {
  const { day, timeZone, stylists, entries } = contents;
  const clock = createDayClock(day, timeZone);
  const date = renderLongDay(day.dateMs);
  const change = describeClockChange(clock);
  const head = [`${date}, ${cleanText(timeZone)}.`, ...renderTotals(contents), ...(change ? [change] : [])];
  if (entries.length === 0) return joinLines([...head, renderEmpty(`on ${date}`, contents)]);
  const spanText = createSpanText(day, clock);
  const byStylist = Map.groupBy(entries, ({ stylistId }) => stylistId);
  const paragraphs = stylists.map(({ id, name }) => {
    const own = byStylist.get(id) ?? [];
    const sentences = own.map((entry) => {
      const { from, to } = spanText(entry);
      const words = [entry.client, entry.service, statusWord(entry.status)].map(cleanText).join(', ');
      return `${from} to ${to}: ${words}.`;
    });
    return [`${cleanText(name)}: ${countOf(own.length, 'appointments')}.`, ...sentences].join('\n');
  });
  return `${[head.join('\n'), ...paragraphs].join('\n\n')}\n`;
}
