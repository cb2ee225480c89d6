import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, collect, joinLists, type PrintFlags } from '../../flags/options.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import { readLayout } from '../../output/format.ts';
import { rememberStylists } from '../../people/known-stylists.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends PrintFlags {
  readonly day?: string;
  readonly week?: boolean;
  readonly stylist?: readonly string[];
  readonly status?: string;
  readonly all?: boolean;
  readonly names?: boolean;
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
    .option('--no-names', 'Show client IDs instead of names (saves requests)');
  addPrintOptions(command);
  addExamples(command, [
    [name, 'Show today'],
    [`${name} tomorrow --stylist Theo`, "Show one stylist's day"],
    [`${name} 2026-11-24 --week`, 'Show how busy each stylist is that week'],
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
  const { resolveStylists } = await import('../../people/resolve-filters.ts');
  const stylists = await resolveStylists(flags.stylist, context);
  const isDrawn = (await readLayout(context)) === 'table' && columns === undefined;
  const isOverview = isDrawn && isWeek && stylists.length !== 1 && !(await context.isPlain());
  const calendar = await readCalendar(
    // The week of the whole salon shows no clients.
    { days, stylists, status, isAll, withNames: flags.names !== false && !isOverview },
    await createCalendarSource(context),
  );
  if (stylists.length === 0 && settings.baseUrl !== undefined) {
    rememberStylists(io, settings.baseUrl.value, calendar.stylists);
  }
  if (isDrawn) return { show: 'pagedText', text: await calendars.drawCalendar(calendar, days, context) };
  const pages = onePage(calendars.toCalendarRows(calendar));
  return { show: 'records', noun: 'appointments', columns: calendars.calendarColumns, pages };
}

async function loadCalendar() {
  const [days, reading, source, drawing, calendar] = await Promise.all([
    import('../../calendar/calendar-days.ts'),
    import('../../calendar/read-calendar.ts'),
    import('../../calendar/calendar-source.ts'),
    import('../../calendar/draw-calendar.ts'),
    import('../../calendar/calendar.ts'),
  ]);
  return { ...days, ...reading, ...source, ...drawing, ...calendar };
}
