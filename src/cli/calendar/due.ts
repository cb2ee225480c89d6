import { freesSlot } from '../../client/appointment-status.ts';
import { cleanText } from '../../text/clean-text.ts';
import { renderLongDay } from '../../time/local-days.ts';
import { hourMs } from '../../time/time.ts';
import { createChalk, joinLines } from '../output/document.ts';
import { toHeading } from '../output/field-words.ts';
import { wrapText } from '../output/fit-text.ts';
import { drawRows, fitTable } from '../output/table-layout.ts';
import { findAway, renderAway } from './away.ts';
import { type CalendarEntry, type CalendarStyle, type DayContents, findDuty } from './calendar.ts';
import { createDayClock } from './calendar-days.ts';
import { renderEmptyDay } from './draw-calendar.ts';
import { renderTitle } from './frame.ts';

/** What an appointment needs from the reception, in the order of the list. */
const duties = {
  ...{ not_arrived: 'Not arrived', not_completed: 'Not completed' },
  ...{ stylist_away: 'Stylist away', to_confirm: 'To confirm' },
};

/** What has to be done, empty if the appointment is in order, then when, who and what. */
type DueRow = Readonly<Record<keyof typeof dueColumns | 'sameDay', string>>;

interface DueStyle extends CalendarStyle {
  /** Above the calendar of the day, which has the rest. */
  readonly isAbove?: boolean;
}

/** The command that shows everything. */
const wholeDay = 'salon today --whole-day';
/** How far ahead the list of the next appointments looks. */
const aheadMs = 3 * hourMs;
/** A narrower terminal gets sentences instead of columns. */
const minWidthForColumns = 60;
/** A phone number is shown whole or not at all. */
const dueColumns = {
  ...{ label: {}, time: {}, client: { least: [10], most: 24 } },
  ...{ phone: {}, work: { least: [21, 13, 6], grows: Number.POSITIVE_INFINITY } },
};
const dueKeys = ['label', 'time', 'client', 'phone', 'work'] as const;

/** What reception has to know now, on one screen: what is due, who comes next, who is away. */
export function renderToday(
  contents: DayContents & { readonly waiting: readonly string[] },
  style: DueStyle,
): string {
  const { day, timeZone, nowMs, entries, waiting } = contents;
  const { width, height, plain } = style;
  const chalk = createChalk(style);
  const title = `${renderLongDay(day.dateMs)}, ${createDayClock(day, timeZone).text(nowMs)}`;
  const head = renderTitle({ ...contents, title, notes: [] }, chalk, width);
  const wrap = (text: string) => wrapText(text, width);
  const away = renderAway(day, contents, { isListed: ({ endMs }) => endMs > nowMs, all: wholeDay });
  const hint = wrap(`The calendar of the day: ${wholeDay}`).map((line) => chalk.dim(line));
  const state = entries.length === 0 ? renderEmptyDay(contents) : away;
  const foot = [...[...state, ...waiting].flatMap(wrap), ...hint];
  // The prompt has a line, too.
  const room = plain ? Number.POSITIVE_INFINITY : height - 1 - head.length - foot.length;
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
    const share = Math.max(Math.ceil(room / 2), room - (parts[1]?.lines.flat().length ?? 0));
    const own = fitLines(lines, isLast ? room : share, style.isAbove || style.width < minWidthForColumns);
    room -= own.length;
    return [style.plain ? `${title}.` : chalk.bold(title), ...own, ''];
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
    phone: cleanText(entry.phone ?? ''),
    work: cleanText(`${names.get(entry.stylistId) ?? entry.stylistId}, ${entry.service}`),
    sameDay: entry.sameDay ?? '',
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

/** Rows in columns, or as sentences where these would be too narrow. */
function createRowRenderer(
  rows: readonly DueRow[],
  { width, plain }: DueStyle,
): (row: DueRow) => readonly string[] {
  const keys = dueKeys.filter((key) => rows.some((row) => row[key] !== ''));
  const toCells = (row: DueRow) => keys.map((key) => ({ text: row[key] }));
  const isNarrow = plain || width < minWidthForColumns;
  const columns = keys.map((key) => dueColumns[key]);
  const layout = isNarrow ? undefined : fitTable(columns, rows.map(toCells), width - 2);
  const below = ({ sameDay }: DueRow) =>
    sameDay === '' ? [] : wrapText(sameDay, width - 6).map((line) => `    + ${line}`);
  if (layout !== undefined)
    return (row) => [`  ${drawRows([toCells(row)], layout).trimEnd()}`, ...below(row)];
  return ({ label, time, client, phone, work, sameDay }) => {
    const start = label === '' ? time : `${label}: ${time}`;
    return wrapText(`${start} ${[client, phone, work, sameDay].filter(Boolean).join(', ')}.`, width, 'cut');
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
