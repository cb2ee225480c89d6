import stringWidth from 'string-width';
import { freesSlot, readStatus } from '../../contract/appointment.ts';
import { cleanText } from '../../text/clean-text.ts';
import { renderLongDay } from '../../time/local-days.ts';
import { hourMs } from '../../time/time.ts';
import { toHeading } from '../output/field-words.ts';
import { cutEnd, padToWidth, wrapText, wrapWords } from '../output/fit-text.ts';
import { findAway, renderAway } from './away.ts';
import type { CalendarEntry, CalendarStyle, DayContents } from './calendar.ts';
import { createDayClock } from './calendar-days.ts';
import { renderEmptyDay } from './draw-calendar.ts';
import { createChalk, joinLines, renderTitle } from './frame.ts';

/** What an appointment needs from the reception, in the order of the list. */
const duties = {
  ...{ not_arrived: 'Not arrived', not_completed: 'Not completed' },
  ...{ stylist_away: 'Stylist away', to_confirm: 'To confirm' },
};

/** What is wrong with an appointment at this moment, or has to be done before it. */
export function findDuty(entry: CalendarEntry, nowMs: number): keyof typeof duties | undefined {
  const { startMs, endMs } = entry;
  const status = readStatus(entry.status);
  if ((status === 'confirmed' || status === 'pending') && startMs <= nowMs) return 'not_arrived';
  if ((status === 'arrived' || status === 'in_service') && endMs <= nowMs) return 'not_completed';
  return status === 'pending' ? 'to_confirm' : undefined;
}

interface DueRow {
  /** What has to be done; empty if the appointment is in order. */
  readonly label: string;
  readonly time: string;
  readonly client: string;
  readonly phone: string;
  readonly work: string;
}

interface DueStyle extends CalendarStyle {
  /** Sentences for screen readers. */
  readonly isPlain: boolean;
  /** Above the calendar of the day, which has the rest. */
  readonly isAbove?: boolean;
}

/** The command that shows everything. */
const wholeDay = 'salon today --whole-day';
/** How far ahead the list of the next appointments looks. */
const aheadMs = 3 * hourMs;
/** A narrower terminal gets sentences instead of columns. */
const minWidthForColumns = 60;
/** Keeps a phone number together until it is printed. */
const noBreak = '\u00a0';
const [maxClientWidth, minClientWidth, usualWorkWidth] = [24, 10, 21];

/** What reception has to know now, on one screen: what is due, who comes next, who is away. */
export function renderToday(contents: DayContents, style: DueStyle): string {
  const { day, timeZone, nowMs, entries } = contents;
  const { width, height, isPlain } = style;
  const chalk = createChalk(style);
  const title = `${renderLongDay(day.dateMs)}, ${createDayClock(day, timeZone).text(nowMs)}`;
  const head = renderTitle({ ...contents, title, notes: [] }, chalk, width);
  const wrap = (text: string) => (isPlain ? [text] : wrapText(text, width));
  const away = renderAway(day, contents, { isListed: ({ endMs }) => endMs > nowMs, all: wholeDay });
  const hint = wrap(`The calendar of the day: ${wholeDay}`).map((line) => chalk.dim(line));
  const foot = [...(entries.length === 0 ? renderEmptyDay(contents) : away).flatMap(wrap), ...hint];
  // The prompt has a line, too.
  const room = isPlain ? Number.POSITIVE_INFINITY : height - 1 - head.length - foot.length;
  const body = entries.length === 0 ? [] : renderDue(contents, { ...style, height: room });
  return joinLines([...head.map((line) => line.replace(' (--all)', '')), ...body, ...foot]);
}

/** What is due and who comes next, in at most `height` lines; each list ends in a blank line. */
export function renderDue(contents: DayContents, style: DueStyle): readonly string[] {
  const lists = listDue(contents);
  const chalk = createChalk(style);
  const all = lists.flatMap(({ rows }) => rows);
  const render = createRowRenderer(all, style);
  const parts = lists.map(({ title, rows }) => ({ title, lines: rows.map(render) }));
  let room = style.height - 2 * lists.length;
  return parts.flatMap(({ title, lines }, index) => {
    const isLast = index === parts.length - 1;
    const share = Math.max(Math.ceil(room / 2), room - (parts[1]?.lines.length ?? 0));
    const own = fitLines(lines, isLast ? room : share, style.isAbove || style.width < minWidthForColumns);
    room -= own.length;
    return [style.isPlain ? `${title}.` : chalk.bold(title), ...own, ''];
  });
}

