import { renderLongDay, renderShortDay } from '../../contract/local-days.ts';
import { countOf } from '../../contract/numbers.ts';
import { hourMs, minuteMs } from '../../contract/time.ts';
import { cleanText } from '../messages/clean-text.ts';
import { statusWord } from '../output/field-words.ts';
import { wrapText } from '../output/fit-text.ts';
import { hasManyColors, readStyle } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Calendar, CalendarContents, CalendarStyle, DayContents, WeekContents } from './calendar.ts';
import {
  type CalendarDay,
  createDayClock,
  createSinceMidnight,
  createSpanText,
  describeClockChange,
  isWithin,
  overlaps,
  plainClock,
} from './calendar-days.ts';
import {
  createChalk,
  createStatusLooks,
  describeClockChanges,
  joinLines,
  renderEmpty,
  renderLegend,
  renderTitle,
  renderTotals,
  renderWeekDates,
} from './frame.ts';
import { renderGrid } from './grid.ts';
import { createTimeRows, fitToScreen, type GridColumn, type GridContents } from './grid-layout.ts';
import { renderSalonWeek } from './salon-week.ts';

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
    const pages = days.map((one) => {
      const entries = calendar.entries.filter((entry) => overlaps(entry, one));
      const hidden = calendar.hidden.filter((entry) => overlaps(entry, one));
      return renderSentences({ ...contents, day: one, entries, hidden });
    });
    return pages.join('\n');
  }
  if (others.length === 0) return renderDayGrid({ ...contents, day }, style);
  if (calendar.stylists.length === 1) return renderStylistWeek({ ...contents, days }, style);
  return renderSalonWeek({ ...contents, days }, style);
}

/** Lines below the last band: the legend, and the prompt after it. */
const linesOfLegend = 2;
/** A day of the week may be narrower than a stylist's column. */
const minDayWidth = 9;
/** Minimum width of a terminal for headings with the month. */
const minWidthForMonth = 105;

/** A day with one column per stylist. */
export function renderDayGrid(contents: DayContents, style: CalendarStyle): string {
  const { day, timeZone, entries, stylists, nowMs } = contents;
  const clock = createDayClock(day, timeZone);
  const spanText = createSpanText(day, clock);
  const date = renderLongDay(day.dateMs);
  const change = describeClockChange(clock);
  const byStylist = Map.groupBy(entries, ({ stylistId }) => stylistId);
  return renderGridView(contents, style, {
    title: date,
    empty: `on ${date}`,
    notes: change === undefined ? [] : [change],
    now: clock.text(nowMs),
    columns: stylists.map(({ id, name }) => {
      const blocks = (byStylist.get(id) ?? []).map((entry) => ({ ...entry, time: spanText(entry) }));
      return { heading: name, note: toNote(blocks), blocks, nowMs: isWithin(nowMs, day) ? nowMs : undefined };
    }),
    toRows: (slotMs) => createTimeRows(entries, { day, clock, slotMs }),
  });
}

/** A week of one stylist with one column per day. */
export function renderStylistWeek(contents: WeekContents, style: CalendarStyle): string {
  const { days, timeZone, nowMs } = contents;
  const columns = days.map((day) => {
    const date = renderShortDay(day.dateMs);
    const heading = style.width < minWidthForMonth ? date.replace(/ \w+$/, '') : date;
    return { heading, ...toDayColumn(day, contents) };
  });
  const blocks = columns.flatMap((column) => column.blocks);
  const scale = { day: { startMs: 0, endMs: 24 * hourMs }, clock: plainClock };
  const [today = days[0]] = days.filter((day) => isWithin(nowMs, day));
  return renderGridView(contents, style, {
    title: renderWeekDates(contents),
    empty: `from ${renderWeekDates(contents)}`,
    notes: describeClockChanges(contents),
    now: today === undefined ? '' : createDayClock(today, timeZone).text(nowMs),
    columns,
    toRows: (slotMs) => createTimeRows(blocks, { ...scale, slotMs }),
    minColumnWidth: minDayWidth,
  });
}

interface GridView extends GridContents {
  readonly title: string;
  /** The time span in a sentence, such as `on Tuesday 24 November 2026`. */
  readonly empty: string;
  readonly notes: readonly string[];
  readonly now: string;
  readonly minColumnWidth?: number;
}

function renderGridView(contents: CalendarContents, style: CalendarStyle, view: GridView): string {
  const { width } = style;
  const { entries } = contents;
  const chalk = createChalk(style);
  const title = renderTitle({ ...contents, ...view }, chalk, width);
  if (entries.length === 0)
    return joinLines([...title, ...wrapText(renderEmpty(view.empty, contents), width)]);
  const height = style.height - title.length - linesOfLegend;
  const { rows, bands, columnWidth } = fitToScreen(view, {
    width,
    height,
    minColumnWidth: view.minColumnWidth,
  });
  const lookOf = createStatusLooks(chalk, style);
  const gridStyle = { chalk, lookOf, columnWidth, now: view.now };
  const body = bands.flatMap((band) => [...renderGrid(rows, band, gridStyle), '']);
  return joinLines([...title, ...body, ...renderLegend(entries, lookOf, width)]);
}

function toDayColumn(
  day: CalendarDay,
  { entries, timeZone, nowMs }: WeekContents,
): Omit<GridColumn, 'heading'> {
  const sinceMidnight = createSinceMidnight(timeZone);
  const spanText = createSpanText(day, createDayClock(day, timeZone));
  const own = entries.filter((entry) => overlaps(entry, day));
  const blocks = own.map((entry) => {
    const startMs = sinceMidnight(entry.startMs, day);
    // When the clocks go back, local time at the end may be earlier than at the start.
    const endMs = Math.max(startMs + minuteMs, sinceMidnight(entry.endMs, day));
    return { ...entry, startMs, endMs, time: spanText(entry) };
  });
  return {
    note: toNote(blocks),
    blocks,
    nowMs: isWithin(nowMs, day) ? sinceMidnight(nowMs, day) : undefined,
  };
}

function toNote(blocks: readonly unknown[]): string {
  return blocks.length === 0 ? '' : String(blocks.length);
}

/** A day as text for screen readers: one sentence per appointment, stylist by stylist. */
function renderSentences(contents: DayContents): string {
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
