import { countOf } from '../../text/numbers.ts';
import { renderLongDay, renderShortDay } from '../../time/local-days.ts';
import { minuteMs } from '../../time/time.ts';
import { renderInstant, renderMinutes } from '../output/cell.ts';
import { statusWord } from '../output/field-words.ts';
import { escapeHtml, renderPage } from '../output/printed-page.ts';
import { describeClosed, findAway, renderAway, toEdges } from './away.ts';
import type { CalendarContents, CalendarStylist, WeekContents } from './calendar.ts';
import { type CalendarDay, createDayClock, describeClockChange, overlaps } from './calendar-days.ts';
import { renderTotals } from './frame.ts';
import { type PrintedColumn, type PrintedGrid, renderPrintedGrid, statusClass } from './printed-grid.ts';

/** More columns than this go on further pages. */
const maxColumns = 8;

/** A calendar as an HTML document for A4 paper: grids, or for each stylist a page of their own with a list. */
export function renderPrintedCalendar(
  contents: WeekContents,
  { byStylist }: { readonly byStylist: boolean },
): string {
  const title = toSpanTitle(contents.days);
  const pages = byStylist ? renderLists(contents) : renderGrids(contents);
  const orientation = byStylist ? 'portrait' : 'landscape';
  return renderPage({ title, orientation, sections: pages, style: calendarStyle });
}

function renderGrids(contents: WeekContents): readonly string[] {
  const { days, stylists } = contents;
  if (days.length > 1 && stylists.length === 1) return [renderPrintedGrid(toWeekGrid(contents))];
  return days.flatMap((day) => toDayGrids(day, contents).map(renderPrintedGrid));
}

/** A day with a column for each stylist, on as many pages as needed. */
function toDayGrids(day: CalendarDay, contents: WeekContents): readonly PrintedGrid[] {
  const { stylists } = contents;
  const entries = contents.entries.filter((entry) => overlaps(entry, day));
  const isClosed = entries.length === 0 && describeClosed(day, contents) !== undefined;
  const columns = (isClosed ? [] : stylists).map(({ id, name }): PrintedColumn => {
    const own = entries.filter(({ stylistId }) => stylistId === id);
    return { day, heading: name, away: findAway(contents.blocks, id, day), entries: own };
  });
  const pages = Math.max(1, Math.ceil(columns.length / maxColumns));
  const perPage = Math.ceil(columns.length / pages);
  const hidden = contents.hidden.filter((entry) => overlaps(entry, day));
  const details = [
    ...toDetails({ ...contents, entries, hidden }),
    ...renderAway(day, contents, { isListed: () => false }),
    ...describeClockChange(createDayClock(day, contents.timeZone)),
  ];
  return Array.from({ length: pages }, (_, page) => ({
    title: renderLongDay(day.dateMs),
    details: pages === 1 ? details : [...details, `Page ${page + 1} of ${pages}.`],
    columns: columns.slice(page * perPage, (page + 1) * perPage),
    timeZone: contents.timeZone,
    // All pages of a day have the same hours.
    all: [...entries, ...stylists.flatMap((stylist) => toEdges(stylist, day, contents))],
  }));
}

/** A week of one stylist with a column for each day. */
function toWeekGrid(contents: WeekContents): PrintedGrid {
  const { days, stylists, entries, timeZone } = contents;
  const [stylist = { id: '', name: '' }] = stylists;
  return {
    title: `${stylist.name}, ${toSpanTitle(days)}`,
    details: toDetails({ ...contents, off: [] }),
    columns: days.map((day) => ({
      day,
      heading: renderShortDay(day.dateMs),
      away: findAway(contents.blocks, stylist.id, day),
      entries: entries.filter((entry) => overlaps(entry, day)),
    })),
    timeZone,
    all: [...entries, ...days.flatMap((day) => toEdges(stylist, day, contents))],
  };
}

/** Without the flag that would show the rest on a screen. */
function toDetails(contents: CalendarContents): readonly string[] {
  const totals = renderTotals(contents).map((line) => line.replace(' (--all)', ''));
  return [...totals, ...toTimeNotes(contents)];
}

/** A printed page does not follow later changes. */
function toTimeNotes({ nowMs, timeZone }: CalendarContents): readonly string[] {
  const asOf = renderInstant(new Date(nowMs).toISOString(), { timeZone });
  return [`Times are in ${timeZone}.`, `As of ${asOf}.`];
}

function toSpanTitle(days: readonly CalendarDay[]): string {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return '';
  return first === last
    ? renderLongDay(first.dateMs)
    : `${renderShortDay(first.dateMs)} – ${renderLongDay(last.dateMs)}`;
}

/** A page for each stylist who has appointments or is away. */
function renderLists(contents: WeekContents): readonly string[] {
  const { stylists, entries, blocks = [] } = contents;
  const busy = new Set([...entries, ...blocks].map(({ stylistId }) => stylistId));
  const shown = stylists.filter(({ id }) => busy.has(id));
  return (shown.length === 0 ? stylists.slice(0, 1) : shown).map((stylist) => {
    const own = entries.filter(({ stylistId }) => stylistId === stylist.id);
    return renderPrintedList(stylist, { ...contents, entries: own });
  });
}

