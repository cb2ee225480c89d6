import { countOf } from '../../contract/numbers.ts';
import { minuteMs } from '../../contract/time.ts';
import { renderMinutes } from '../output/cell.ts';
import { statusWord } from '../output/status.ts';
import type { CalendarEntry, CalendarStylist } from './calendar.ts';
import {
  type CalendarDay,
  createDayClock,
  createSpanText,
  describeClockChange,
  overlaps,
  renderDate,
} from './calendar-days.ts';
import { escapeHtml } from './html.ts';
import { statusClass } from './paper-grid.ts';

/** The appointments of one stylist, day by day. */
export interface PaperListContents {
  readonly stylist: CalendarStylist;
  readonly entries: readonly CalendarEntry[];
  readonly days: readonly CalendarDay[];
  /** The days as a title. */
  readonly span: string;
  readonly timeZone: string;
  /** When the page was made. */
  readonly asOf: string;
}

/** A page with a table of one stylist's appointments. */
export function renderPaperList({ stylist, entries, days, span, timeZone, asOf }: PaperListContents): string {
  const total = `${countOf(entries.length, 'appointments')}. Times are in ${timeZone}. ${asOf}`;
  const tables = days.map((day) => renderDayTable(day, { entries, timeZone, hasHeading: days.length > 1 }));
  return `<section class="list">
<header><h1><bdi>${escapeHtml(stylist.name)}</bdi></h1><p>${escapeHtml(span)}. ${escapeHtml(total)}</p></header>
${tables.join('\n')}
</section>`;
}

function renderDayTable(
  day: CalendarDay,
  {
    entries,
    timeZone,
    hasHeading,
  }: Pick<PaperListContents, 'entries' | 'timeZone'> & { readonly hasHeading: boolean },
): string {
  const clock = createDayClock(day, timeZone);
  const spanText = createSpanText(day, clock);
  const change = describeClockChange(clock);
  const own = entries.filter((entry) => overlaps(entry, day));
  const rows = own.map((entry) => {
    const { client, service, status, startMs, endMs, isOpenEnded } = entry;
    const minutes = isOpenEnded === true ? '?' : renderMinutes(Math.round((endMs - startMs) / minuteMs));
    const cells = [spanText(entry).whole, client, service, minutes, statusWord(status)].map(escapeHtml);
    return `<tr class="${statusClass(status)}">${cells.map((cell) => `<td><bdi>${cell}</bdi></td>`).join('')}<td></td></tr>`;
  });
  const heading = hasHeading ? `<h2>${escapeHtml(renderDate(day))}</h2>` : '';
  const note = change === undefined ? '' : `<p>${escapeHtml(change)}</p>`;
  if (rows.length === 0) return `<div class="day">${heading}${note}<p>No appointments.</p></div>`;
  const head = ['Time', 'Client', 'Service', 'Length', 'Status', 'Notes']
    .map((name) => `<th>${name}</th>`)
    .join('');
  return `<div class="day">${heading}${note}<table><thead><tr>${head}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`;
}
