import type { ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import { countOf } from '../../contract/numbers.ts';
import { cleanText } from '../messages/clean-text.ts';
import { wrapText } from '../output/fit-text.ts';
import type { CalendarStyle, Visit } from './calendar-contents.ts';
import {
  type CalendarDay,
  createWallCount,
  dayMs,
  describeShifts,
  hourMs,
  renderShortDate,
  renderWeekDates,
  type WeekContents,
} from './calendar-days.ts';
import { createChalk, renderTitle } from './frame.ts';
import { toWidth } from './grid.ts';
import { joinLines } from './grid-views.ts';

/** How full one day of one stylist is. */
interface Load {
  readonly count: number;
  /** Part of a full day; more than 1 where appointments overlap. */
  readonly part: number;
}

/** Columns of the terminal that a name, the bar of a day and a count have. */
interface Widths {
  readonly name: number;
  readonly bar: number;
  readonly count: number;
}

const widestName = 18;
const widestBar = 10;
const eighths = ' ▏▎▍▌▋▊▉';

/** A week of a salon: a line for each stylist, and how full each of their days is. */
export function renderSalonWeek(contents: WeekContents, style: CalendarStyle): string {
  const { days, stylists, visits } = contents;
  const chalk = createChalk(style);
  const titled = { ...contents, title: renderWeekDates(days), notes: describeShifts(contents) };
  const widths = shareWidth(contents, style.width);
  const fullMs = findFullDay(contents);
  const byStylist = Map.groupBy(visits, ({ stylistId }) => stylistId);
  const line = (name: string, cells: readonly string[], total: number) =>
    `${toWidth(name, widths.name)} ${cells.join(' ')} ${String(total).padStart(widths.count)}`.trimEnd();
  const body = stylists.map(({ id, name }) => {
    const own = byStylist.get(id) ?? [];
    const cells = days.map((day) => renderLoad(loadOf(day, own, fullMs), widths, chalk));
    return line(cleanText(name), cells, own.length);
  });
  const totals = days.map((day) => {
    const { count } = loadOf(day, visits, fullMs);
    return chalk.bold(String(count).padStart(widths.bar + widths.count));
  });
  const rule = chalk.dim('─'.repeat(widths.name + 8 + (widths.bar + widths.count) * 7 + widths.count));
  return joinLines([
    ...renderTitle(titled, chalk, style.width),
    `${' '.repeat(widths.name)} ${renderHeadings(contents, widths, chalk).join(' ')}`.trimEnd(),
    rule,
    ...body,
    rule,
    line('All', totals, visits.length),
    '',
    ...wrapText(explain(widths, fullMs), style.width).map((text) => chalk.dim(text)),
  ]);
}

function shareWidth({ stylists }: WeekContents, width: number): Widths {
  const longest = stylists.reduce((most, { name }) => Math.max(most, stringWidth(cleanText(name))), 3);
  const name = Math.min(widestName, Math.floor(width / 5), longest);
  const count = width < 60 ? 3 : 4;
  const cell = Math.floor((width - name - count - 1) / 7) - 1;
  return { name, count, bar: Math.max(0, Math.min(widestBar, cell - count)) };
}

/** As many words of `Tue 24 Nov` as there is room for. */
function renderHeadings(
  { days, nowMs }: WeekContents,
  { bar, count }: Widths,
  chalk: ChalkInstance,
): readonly string[] {
  return days.map(({ dateMs, startMs, endMs }) => {
    const words = renderShortDate(dateMs).split(' ');
    while (words.length > 1 && words.join(' ').length > bar + count) words.pop();
    const text = toWidth(words.join(' '), bar + count);
    return nowMs >= startMs && nowMs < endMs ? chalk.bold.inverse(text) : chalk.bold(text);
  });
}

function explain({ bar }: Widths, fullMs: number): string {
  const numbers = 'numbers say how many appointments begin that day.';
  if (bar === 0) return `The ${numbers}`;
  return `A full bar is ${countOf(Math.round(fullMs / hourMs), 'hours')} booked; ${numbers}`;
}

/** What most days take from their first start to their last end, in whole hours. */
function findFullDay({ days, visits, timeZone }: WeekContents): number {
  const count = createWallCount(timeZone);
  const lengths = days.flatMap((day) => {
    const own = visits.filter(({ startMs }) => startMs >= day.startMs && startMs < day.endMs);
    if (own.length === 0) return [];
    const first = own.reduce((least, { startMs }) => Math.min(least, count(startMs, day)), dayMs);
    const last = own.reduce((most, { endMs }) => Math.max(most, Math.min(dayMs, count(endMs, day))), 0);
    return [(Math.ceil(last / hourMs) - Math.floor(first / hourMs)) * hourMs];
  });
  const sorted = lengths.sort((a, b) => a - b);
  return Math.max(hourMs, sorted[Math.floor(sorted.length / 2)] ?? 0);
}

function loadOf({ startMs, endMs }: CalendarDay, visits: readonly Visit[], fullMs: number): Load {
  let [count, bookedMs] = [0, 0];
  for (const visit of visits) {
    if (visit.startMs >= startMs && visit.startMs < endMs) count += 1;
    bookedMs += Math.max(0, Math.min(endMs, visit.endMs) - Math.max(startMs, visit.startMs));
  }
  return { count, part: bookedMs / fullMs };
}

function renderLoad({ count, part }: Load, widths: Widths, chalk: ChalkInstance): string {
  const { bar } = widths;
  if (count === 0 && part === 0) return chalk.dim('·'.padEnd(bar + widths.count));
  const filled = Math.min(bar * 8, Math.max(1, Math.round(part * bar * 8)));
  const blocks = '█'.repeat(Math.floor(filled / 8)) + (eighths[filled % 8] ?? '').trim();
  const paint = part > 0.95 ? chalk.red : part > 0.75 ? chalk.yellow : chalk.green;
  return paint(blocks.slice(0, bar).padEnd(bar)) + String(count).padStart(widths.count);
}
