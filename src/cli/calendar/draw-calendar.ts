import { cleanText } from '../../text/clean-text.ts';
import { countOf } from '../../text/numbers.ts';
import { renderLongDay, renderShortDay } from '../../time/local-days.ts';
import { intersectSpans, subtractSpans } from '../../time/spans.ts';
import { dayMs, hourMs, minuteMs, type TimeSpan } from '../../time/time.ts';
import { createChalk, joinLines, renderDocument, type TextStyle } from '../output/document.ts';
import { statusWord } from '../output/field-words.ts';
import { wrapText } from '../output/fit-text.ts';
import { hasManyColors, readStyle } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { describeClosed, findAway, findDayAway, renderAway, toEdges } from './away.ts';
import type { Calendar, CalendarContents, CalendarStyle, DayContents, WeekContents } from './calendar.ts';
import {
  type CalendarDay,
  createDayClock,
  describeClockChange,
  isWithin,
  overlaps,
  plainClock,
} from './calendar-days.ts';
import {
  createStatusLooks,
  describeClockChanges,
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
  const textStyle = await readStyle(context);
  const { plain, timeZone } = textStyle;
  const contents = { ...calendar, timeZone, nowMs: io.now().getTime() };
  const height = io.terminal.rows - linesAbove;
  const style = { ...textStyle, hasManyColors: hasManyColors(io), height };
  const [day, ...others] = days;
  if (day === undefined) return '';
  if (plain) {
    const pages = days.map((one) => {
      const entries = calendar.entries.filter((entry) => overlaps(entry, one));
      const hidden = calendar.hidden.filter((entry) => overlaps(entry, one));
      return renderSentences({ ...contents, day: one, entries, hidden }, style);
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
  const { spanText } = clock;
  const byStylist = Map.groupBy(entries, ({ stylistId }) => stylistId);
  const edges = stylists.flatMap((stylist) => toEdges(stylist, day, contents));
  const away = renderAway(day, contents, { isListed: isCovered });
  return renderGridView(contents, style, {
    title: renderLongDay(day.dateMs),
    empty: renderEmptyDay(contents),
    notes: [...(entries.length === 0 ? [] : away), ...describeClockChange(clock)],
    now: clock.text(nowMs),
    columns: stylists.map(({ id, name }) => {
      const blocks = (byStylist.get(id) ?? []).map((entry) => ({ ...entry, time: spanText(entry) }));
      const own = findAway(contents.blocks, id, day).map((one) => ({ ...one, time: spanText(one).whole }));
      const now = isWithin(nowMs, day) ? nowMs : undefined;
      return { heading: name, note: toNote(blocks), blocks, away: own, nowMs: now };
    }),
    toRows: (slotMs) => createTimeRows([...entries, ...edges], { day, clock, slotMs }),
  });

  /** Whether appointments hide that a stylist is away. */
  function isCovered(time: TimeSpan, id: string): boolean {
    return subtractSpans(intersectSpans([day], [time]), byStylist.get(id) ?? []).length === 0;
  }
}

/** A week of one stylist with one column per day. */
export function renderStylistWeek(contents: WeekContents, style: CalendarStyle): string {
  const { days, timeZone, nowMs } = contents;
  const columns = days.map((day) => {
    const date = renderShortDay(day.dateMs);
    const heading = style.width < minWidthForMonth ? date.replace(/ \w+$/, '') : date;
    return { heading, ...toDayColumn(day, contents) };
  });
  const spans = columns.flatMap(({ blocks, edges }) => [...blocks, ...edges]);
  const scale = { day: { startMs: 0, endMs: 24 * hourMs }, clock: plainClock };
  const [today = days[0]] = days.filter((day) => isWithin(nowMs, day));
  return renderGridView(contents, style, {
    title: renderWeekDates(contents),
    empty: [
      renderEmpty(`from ${renderWeekDates(contents)}`, contents),
      ...days.flatMap((day) =>
        renderAway(day, contents).map((text) => `${renderShortDay(day.dateMs)}: ${text}`),
      ),
    ],
    notes: describeClockChanges(contents),
    now: today === undefined ? '' : createDayClock(today, timeZone).text(nowMs),
    columns,
    toRows: (slotMs) => createTimeRows(spans, { ...scale, slotMs }),
    minColumnWidth: minDayWidth,
  });
}

interface GridView extends GridContents {
  readonly title: string;
  /** What there is to say without appointments. */
  readonly empty: readonly string[];
  readonly notes: readonly string[];
  readonly now: string;
}

function renderGridView(contents: CalendarContents, style: CalendarStyle, view: GridView): string {
  const { width } = style;
  const { entries } = contents;
  const chalk = createChalk(style);
  const isMarked = entries.some(({ sameDay }) => sameDay);
  const notes = isMarked ? [...view.notes, '+ The client has another appointment that day.'] : view.notes;
  const title = renderTitle({ ...contents, ...view, notes }, chalk, width);
  if (entries.length === 0)
    return joinLines([...title, ...view.empty.flatMap((line) => wrapText(line, width))]);
  const height = style.height - title.length - linesOfLegend;
  const { rows, bands, columnWidth } = fitToScreen(view, { width, height });
  const lookOf = createStatusLooks(chalk, style);
  const gridStyle = { chalk, lookOf, columnWidth, now: view.now };
  const body = bands.flatMap((band) => [...renderGrid(rows, band, gridStyle), '']);
  return joinLines([...title, ...body, ...renderLegend(entries, lookOf, width)]);
}

function toDayColumn(
  day: CalendarDay,
  contents: WeekContents,
): Omit<GridColumn, 'heading'> & { readonly edges: readonly TimeSpan[] } {
  const { entries, timeZone, nowMs } = contents;
  const [stylist = { id: '' }] = contents.stylists;
  const { sinceMidnight, spanText } = createDayClock(day, timeZone);
  const own = entries.filter((entry) => overlaps(entry, day));
  const blocks = own.map((entry) => {
    const startMs = sinceMidnight(entry.startMs);
    // When the clocks go back, local time at the end may be earlier than at the start.
    const endMs = Math.max(startMs + minuteMs, sinceMidnight(entry.endMs));
    return { ...entry, startMs, endMs, time: spanText(entry) };
  });
  const away = findAway(contents.blocks, stylist.id, day);
  const toLocal = <Span extends TimeSpan>(span: Span) => ({
    ...span,
    startMs: span.startMs <= day.startMs ? 0 : sinceMidnight(span.startMs),
    endMs: span.endMs >= day.endMs ? dayMs : sinceMidnight(span.endMs),
  });
  return {
    note: toNote(blocks),
    blocks,
    away: away.map((one) => ({ ...toLocal(one), time: spanText(one).whole })),
    edges: toEdges(stylist, day, contents).map(toLocal),
    nowMs: isWithin(nowMs, day) ? sinceMidnight(nowMs) : undefined,
  };
}

/** What there is to say of a day without appointments. */
export function renderEmptyDay(contents: DayContents): readonly string[] {
  const { day } = contents;
  const closed = describeClosed(day, contents);
  if (closed !== undefined) return [closed];
  return [renderEmpty(`on ${renderLongDay(day.dateMs)}`, contents), ...renderAway(day, contents)];
}

function toNote(blocks: readonly unknown[]): string {
  return blocks.length === 0 ? '' : String(blocks.length);
}

/** A day as text for screen readers: one sentence per appointment, stylist by stylist. */
function renderSentences(contents: DayContents, style: TextStyle): string {
  const { day, timeZone, stylists, entries } = contents;
  const clock = createDayClock(day, timeZone);
  const { spanText } = clock;
  const title = `${renderLongDay(day.dateMs)}, ${cleanText(timeZone)}.`;
  const head = [title, ...renderTotals(contents), ...describeClockChange(clock)];
  if (entries.length === 0) return joinLines([...head, ...renderEmptyDay(contents)]);
  const closed = describeClosed(day, contents);
  if (closed !== undefined) head.push(closed);
  const byStylist = Map.groupBy(entries, ({ stylistId }) => stylistId);
  const paragraphs = stylists.map((stylist) => {
    const { id, name } = stylist;
    const own = byStylist.get(id) ?? [];
    const sentences = own.map((entry) => {
      const { from, to } = spanText(entry);
      const texts = [entry.client, entry.service, statusWord(entry.status), entry.sameDay ?? ''];
      const words = texts.map(cleanText).filter(Boolean).join(', ');
      return `${from} to ${to}: ${words}.`;
    });
    const whole = findDayAway(stylist, day, contents);
    const away = whole === undefined ? findAway(contents.blocks, id, day) : [];
    const absences = away.map((time) => `${spanText(time).from} to ${spanText(time).to}: ${time.label}.`);
    const count = `${cleanText(name)}: ${countOf(own.length, 'appointments')}.`;
    const head = whole === undefined ? count : `${count} All day ${whole.label}.`;
    return { text: [head, ...absences, ...sentences] };
  });
  return renderDocument([{ text: head }, ...paragraphs], style);
}