/** What is due, if anything, then who comes in the next three hours or else first. */
function listDue({ entries, stylists, blocks, day, timeZone, nowMs }: DayContents) {
  const clock = createDayClock(day, timeZone);
  const names = new Map(stylists.map(({ id, name }) => [id, name]));
  const byTime = entries.toSorted((a, b) => a.startMs - b.startMs);
  const open = byTime.filter(
    ({ endMs, status }) => endMs > nowMs && !freesSlot(status) && status !== 'completed',
  );
  const ahead = open.filter(({ startMs }) => startMs > nowMs);
  const soon = ahead.filter(({ startMs }) => startMs <= nowMs + aheadMs);
  const next = soon.length > 0 ? soon : ahead.filter(({ startMs }) => startMs === ahead[0]?.startMs);
  const toLabel = (entry: CalendarEntry): string => {
    const isAway = open.includes(entry) && findAway(blocks, entry.stylistId, entry).length > 0;
    const duty = isAway ? 'stylist_away' : findDuty(entry, nowMs);
    if (duty !== undefined) return duties[duty];
    return entry.status === 'confirmed' ? '' : toHeading(entry.status);
  };
  const toRow = (entry: CalendarEntry): DueRow => ({
    label: toLabel(entry),
    time: clock.spanText(entry).from,
    client: cleanText(entry.client),
    phone: cleanText(entry.phone ?? '').replaceAll(' ', noBreak),
    work: cleanText(`${names.get(entry.stylistId) ?? entry.stylistId}, ${entry.service}`),
  });
  const order = Object.values(duties);
  const others = byTime.filter((entry) => !next.includes(entry)).map(toRow);
  const due = order.flatMap((duty) => others.filter(({ label }) => label === duty));
  const title = soon.length > 0 ? 'Next three hours' : 'Next';
  return [
    ...(due.length === 0 ? [] : [{ title: `Due at ${clock.text(nowMs)}`, rows: due }]),
    { title: next.length > 0 ? title : 'No more appointments today', rows: next.map(toRow) },
  ];
}

/** Rows in columns, or as sentences where these would be too narrow. A phone number is shown whole or not at all. */
function createRowRenderer(
  rows: readonly DueRow[],
  { width, isPlain }: DueStyle,
): (row: DueRow) => readonly string[] {
  const widest = (key: keyof DueRow) =>
    rows.reduce((most, { [key]: text }) => Math.max(most, stringWidth(text)), 0);
  const [label, time, phone] = [widest('label'), widest('time'), widest('phone')];
  const indent = label === 0 ? 2 : label + 4;
  const left = width - indent - time - phone - 6 - usualWorkWidth;
  const client = Math.min(maxClientWidth, widest('client'), Math.max(minClientWidth, left));
  return (row) => {
    const start = row.label === '' ? row.time : `${row.label}: ${row.time}`;
    const sentence = `${start} ${[row.client, row.phone, row.work].filter(Boolean).join(', ')}.`;
    const cells = [padToWidth(row.time, time), padToWidth(row.client, client), padToWidth(row.phone, phone)];
    const columns = `${padToWidth(`  ${row.label}`, indent)}${[...cells, row.work].join('  ')}`;
    const wrapped = width < minWidthForColumns ? wrapWords(sentence, width) : [cutEnd(columns, width)];
    return (isPlain ? [sentence] : wrapped).map((line) => line.replaceAll(noBreak, ' '));
  };
}

/** At most so many lines, whole rows: the others are counted. */
function fitLines(rows: readonly (readonly string[])[], most: number, isShort: boolean): readonly string[] {
  if (rows.flat().length <= Math.max(1, most)) return rows.flat();
  let count = 0;
  while (rows.slice(0, count + 1).flat().length < most) count += 1;
  const more = `  … and ${rows.length - count} more`;
  return [...rows.slice(0, count).flat(), isShort ? more : `${more}: ${wholeDay}`];
}
