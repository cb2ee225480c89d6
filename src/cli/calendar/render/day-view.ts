import { wrapText } from '../../output/wrap-text.ts';
import { createDayClock, describeShift } from './day-clock.ts';
import { renderDate } from './day-names.ts';
import { type FullColumn, fitToScreen } from './fit-to-screen.ts';
import { createChalk, renderLegend, renderTitle } from './frame-lines.ts';
import { renderGrid } from './grid.ts';
import { renderNobody } from './sentences.ts';
import { createStatusLooks } from './status-sign.ts';
import { layOutTime } from './time-rows.ts';
import type { CalendarStyle, DayContents } from './visit.ts';
import { createWhen } from './when.ts';

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
