import { cleanText } from '../../messages/clean-text.ts';
import { wrapText } from '../../output/wrap-text.ts';
import { type CalendarDay, createDayClock, dayMs, minuteMs, plainClock } from './day-clock.ts';
import { renderShortDate } from './day-names.ts';
import { joinLines } from './day-view.ts';
import { type FullColumn, fitToScreen } from './fit-to-screen.ts';
import { createChalk, renderLegend, renderTitle } from './frame-lines.ts';
import { renderGrid } from './grid.ts';
import { renderNobody } from './sentences.ts';
import { createStatusLooks } from './status-sign.ts';
import { layOutTime } from './time-rows.ts';
import type { CalendarStyle } from './visit.ts';
import { createWallCount, describeShifts, renderWeekDates, type WeekContents } from './week.ts';
import { createWhen } from './when.ts';

/** Days have little to say beside their blocks, so they may be narrower than stylists. */
const narrowestDay = 9;
const linesOfLegend = 2;

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
