import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, collect, joinLists, type PrintFlags } from '../../flags/options.ts';
import { reportCost } from '../../messages/request-cost.ts';
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
  const command = parent
    .command('calendar')
    .argument('[day]', 'day: today (default), tomorrow, fri, 24/11/2026')
    .description('Show a day or week as a calendar')
    .option('--day <day>', 'Same as the argument')
    .option('--week', 'Show the week, Monday to Sunday')
    .option('--stylist <name>', 'Filter by stylist name or ID; repeatable', collect)
    .option('--status <a,b>', 'Filter by status, e.g. confirmed,arrived', joinLists)
    .option('--all', 'Include cancelled appointments and no-shows')
    .option('--no-names', 'Show client IDs instead of names (saves requests)');
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments calendar', 'Show today'],
    ['salon appointments calendar tomorrow --stylist Theo', "Show one stylist's day"],
    ['salon appointments calendar 2026-11-24 --week', 'Show how busy each stylist is that week'],
  ]);
  command.action(runner.action(showCalendar));
}

async function showCalendar(
  context: CommandContext<Flags>,
  argument: string | undefined,
): Promise<CommandResult> {
  const { flags, io, messages } = context;
  const { stylist: stylists = [], status, columns, week: isWeek = false, all: isAll = false } = flags;
  if (argument !== undefined && flags.day !== undefined) {
    throw new SalonError('usage', 'Pass the day only once: as the argument or with --day.');
  }
  const { parseCalendarDays, readCalendar, drawCalendar, toCalendarRows, calendarColumns } =
    await loadCalendar();
  const { settings } = await context.session();
  const timeZone = settings.timeZone.value;
  const now = io.now();
  const days = parseCalendarDays(argument ?? flags.day ?? 'today', { isWeek, now, timeZone });
  const isDrawn = (await readLayout(context)) === 'table' && columns === undefined;
  const isOverview = isDrawn && isWeek && stylists.length !== 1 && !(await context.isPlain());
  const client = await context.client();
  const calendar = await readCalendar(
    // The week of the whole salon shows no clients.
    { days, stylists, status, isAll, withNames: flags.names !== false && !isOverview },
    {
      client,
      concurrency: settings.concurrency.value,
      explain: messages.verbose,
      warn: messages.warn,
      announce: (records) => {
        const perHour = settings.ratePerHour?.value;
        const cost = { records, perPage: 1, limit: client.limits(), perHour, nowMs: now.getTime(), timeZone };
        reportCost(cost, messages);
      },
    },
  );
  if (stylists.length === 0 && settings.baseUrl !== undefined) {
    rememberStylists(io, settings.baseUrl.value, calendar.stylists);
  }
  if (isDrawn) return { show: 'pagedText', text: await drawCalendar(calendar, days, context) };
  const pages = onePage(toCalendarRows(calendar));
  return { show: 'records', noun: 'appointments', columns: calendarColumns, pages };
}

async function loadCalendar() {
  const [days, reading, drawing, calendar] = await Promise.all([
    import('../../calendar/calendar-days.ts'),
    import('../../calendar/read-calendar.ts'),
    import('../../calendar/draw-calendar.ts'),
    import('../../calendar/calendar.ts'),
  ]);
  return { ...days, ...reading, ...drawing, ...calendar };
}
