import { renderInstant } from '../output/cell.ts';
import type { CalendarEntry, CalendarStylist, WeekContents } from './calendar.ts';
import {
  type CalendarDay,
  createDayClock,
  describeClockChange,
  overlaps,
  renderDate,
  renderShortDate,
} from './calendar-days.ts';
import { renderTotals as renderScreenTotals } from './frame.ts';
import { escapeHtml } from './html.ts';
import { type PaperColumn, type PaperGrid, renderPaperGrid } from './paper-grid.ts';
import { renderPaperList } from './paper-list.ts';
import { paperStyle } from './paper-style.ts';

export interface PaperOptions {
  /** Whether each stylist has a page of their own, with a list instead of a grid. */
  readonly byStylist: boolean;
}

/** More columns than this go on further pages. */
const maxColumns = 8;

/** A calendar as an HTML document for A4 paper. It loads nothing, and escapes all text. */
export function renderPaper(contents: WeekContents, { byStylist }: PaperOptions): string {
  const title = toSpanTitle(contents.days);
  const pages = byStylist ? renderLists(contents) : renderGrids(contents);
  const orientation = byStylist ? 'portrait' : 'landscape';
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
@page { size: A4 ${orientation}; margin: 10mm; }
${paperStyle}</style>
</head>
<body class="${orientation}">
${pages.join('\n')}
</body>
</html>
`;
}

function renderGrids(contents: WeekContents): readonly string[] {
  const { days, stylists } = contents;
  if (days.length > 1 && stylists.length === 1) return [renderPaperGrid(toWeekGrid(contents))];
  return days.flatMap((day) => toDayGrids(day, contents).map(renderPaperGrid));
}

/** A day with a column for each stylist, on as many pages as needed. */
function toDayGrids(day: CalendarDay, contents: WeekContents): readonly PaperGrid[] {
  const { stylists } = contents;
  const entries = contents.entries.filter((entry) => overlaps(entry, day));
  const columns = stylists.map((stylist): PaperColumn => {
    return {
      day,
      heading: stylist.name,
      entries: entries.filter(({ stylistId }) => stylistId === stylist.id),
    };
  });
  const pages = Math.max(1, Math.ceil(columns.length / maxColumns));
  const perPage = Math.ceil(columns.length / pages);
  return Array.from({ length: pages }, (_, page) => ({
    title: renderDate(day),
    details: [
      ...toDetails(day, contents, entries),
      ...(pages === 1 ? [] : [`Page ${page + 1} of ${pages}.`]),
    ],
    columns: columns.slice(page * perPage, (page + 1) * perPage),
    timeZone: contents.timeZone,
    // All pages of a day have the same hours.
    all: entries,
    days: [day],
  }));
}

/** A week of one stylist with a column for each day. */
function toWeekGrid({ days, stylists, entries, timeZone, hidden, nowMs }: WeekContents): PaperGrid {
  const [stylist] = stylists;
  return {
    title: `${stylist?.name ?? ''}, ${toSpanTitle(days)}`,
    details: [
      ...renderTotals({ entries, stylists, hidden }),
      `Times are in ${timeZone}.`,
      toAsOf({ timeZone, nowMs }),
    ],
    columns: days.map((day) => {
      return { day, heading: renderShortDate(day), entries: entries.filter((entry) => overlaps(entry, day)) };
    }),
    timeZone,
    all: entries,
    days,
  };
}

function renderLists(contents: WeekContents): readonly string[] {
  const { days, stylists, entries, timeZone } = contents;
  const busy = stylists.filter(({ id }) => entries.some(({ stylistId }) => stylistId === id));
  const shown = busy.length === 0 ? stylists.slice(0, 1) : busy;
  return shown.map((stylist) =>
    renderPaperList({
      ...toList(stylist, entries),
      days,
      timeZone,
      span: toSpanTitle(days),
      asOf: toAsOf(contents),
    }),
  );
}

function toList(stylist: CalendarStylist, entries: readonly CalendarEntry[]) {
  return { stylist, entries: entries.filter(({ stylistId }) => stylistId === stylist.id) };
}

function toDetails(
  day: CalendarDay,
  { stylists, off = [], hidden, timeZone, nowMs }: WeekContents,
  entries: readonly CalendarEntry[],
): readonly string[] {
  const change = describeClockChange(createDayClock(day, timeZone));
  return [
    ...renderTotals({ entries, stylists, off, hidden: hidden.filter((entry) => overlaps(entry, day)) }),
    `Times are in ${timeZone}.`,
    toAsOf({ timeZone, nowMs }),
    ...(change === undefined ? [] : [change]),
  ];
}

function toSpanTitle(days: readonly CalendarDay[]): string {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return '';
  return first === last ? renderDate(first) : `${renderShortDate(first)} – ${renderDate(last)}`;
}

/** Paper does not change with the calendar. */
function toAsOf({ nowMs, timeZone }: Pick<WeekContents, 'nowMs' | 'timeZone'>): string {
  return `As of ${renderInstant(new Date(nowMs).toISOString(), { timeZone })}.`;
}

/** Without the flag that would show the rest on a screen. */
function renderTotals(
  contents: Pick<WeekContents, 'entries' | 'stylists' | 'off' | 'hidden'>,
): readonly string[] {
  return renderScreenTotals(contents).map((line) => line.replace(' (--all)', ''));
}
