import { extname, resolve } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import type { TimeSpan } from '../../time/time.ts';
import type { PrintFlags } from '../flags/options.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { hasManyColors, readClock, readLayout, readStyle } from '../output/format.ts';
import { printPartialError } from '../output/print-records.ts';
import { rememberStylists } from '../people/known-stylists.ts';
import { readWaiting } from '../people/resolve-entry.ts';
import { resolveStylistAndTime } from '../people/resolve-filters.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type Calendar, calendarColumns, findDuty, toCalendarRows } from './calendar.ts';
import { type CalendarDay, parseCalendarDays } from './calendar-days.ts';
import { readCalendar } from './read-calendar.ts';

export interface CalendarFlags extends PrintFlags {
  readonly day?: string;
  readonly week?: boolean;
  readonly stylist?: readonly string[];
  readonly status?: string;
  readonly all?: boolean;
  readonly noNames?: boolean;
  readonly byStylist?: boolean;
}

/** Shows a day or week as a calendar, or writes it to a file. */
export async function showCalendar(
  context: CommandContext<CalendarFlags>,
  words: readonly string[],
): Promise<CommandResult> {
  const { flags, io } = context;
  const { status, columns, all: isAll = false } = flags;
  const { settings } = await context.session();
  const moments = { ...(await readClock(context)), isWeek: flags.week === true };
  const parseTime = (text: string) => parseCalendarDays(text, moments);
  const { time, stylistIds: stylists } = await resolveStylistAndTime(words, { ...flags, parseTime }, context);
  if (time !== '' && flags.day !== undefined)
    throw new SalonError('usage', 'Pass the day only once: as the argument or with --day.');
  const days = parseTime(time || (flags.day ?? 'today'));
  const isWeek = days.length > 1;
  const file = await readCalendarFile(context);
  const isDrawn = file === undefined && (await isCalendarDrawn(context));
  const isOverview = isDrawn && isWeek && stylists.length !== 1 && !(await context.isPlain());
  // The week of the whole salon shows no clients.
  const withNames = !flags.noNames && !isOverview;
  const withSameDay = file === undefined ? isDrawn && !isOverview : isPage(file);
  const calendar = await readCalendar({ days, stylists, status, isAll, withNames, withSameDay }, context);
  if (stylists.length === 0 && settings.baseUrl !== undefined) {
    rememberStylists(io, settings.baseUrl.value, [...calendar.stylists, ...(calendar.off ?? [])]);
  }
  const ending = await reportFault(calendar, context);
  if (file !== undefined) {
    return { ...(await writeCalendarFile(file, { ...calendar, days }, context)), ...ending };
  }
  if (isDrawn) {
    const { drawCalendar } = await import('./draw-calendar.ts');
    return { show: 'pagedText', text: await drawCalendar(calendar, days, context), ...ending };
  }
  const pages = onePage(toCalendarRows(calendar, columns));
  return { show: 'records', noun: 'appointments', columns: calendarColumns, pages, ...ending };
}

const todayColumns = {
  ...calendarColumns,
  all: [...calendarColumns.all, { key: 'due', kind: 'status' as const }],
  table: [...calendarColumns.table, 'due'],
};

/** Of what is due, above the calendar of the day. */
const maxLinesAbove = 16;

