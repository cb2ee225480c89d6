import { cleanText } from '../messages/clean-text.ts';
import { wrapText } from '../output/fit-text.ts';
import type { CalendarStyle, DayContents } from './calendar-contents.ts';
import {
  type CalendarDay,
  createDayClock,
  createWallCount,
  createWhen,
  dayMs,
  describeShift,
  describeShifts,
  minuteMs,
  plainClock,
  renderDate,
  renderShortDate,
  renderWeekDates,
  type WeekContents,
} from './calendar-days.ts';
import { createChalk, createStatusLooks, renderLegend, renderTitle } from './frame.ts';
import { renderGrid } from './grid.ts';
import { type FullColumn, fitToScreen } from './grid-layout.ts';
import { renderNobody } from './sentences.ts';
import { layOutTime } from './time-rows.ts';

/** Lines below the last band: the legend, and the prompt that comes after it. */
const linesOfLegend = 2;

/** A day as people draw it: stylists across, time down. What does not fit side by side follows below. */
export function renderDay(contents: DayContents, style: CalendarStyle): string {
  const { day, timeZone, visits, stylists } = contents;
  const { width } = style;
  const chalk = createChalk(style);
  const clock = createDayClock(day, timeZone);
  const date = renderDate(day.dateMs);
  const shift = describeShift(clock);
  const title = renderTitle({ ...contents, title: date, notes: shift ? [shift] : [] }, chalk, width);
  if (visits.length === 0) return joinLines([...title, ...wrapText(renderNobody(date, stylists), width)]);
  const fitted = fitToScreen(
    {
      columns: toColumns(contents, createWhen(day, clock)),
      toRows: (slotMs) => layOutTime(visits, { day, clock, slotMs }),
    },
    { width, height: style.height - title.length - linesOfLegend },
  );
  const { rows, bands, columnWidth } = fitted;
  const lookOf = createStatusLooks(chalk, style);
  const gridStyle = { chalk, lookOf, width: columnWidth, now: clock.text(contents.nowMs) };
  const drawn = bands.flatMap((band) => [...renderGrid(rows, band, gridStyle), '']);
  return joinLines([...title, ...drawn, ...renderLegend(visits, lookOf, style)]);
}

export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function toColumns(
  { day, nowMs, stylists, visits }: DayContents,
  when: ReturnType<typeof createWhen>,
): readonly FullColumn[] {
  const isToday = nowMs >= day.startMs && nowMs < day.endMs;
  const byStylist = Map.groupBy(visits, ({ stylistId }) => stylistId);
  return stylists.map(({ id, name }) => {
    const blocks = (byStylist.get(id) ?? []).map((visit) => ({ ...visit, time: when(visit) }));
    const note = blocks.length === 0 ? '' : String(blocks.length);
    return { heading: name, note, blocks, nowMs: isToday ? nowMs : undefined };
  });
}

/** Days have little to say beside their blocks, so they may be narrower than stylists. */
const narrowestDay = 9;

/** A week of one stylist: days across, time down as the wall shows it. */
export function renderStylistWeek(contents: WeekContents, style: CalendarStyle): string {
  const { days, visits, stylists } = contents;
  const { width } = style;
  const chalk = createChalk(style);
  const dates = renderWeekDates(days);
  const names = stylists.map(({ name }) => cleanText(name)).join(', ');
  const notes = [`${names}.`, ...describeShifts(contents)];
  const title = renderTitle({ ...contents, title: dates, notes }, chalk, width);
  if (visits.length === 0) return joinLines([...title, ...wrapText(renderNobody(dates, stylists), width)]);
  const columns = days.map((day) => toColumn(day, contents));
  const blocks = columns.flatMap((column) => column.blocks);
  const day = { startMs: 0, endMs: dayMs };
  const fitted = fitToScreen(
    { columns, toRows: (slotMs) => layOutTime(blocks, { day, clock: plainClock, slotMs }) },
    { width, height: style.height - title.length - linesOfLegend, least: narrowestDay },
  );
  const { rows, bands, columnWidth } = fitted;
  const lookOf = createStatusLooks(chalk, style);
  const gridStyle = { chalk, lookOf, width: columnWidth, now: renderNow(contents) };
  const drawn = bands.flatMap((band) => [...renderGrid(rows, band, gridStyle), '']);
  return joinLines([...title, ...drawn, ...renderLegend(visits, lookOf, style)]);
}

function renderNow({ days, timeZone, nowMs }: WeekContents): string {
  const [day] = days;
  return day === undefined ? '' : createDayClock(day, timeZone).text(nowMs);
}

function toColumn(day: CalendarDay, { visits, timeZone, nowMs }: WeekContents): FullColumn {
  const count = createWallCount(timeZone);
  const when = createWhen(day, createDayClock(day, timeZone));
  const isToday = nowMs >= day.startMs && nowMs < day.endMs;
  const own = visits.filter(({ startMs, endMs }) => startMs < day.endMs && endMs > day.startMs);
  const blocks = own.map((visit) => {
    const startMs = count(visit.startMs, day);
    // Where the clocks go back, the wall may show an earlier time at the end.
    const endMs = Math.max(startMs + minuteMs, count(visit.endMs, day));
    return { ...visit, startMs, endMs, time: when(visit) };
  });
  return {
    heading: renderShortDate(day.dateMs),
    note: blocks.length === 0 ? '' : String(blocks.length),
    blocks,
    nowMs: isToday ? count(nowMs, day) : undefined,
  };
}
