import { extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { countOf } from '../../../contract/numbers.ts';
import type { ActionRunner } from '../../action-runner.ts';
import type { Calendar } from '../../calendar/calendar.ts';
import type { CalendarDay } from '../../calendar/calendar-days.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addExtensions, addPrintOptions, collect, joinLists, type PrintFlags } from '../../flags/options.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import { readLayout } from '../../output/format.ts';
import { printPartialError } from '../../output/print-records.ts';
import { rememberStylists } from '../../people/known-stylists.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends PrintFlags {
  readonly day?: string;
  readonly week?: boolean;
  readonly stylist?: readonly string[];
  readonly status?: string;
  readonly all?: boolean;
  readonly names?: boolean;
  readonly byStylist?: boolean;
}

export function registerAppointmentsCalendar(parent: Command, runner: ActionRunner): void {
  const command = parent.command('calendar').description('Show a day or week as a calendar');
  addCalendar(command, 'salon appointments calendar', runner);
}

/** The same at the top: `salon calendar`. */
export function registerCalendar(command: Command, runner: ActionRunner): void {
  addCalendar(command, 'salon calendar', runner);
}

function addCalendar(command: Command, name: string, runner: ActionRunner): void {
  command
    .argument('[day]', 'day: today (default), tomorrow, fri, 24/11/2026')
    .option('--day <day>', 'Same as the argument')
    .option('--week', 'Show the week, Monday to Sunday')
    .option('--stylist <who>', 'Filter by stylist: name, email, phone or ID; repeatable', collect)
    .option('--status <a,b>', 'Filter by status, e.g. confirmed,arrived', joinLists)
    .option('--all', 'Include cancelled appointments and no-shows')
    .option('--no-names', 'Show client IDs instead of names (saves requests)')
    .option('--by-stylist', 'With -o day.html: a page for each stylist');
  addExtensions(addPrintOptions(command), ['.html', '.ics']);
  addExamples(command, [
    [name, 'Show today'],
    [`${name} tomorrow --stylist Theo`, "Show one stylist's day"],
    [`${name} 2026-11-24 --week`, 'Show how busy each stylist is that week'],
    [`${name} tomorrow -o day.html`, 'Write a page to print (A4); .ics for calendar programs'],
  ]);
  command.action(runner.action(showCalendar));
}

async function showCalendar(
  context: CommandContext<Flags>,
  argument: string | undefined,
): Promise<CommandResult> {
  const { flags, io } = context;
  const { status, columns, week: isWeek = false, all: isAll = false } = flags;
  if (argument !== undefined && flags.day !== undefined) {
    throw new SalonError('usage', 'Pass the day only once: as the argument or with --day.');
  }
  const { parseCalendarDays, readCalendar, createCalendarSource, ...calendars } = await loadCalendar();
  const { settings } = await context.session();
  const timeZone = settings.timeZone.value;
  const now = io.now();
  const days = parseCalendarDays(argument ?? flags.day ?? 'today', { isWeek, now, timeZone });
  const file = await readCalendarFile(context);
  const { resolveStylists } = await import('../../people/resolve-filters.ts');
  const stylists = await resolveStylists(flags.stylist, context);
  const isDrawn = file === undefined && (await readLayout(context)) === 'table' && columns === undefined;
  const isOverview = isDrawn && isWeek && stylists.length !== 1 && !(await context.isPlain());
  const calendar = await readCalendar(
    // The week of the whole salon shows no clients.
    { days, stylists, status, isAll, withNames: flags.names !== false && !isOverview },
    await createCalendarSource(context),
  );
  if (stylists.length === 0 && settings.baseUrl !== undefined) {
    rememberStylists(io, settings.baseUrl.value, [...calendar.stylists, ...(calendar.off ?? [])]);
  }
  const { fault } = calendar;
  const ending = fault === undefined ? {} : { exitCode: await printPartialError(fault, context) };
  if (file !== undefined)
    return { ...(await writeCalendarFile(file, calendar, { days, context })), ...ending };
  if (isDrawn)
    return { show: 'pagedText', text: await calendars.drawCalendar(calendar, days, context), ...ending };
  const pages = onePage(calendars.toCalendarRows(calendar, columns));
  return { show: 'records', noun: 'appointments', columns: calendars.calendarColumns, pages, ...ending };
}

/** A file that only a calendar is written to. `--format` overrides the extension. */
async function readCalendarFile({ flags, session }: CommandContext<Flags>) {
  const { output, columns, byStylist } = flags;
  const extension = output === undefined ? '' : extname(output).toLowerCase();
  const isChosen = (await session()).settings.format?.source === 'flag';
  if (byStylist && (extension !== '.html' || isChosen)) {
    throw new SalonError('usage', '--by-stylist is for pages to print.', { hint: 'Add -o day.html.' });
  }
  if (output === undefined || isChosen || (extension !== '.html' && extension !== '.ics')) return undefined;
  if (columns === undefined) return { output, extension } as const;
  throw new SalonError('usage', `--columns does not apply to ${output}.`, {
    hint: 'Name the file .csv or .xlsx to choose columns.',
  });
}

interface Written {
  readonly days: readonly CalendarDay[];
  readonly context: CommandContext<Flags>;
}

async function writeCalendarFile(
  { output, extension }: { readonly output: string; readonly extension: '.html' | '.ics' },
  calendar: Calendar,
  { days, context }: Written,
): Promise<CommandResult> {
  const { flags, io, session } = context;
  const { timeZone, baseUrl } = (await session()).settings;
  const { writeOutputFile } = await import('../../output/output-file.ts');
  const now = io.now();
  let text: string;
  if (extension === '.html') {
    const { renderPaper } = await import('../../calendar/paper.ts');
    const contents = { ...calendar, days, timeZone: timeZone.value, nowMs: now.getTime() };
    text = renderPaper(contents, { byStylist: flags.byStylist === true });
  } else {
    const { renderCalendarFile } = await import('../../calendar/calendar-file.ts');
    const host = URL.parse(baseUrl?.value ?? '')?.host || 'salon';
    const { stylists } = calendar;
    const name = stylists.length === 1 ? `Salon: ${stylists[0]?.name}` : 'Salon';
    text = renderCalendarFile(calendar, { name, now, host });
  }
  await writeOutputFile(resolve(io.cwd, output), text);
  const message = `${countOf(calendar.entries.length, 'appointments')} written to ${output}`;
  return { show: 'nothing', message };
}

async function loadCalendar() {
  const [days, reading, source, drawing, calendar] = await Promise.all([
    import('../../calendar/calendar-days.ts'),
    import('../../calendar/read-calendar.ts'),
    import('../../calendar/read-calendar.ts'),
    import('../../calendar/draw-calendar.ts'),
    import('../../calendar/calendar.ts'),
  ]);
  return { ...days, ...reading, ...source, ...drawing, ...calendar };
}
