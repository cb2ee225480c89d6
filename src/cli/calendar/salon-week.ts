import type { ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import { cleanText } from '../../text/clean-text.ts';
import { countOf } from '../../text/numbers.ts';
import { renderShortDay } from '../../time/local-days.ts';
import { createZoneClock, dayMs, hourMs } from '../../time/time.ts';
import { createChalk, joinLines } from '../output/document.ts';
import { padToWidth, renderBar, wrapText } from '../output/fit-text.ts';
import { type AwayTime, findBlockedPart, findDayAway } from './away.ts';
import type { CalendarEntry, CalendarStyle, WeekContents } from './calendar.ts';
import { type CalendarDay, isWithin } from './calendar-days.ts';
import { describeClockChanges, renderTitle, renderWeekDates } from './frame.ts';

/** How busy a stylist is on one day, and why they are away all day. */
type Load = ReturnType<typeof loadOf> & { readonly away: AwayTime | undefined };

type Widths = ReturnType<typeof chooseWidths>;

const maxNameWidth = 18;
const maxBarWidth = 10;

/** A week of the salon: one line per stylist with how busy each day is. */
export function renderSalonWeek(contents: WeekContents, style: CalendarStyle): string {
  const { days, stylists, entries } = contents;
  const chalk = createChalk(style);
  const frame = { ...contents, title: renderWeekDates(contents), notes: describeClockChanges(contents) };
  const widths = chooseWidths(contents, style.width);
  const fullDayMs = findFullDay(contents);
  const byStylist = Map.groupBy(entries, ({ stylistId }) => stylistId);
  const toLine = (name: string, cells: readonly string[], total: number) =>
    `${padToWidth(name, widths.name)} ${cells.join(' ')} ${String(total).padStart(widths.count)}`.trimEnd();
  const body = stylists.map((stylist) => {
    const { id, name } = stylist;
    const own = byStylist.get(id) ?? [];
    const cells = days.map((day) => {
      const openMs = fullDayMs * (1 - findBlockedPart(stylist, day, contents));
      const away = findDayAway(stylist, day, contents);
      return renderLoad({ ...loadOf(day, own, openMs), away }, widths, chalk);
    });
    return toLine(cleanText(name), cells, own.length);
  });
  const legend = explainBars(widths, fullDayMs, (contents.blocks ?? []).length > 0);
  const totals = days.map((day) => {
    const { count } = loadOf(day, entries, fullDayMs);
    return chalk.bold(String(count).padStart(widths.bar + widths.count));
  });
  const rule = chalk.dim('─'.repeat(widths.name + 8 + (widths.bar + widths.count) * 7 + widths.count));
  return joinLines([
    ...renderTitle(frame, chalk, style.width),
    `${' '.repeat(widths.name)} ${renderHeadings(contents, widths, chalk).join(' ')}`.trimEnd(),
    rule,
    ...body,
    rule,
    toLine('All', totals, entries.length),
    '',
    ...wrapText(legend, style.width).map((text) => chalk.dim(text)),
  ]);
}

/** Columns of the terminal for a name, and for the bar and the count of a day. */
function chooseWidths({ stylists }: WeekContents, width: number) {
  const longest = stylists.reduce((most, { name }) => Math.max(most, stringWidth(cleanText(name))), 3);
  const name = Math.min(maxNameWidth, Math.floor(width / 5), longest);
  const count = width < 60 ? 3 : 4;
  const cell = Math.floor((width - name - count - 1) / 7) - 1;
  return { name, count, bar: Math.max(0, Math.min(maxBarWidth, cell - count)) };
}

/** `Tue 24 Nov`, shortened from the right to fit. */
function renderHeadings(
  { days, nowMs }: WeekContents,
  { bar, count }: Widths,
  chalk: ChalkInstance,
): readonly string[] {
  return days.map((day) => {
    const words = renderShortDay(day.dateMs).split(' ');
    while (words.length > 1 && words.join(' ').length > bar + count) words.pop();
    const text = padToWidth(words.join(' '), bar + count);
    return isWithin(nowMs, day) ? chalk.bold.inverse(text) : chalk.bold(text);
  });
}

function explainBars({ bar }: Widths, fullDayMs: number, hasBlocks: boolean): string {
  const numbers = 'numbers are appointments starting that day.';
  const hours = `${countOf(Math.round(fullDayMs / hourMs), 'hours')} booked${hasBlocks ? ', less where time is blocked' : ''}`;
  const text = bar === 0 ? `The ${numbers}` : `A full bar is ${hours}; ${numbers}`;
  return hasBlocks && bar < 'away'.length ? `${text} ░ is away all day.` : text;
}

/** The median time from a day's first start to its last end, in whole hours. */
function findFullDay({ days, entries, timeZone }: WeekContents): number {
  const { wall } = createZoneClock(timeZone);
  const lengths = days.flatMap((day) => {
    const own = entries.filter(({ startMs }) => isWithin(startMs, day));
    if (own.length === 0) return [];
    const first = own.reduce((least, { startMs }) => Math.min(least, wall(startMs)), day.dateMs + dayMs);
    const last = own.reduce((most, { endMs }) => Math.max(most, wall(endMs)), day.dateMs);
    const end = Math.min(last, day.dateMs + dayMs);
    return [(Math.ceil((end - day.dateMs) / hourMs) - Math.floor((first - day.dateMs) / hourMs)) * hourMs];
  });
  const sorted = lengths.sort((a, b) => a - b);
  return Math.max(hourMs, sorted[Math.floor(sorted.length / 2)] ?? 0);
}

/** The part of a full day that is booked, less what is blocked, is more than 1 if appointments overlap. */
function loadOf(day: CalendarDay, entries: readonly CalendarEntry[], openMs: number) {
  let [count, bookedMs] = [0, 0];
  for (const { startMs, endMs } of entries) {
    if (isWithin(startMs, day)) count += 1;
    bookedMs += Math.max(0, Math.min(day.endMs, endMs) - Math.max(day.startMs, startMs));
  }
  return { count, part: bookedMs / Math.max(1, openMs) };
}

function renderLoad({ count, part, away }: Load, widths: Widths, chalk: ChalkInstance): string {
  const { bar } = widths;
  if (away !== undefined) {
    const number = count === 0 ? '' : String(count).padStart(widths.count);
    const room = bar + widths.count - number.length;
    if (room === 0) return chalk.dim('░') + number.slice(1);
    const word = [away.label, away.why, 'away'].find((text) => text !== '' && stringWidth(text) <= room);
    return chalk.dim(padToWidth(word ?? '░', room)) + number;
  }
  if (count === 0 && part === 0) return chalk.dim('·'.padEnd(bar + widths.count));
  const paint = part > 0.95 ? chalk.red : part > 0.75 ? chalk.yellow : chalk.green;
  // Something is always seen.
  const blocks = renderBar(Math.min(bar, Math.max(1 / 8, part * bar)));
  return paint(blocks.slice(0, bar).padEnd(bar)) + String(count).padStart(widths.count);
}