/** Shows what is due today, alone or above the calendar, or in a column. */
export async function showToday(
  context: CommandContext<Pick<CalendarFlags, 'stylist'> & PrintFlags & { readonly wholeDay?: boolean }>,
  words: readonly string[],
): Promise<CommandResult> {
  const { flags, io } = context;
  const textStyle = await readStyle(context);
  const { timeZone } = textStyle;
  const now = io.now();
  const nowMs = now.getTime();
  const parseTime = (text: string) => parseCalendarDays(text, { isWeek: false, now, timeZone });
  const days = parseTime('today');
  const { time, stylistIds: stylists } = await resolveStylistAndTime(words, { ...flags, parseTime }, context);
  const hint = `Try: salon calendar ${words.join(' ')}`;
  if (!['', 'today'].includes(time)) throw new SalonError('usage', 'This shows today only.', { hint });
  const [day] = days;
  const isDrawn = day !== undefined && (await isCalendarDrawn(context));
  const query = { days, stylists, status: undefined, isAll: false, withNames: true, withSameDay: isDrawn };
  const [calendar, waiting] = await Promise.all([
    readCalendar(query, context),
    isDrawn ? describeWaiting({ startMs: nowMs, endMs: day.endMs }, stylists, context) : [],
  ]);
  const ending = await reportFault(calendar, context);
  if (!isDrawn) {
    const rows = toCalendarRows(calendar, flags.columns).map((row, index) => {
      const entry = calendar.entries[index];
      return { ...row, due: (entry && findDuty(entry, nowMs)) ?? null };
    });
    const pages = onePage(rows);
    return { show: 'records', noun: 'appointments', columns: todayColumns, pages, ...ending };
  }
  const [{ renderDue, renderToday }, { drawCalendar }, { joinLines }] = await Promise.all([
    import('./due.ts'),
    import('./draw-calendar.ts'),
    import('../output/document.ts'),
  ]);
  const style = { ...textStyle, height: io.terminal.rows, hasManyColors: hasManyColors(io) };
  const contents = { ...calendar, day, timeZone, nowMs, waiting };
  if (flags.wholeDay !== true) return { show: 'pagedText', text: renderToday(contents, style), ...ending };
  const due =
    calendar.entries.length === 0
      ? []
      : renderDue(contents, { ...style, height: maxLinesAbove, isAbove: true });
  const drawn = await drawCalendar(calendar, days, context, due.length);
  return { show: 'pagedText', text: joinLines(due) + drawn + joinLines(waiting), ...ending };
}

/** How many clients wait for some of the time; nothing where nobody does, or it is not known. */
async function describeWaiting(
  span: TimeSpan,
  stylists: readonly string[],
  context: CommandContext,
): Promise<readonly string[]> {
  const waiting = await readWaiting({ span }, context).catch(() => []);
  const isFor = (id: string | null) => id === null || stylists.length === 0 || stylists.includes(id);
  const clients = new Set(waiting.flatMap((one) => (isFor(one.stylist_id) ? [one.client_id] : [])));
  if (clients.size === 0) return [];
  const wait = clients.size === 1 ? 'waits' : 'wait';
  return [`${countOf(clients.size, 'clients')} ${wait} for a time today: salon waitlist match`];
}

async function isCalendarDrawn(context: CommandContext<PrintFlags>): Promise<boolean> {
  return (await readLayout(context)) === 'table' && context.flags.columns === undefined;
}

/** Prints what is wrong with appointments that cannot be read. */
async function reportFault({ fault }: Calendar, context: CommandContext<PrintFlags>) {
  return fault === undefined ? {} : { exitCode: await printPartialError(fault, context) };
}

/** A file that only a calendar is written to. `--format` overrides the extension. */
async function readCalendarFile(context: CommandContext<CalendarFlags>): Promise<string | undefined> {
  const { findPageFile } = await import('../output/printed-page.ts');
  const file = await findPageFile(context, ['.html', '.ics']);
  if (!context.flags.byStylist || (file !== undefined && isPage(file))) return file;
  throw new SalonError('usage', '--by-stylist is for pages to print.', { hint: 'Add -o day.html.' });
}

function isPage(file: string): boolean {
  return extname(file).toLowerCase() === '.html';
}

async function writeCalendarFile(
  output: string,
  { days, ...calendar }: Calendar & { readonly days: readonly CalendarDay[] },
  context: CommandContext<CalendarFlags>,
): Promise<CommandResult> {
  const { flags, io, session } = context;
  const { writeOutputFile } = await import('../output/output-file.ts');
  const now = io.now();
  let text: string;
  if (isPage(output)) {
    const { renderPrintedCalendar } = await import('./printed-calendar.ts');
    const contents = { ...calendar, days, timeZone: await context.timeZone(), nowMs: now.getTime() };
    text = renderPrintedCalendar(contents, { byStylist: flags.byStylist === true });
  } else {
    const { renderCalendarFile } = await import('./calendar-file.ts');
    const { baseUrl } = (await session()).settings;
    const host = URL.parse(baseUrl?.value ?? '')?.host || 'salon';
    const { stylists } = calendar;
    const name = stylists.length === 1 ? `Salon: ${stylists[0]?.name}` : 'Salon';
    text = renderCalendarFile(calendar, { name, now, host });
  }
  await writeOutputFile(resolve(io.cwd, output), text);
  const message = `${countOf(calendar.entries.length, 'appointments')} written to ${output}`;
  return { show: 'nothing', message };
}