/** A page with a table of one stylist's appointments, day by day. */
function renderPrintedList(stylist: CalendarStylist, contents: WeekContents): string {
  const { entries, days } = contents;
  const count = `${countOf(entries.length, 'appointments')}.`;
  const details = [`${toSpanTitle(days)}.`, count, ...toTimeNotes(contents)].map(escapeHtml).join(' ');
  const tables = days.map((day) => renderDayTable(day, stylist, contents));
  return `<section class="list">
<header><h1><bdi>${escapeHtml(stylist.name)}</bdi></h1><p>${details}</p></header>
${tables.join('\n')}
</section>`;
}

function renderDayTable(
  day: CalendarDay,
  { id }: CalendarStylist,
  { entries, timeZone, blocks, days }: WeekContents,
): string {
  const clock = createDayClock(day, timeZone);
  const { spanText } = clock;
  const own = entries.filter((entry) => overlaps(entry, day));
  const away = findAway(blocks, id, day).map((time) => {
    const row = `<tr class="is-away"><td>${escapeHtml(spanText(time).whole)}</td><td colspan="6">${escapeHtml(time.label)}</td></tr>`;
    return { startMs: time.startMs, row };
  });
  const visits = own.map((entry) => {
    const { client, phone = '', service, status, startMs, endMs, isOpenEnded, sameDay } = entry;
    const minutes = isOpenEnded === true ? '?' : renderMinutes(Math.round((endMs - startMs) / minuteMs));
    const work = [service, sameDay].filter(Boolean).join(', ');
    const cells = [spanText(entry).whole, client, phone, work, minutes, statusWord(status)].map(escapeHtml);
    const row = `<tr class="${statusClass(status)}">${cells.map((cell) => `<td><bdi>${cell}</bdi></td>`).join('')}<td></td></tr>`;
    return { startMs, row };
  });
  const rows = [...away, ...visits].sort((a, b) => a.startMs - b.startMs).map(({ row }) => row);
  const heading = days.length > 1 ? `<h2>${escapeHtml(renderLongDay(day.dateMs))}</h2>` : '';
  const note = describeClockChange(clock).map((change) => `<p>${escapeHtml(change)}</p>`);
  if (rows.length === 0) return `<div class="day">${heading}${note.join('')}<p>No appointments.</p></div>`;
  const head = ['Time', 'Client', 'Phone', 'Service', 'Length', 'Status', 'Notes']
    .map((name) => `<th>${name}</th>`)
    .join('');
  return `<div class="day">${heading}${note.join('')}<table><thead><tr>${head}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

/** The style of printed calendars, besides that of every page. */
const calendarStyle = `.landscape section { height: 188mm; }
.grid { flex: 1; display: flex; min-height: 0; border: .2mm solid #999; }
.times { width: 11mm; flex: none; }
.column { flex: 1; min-width: 0; border-left: .2mm solid #999; }
.column, .times { display: flex; flex-direction: column; }
.grid h2 { font-size: 9pt; height: 6mm; line-height: 6mm; margin: 0; padding: 0 1mm; text-align: center;
  border-bottom: .2mm solid #999; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
h2 small { font-weight: normal; color: #666; }
.track { flex: 1; position: relative; min-height: 0; margin: 1.5mm 0; }
.times span { position: absolute; right: 1mm; transform: translateY(-50%); font-size: 7.5pt; color: #444; }
.track i { position: absolute; left: 0; right: 0; border-top: .15mm solid #ddd; }
.block { position: absolute; overflow: hidden; padding: .2mm .8mm; font-size: 7.5pt; line-height: 3.1mm;
  background: #eaf5ea; border: .2mm solid #777; border-left: 1.2mm solid #2e7d32; }
.track aside { position: absolute; left: 0; right: 0; overflow: hidden; padding: 0 .8mm; font-size: 7pt; line-height: 3.1mm;
  color: #333; background: repeating-linear-gradient(135deg, #eee 0 .6mm, #fff .6mm 1.6mm); border: .15mm dashed #999; }
.track aside span { background: #fff; }
tr.is-away td { color: #555; font-style: italic; }
.block time { font-variant-numeric: tabular-nums; }
.block p { margin: 0; }
.block b, .block small { display: block; font-size: inherit; }
.one-line, .one-line p:last-child, .two-line p:last-child { display: flex; gap: .8mm; white-space: nowrap; }
.block:not(.one-line) p:first-child { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.one-line { padding-top: 0; padding-bottom: 0; }
.one-line p:last-child, .two-line p:last-child { flex: 1; flex-wrap: wrap; height: 3.1mm; min-width: 0; overflow: hidden; }
.one-line p > *, .two-line p:last-child > * { flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.one-line p > b, .two-line p > b { flex-grow: 9; min-width: 5ch; max-width: max-content; }
.one-line p > small, .two-line p > small, .one-line time { flex: none !important; }
.block em { font-size: 6.5pt; text-transform: uppercase; font-style: normal; border: .2mm solid #777; padding: 0 .5mm; }
.is-pending { background: #fff8dc; border-left-color: #b8860b; }
.is-arrived, .is-in_service { background: #e3f2fd; border-left-color: #1565c0; }
.is-completed { background: #f2f2f2; border-left-color: #777; }
.is-cancelled, .is-no_show { background: #fff; border-left-color: #c62828; }
.is-cancelled b, .is-no_show b, tr.is-cancelled td, tr.is-no_show td { text-decoration: line-through; }
td:nth-child(3), td:nth-child(5), td:nth-child(6) { white-space: nowrap; }
td:last-child { width: 18%; }
@media screen { .landscape section { height: 208mm; } }
`;
