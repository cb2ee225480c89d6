import { minuteMs, type TimeSpan } from '../../time/time.ts';
import { statusWord } from '../output/field-words.ts';
import { escapeHtml } from '../output/printed-page.ts';
import type { AwayTime } from './away.ts';
import type { CalendarEntry } from './calendar.ts';
import { type CalendarDay, createDayClock, type DayClock, overlaps, type SpanText } from './calendar-days.ts';
import { type LineSpan, toLanes } from './grid-layout.ts';

/** A page with time down and stylists or days across. */
export interface PrintedGrid {
  readonly title: string;
  /** Sentences below the title. */
  readonly details: readonly string[];
  readonly columns: readonly PrintedColumn[];
  readonly timeZone: string;
  /** The times on the days of the columns that decide which hours are shown. */
  readonly all: readonly TimeSpan[];
}

export interface PrintedColumn {
  readonly day: CalendarDay;
  readonly heading: string;
  readonly entries: readonly CalendarEntry[];
  /** When the stylist is away. */
  readonly away: readonly AwayTime[];
}

/** Hours shown on an empty day. */
const usualHours = { from: 9, to: 18 };
const minutesOfDay = 1440;
/** A block is never lower than this, so that a line of text fits. */
const minBlockMinutes = 15;
/** The height of all hours of a page, and of a line of text in a block. */
const trackMm = 163;
const lineMm = 3.1;

/** In minutes of local time since midnight. */
interface Placed<Item extends TimeSpan = CalendarEntry> extends LineSpan {
  readonly entry: Item;
}

export function renderPrintedGrid({ title, details, columns, timeZone, all }: PrintedGrid): string {
  const head = `<header><h1>${escapeHtml(title)}</h1><p>${details.map(escapeHtml).join(' ')}</p></header>`;
  if (columns.length === 0) return `<section>${head}</section>`;
  const clocks = new Map(columns.map(({ day }) => [day, createDayClock(day, timeZone)]));
  const hours = toHours([...clocks].flatMap(([day, clock]) => placeOn(day, clock, all)));
  const length = hours.to - hours.from;
  const percent = (minutes: number) => `${((minutes / 60 - hours.from) / length) * 100}`.slice(0, 8);
  const lines = Array.from({ length: length + 1 }, (_, index) => hours.from + index);
  const times = lines.map(
    (hour) => `<span style="top:${percent(hour * 60)}%">${String(hour % 24).padStart(2, '0')}:00</span>`,
  );
  const rules = lines.map((hour) => `<i style="top:${percent(hour * 60)}%"></i>`).join('');
  const tracks = columns.map(({ day, heading, entries, away }) => {
    const clock = clocks.get(day) ?? createDayClock(day, timeZone);
    const blocks = toLanes(placeOn(day, clock, entries)).map(({ item, lane, lanes }) => {
      const box = `top:${percent(item.from)}%;height:calc(${((item.to - item.from) / 60 / length) * 100}% - .3mm);left:${(lane / lanes) * 100}%;width:${100 / lanes}%`;
      const lines = Math.floor((((item.to - item.from) / 60 / length) * trackMm - 1) / lineMm);
      return renderBlock(item, { box, time: clock.spanText(item.entry), lines });
    });
    const behind = placeOn(day, clock, away).map(({ entry, from, to }) => {
      const [top, end] = [Math.max(from, hours.from * 60), Math.min(to, hours.to * 60)];
      if (top >= end) return '';
      const box = `top:${percent(top)}%;height:${((end - top) / 60 / length) * 100}%`;
      return `<aside style="${box}"><span>${escapeHtml(entry.label)} ${escapeHtml(clock.spanText(entry).whole)}</span></aside>`;
    });
    return `<div class="column"><h2><bdi>${escapeHtml(heading)}</bdi> <small>${entries.length}</small></h2><div class="track">${rules}${behind.join('')}${blocks.join('\n')}</div></div>`;
  });
  return `<section>
${head}
<div class="grid"><div class="times"><h2></h2><div class="track">${times.join('')}</div></div>
${tracks.join('\n')}
</div>
</section>`;
}

/** `box` is its position and size, as CSS, and `lines` how many lines of text fit. */
function renderBlock(
  { entry }: Placed,
  { box, time, lines }: { box: string; time: SpanText; lines: number },
) {
  const { client, phone = '', service, status, sameDay } = entry;
  // Most appointments are confirmed; only another status is news.
  const word = status === 'completed' ? '✓' : escapeHtml(statusWord(status));
  const mark = status === 'confirmed' ? '' : ` <em>${word}</em>`;
  const height = lines < 2 ? 'one-line' : lines < 3 ? 'two-line' : '';
  const classes = ['block', statusClass(status), height].filter(Boolean).join(' ');
  const when = `<time>${escapeHtml(lines < 2 ? time.from : time.whole)}</time>`;
  const call = phone === '' ? '' : ` <small><bdi>${escapeHtml(phone)}</bdi></small>`;
  const what = `<b><bdi>${escapeHtml(client)}</bdi></b>${call} <bdi>${escapeHtml(service)}</bdi>`;
  const others = sameDay === undefined ? '' : `, <bdi>${escapeHtml(sameDay)}</bdi>`;
  return `<article class="${classes}" style="${box}">${lines < 2 ? `<p>${when}</p> <p>${what}${mark}${others}</p>` : `<p>${when}${mark}${lines < 6 ? others : ''}</p><p>${what}${lines < 6 ? '' : others}</p>`}</article>`;
}

/** The CSS class of a status; a server may send any text in it. */
export function statusClass(status: string): string {
  return `is-${status.replace(/[^a-z_]/g, '')}`;
}

/** The parts of times that are on a day, by the clock on the wall. */
function placeOn<Item extends TimeSpan>(
  day: CalendarDay,
  { sinceMidnight }: DayClock,
  items: readonly Item[],
): readonly Placed<Item>[] {
  return items
    .filter((item) => overlaps(item, day))
    .map((entry) => {
      const from = entry.startMs < day.startMs ? 0 : sinceMidnight(entry.startMs) / minuteMs;
      const end = entry.endMs >= day.endMs ? minutesOfDay : sinceMidnight(entry.endMs) / minuteMs;
      // The clocks may go back in between.
      const to = Math.max(end, from + minBlockMinutes);
      return { entry, from: Math.min(from, minutesOfDay - minBlockMinutes), to: Math.min(minutesOfDay, to) };
    });
}

/** Whole hours around all times. */
function toHours(placed: readonly LineSpan[]): LineSpan {
  const from = Math.min(usualHours.from, ...placed.map((one) => Math.floor(one.from / 60)));
  const to = Math.max(usualHours.to, ...placed.map((one) => Math.ceil(one.to / 60)));
  return { from, to };
}
