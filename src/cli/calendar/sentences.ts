import { countOf } from '../../contract/numbers.ts';
import { cleanText } from '../messages/clean-text.ts';
import type { CalendarStylist, DayContents } from './calendar-contents.ts';
import { createDayClock, createWhen, describeShift, renderDate } from './calendar-days.ts';
import { renderCounts, statusWord } from './frame.ts';

/** A day as a screen reader reads it out: who comes when, stylist by stylist, a sentence each. */
export function renderSentences(contents: DayContents): string {
  const { day, timeZone, stylists, visits } = contents;
  const clock = createDayClock(day, timeZone);
  const date = renderDate(day.dateMs);
  const shift = describeShift(clock);
  const head = [`${date}, ${cleanText(timeZone)}.`, renderCounts(contents), ...(shift ? [shift] : [])];
  if (visits.length === 0) return `${[...head, renderNobody(date, stylists)].join('\n')}\n`;
  const when = createWhen(day, clock);
  const byStylist = Map.groupBy(visits, ({ stylistId }) => stylistId);
  const paragraphs = stylists.map(({ id, name }) => {
    const own = byStylist.get(id) ?? [];
    const lines = own.map((visit) => {
      const { from, to } = when(visit);
      const words = [visit.client, visit.service, statusWord(visit.status)].map(cleanText).join(', ');
      return `${from} to ${to}: ${words}.`;
    });
    return [`${cleanText(name)}: ${countOf(own.length, 'appointments')}.`, ...lines].join('\n');
  });
  return `${[head.join('\n'), ...paragraphs].join('\n\n')}\n`;
}

/** Says that nobody comes, and whom that leaves with nothing to do. */
export function renderNobody(date: string, stylists: readonly CalendarStylist[]): string {
  const names = stylists.map(({ name }) => cleanText(name)).join(', ');
  return names === '' ? `Nobody is booked on ${date}.` : `Nobody is booked on ${date}: ${names}.`;
}
