import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { rememberStylists } from '../../completion/known-stylists.ts';
import { addExamples, addPrintOptions, collect, type PrintFlags } from '../../flags/options.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import { readLayout } from '../../output/format.ts';
import { reportCost } from '../../request-cost.ts';
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
    .argument('[day]', 'the day: today (when left out), tomorrow, +7d, 2026-11-24')
    .description(
      'Draw a day as a calendar: stylists across, time down; in a pipe, a row for each appointment',
    )
    .option('--day <day>', 'the same as the argument')
    .option('--week', 'the week around that day, Monday to Sunday: how full it is, or one stylist’s blocks')
    .option('--stylist <id>', 'only this stylist, by identifier or name; repeatable', collect)
    .option('--status <a,b>', 'only in one of these statuses, such as confirmed,arrived')
    .option('--all', 'also what is cancelled or a no-show')
    .option('--no-names', 'clients by their identifiers: saves the requests for their names');
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments calendar', 'today'],
    ['salon appointments calendar tomorrow --stylist Theo', 'one stylist’s day'],
    ['salon appointments calendar 2026-11-24 --week', 'how full each stylist is that week'],
    ['salon appointments calendar --week --stylist sty_01jd…', 'one stylist’s week'],
    ['salon appointments calendar -f csv -o today.csv', 'the day as rows, names included'],
  ]);
  command.action(runner.action(showCalendar));
}

async function showCalendar(
  context: CommandContext<Flags>,
  given: string | undefined,
): Promise<CommandResult> {
  const { flags, io, messages } = context;
  if (given !== undefined && flags.day !== undefined) {
    throw new SalonError('usage', 'Give the day once: as the argument, or with --day.');
  }
  const { readDays, readCalendar, drawCalendar, toCalendarRows, calendarColumns } = await loadCalendar();
  const { timeZone, ratePerHour, concurrency, baseUrl } = (await context.session()).settings;
  const now = io.now();
  const text = given ?? flags.day;
  const days = readDays({ text, isWeek: flags.week === true, now, timeZone: timeZone.value });
  const isDrawn = (await readLayout(context)) === 'table' && flags.columns === undefined;
  const { stylist: stylists = [], status } = flags;
  const isOverview = isDrawn && flags.week === true && stylists.length !== 1 && !(await context.isPlain());
  const client = await context.client();
  const calendar = await readCalendar(
    {
      days,
      stylists,
      status,
      isAll: flags.all === true,
      // How full a week is says nothing of who comes.
      withNames: flags.names !== false && !isOverview,
    },
    {
      client,
      width: concurrency.value,
      explain: messages.verbose,
      warn: messages.warn,
      announce: (requests) => {
        const limit = client.limits();
        const perHour = ratePerHour?.value;
        const nowMs = now.getTime();
        reportCost(
          { records: requests, perPage: 1, limit, perHour, nowMs, timeZone: timeZone.value },
          messages,
        );
      },
    },
  );
  if (stylists.length === 0 && baseUrl !== undefined) {
    rememberStylists(io, baseUrl.value, calendar.stylists);
  }
  if (isDrawn) return { show: 'drawing', text: await drawCalendar(calendar, days, context) };
  const pages = onePage(toCalendarRows(calendar));
  return { show: 'records', noun: 'appointments', columns: calendarColumns, pages };
}

async function loadCalendar() {
  const [days, reading, drawing, rows] = await Promise.all([
    import('../../calendar/calendar-days.ts'),
    import('../../calendar/read-calendar.ts'),
    import('../../calendar/draw-calendar.ts'),
    import('../../calendar/calendar-contents.ts'),
  ]);
  return { ...days, ...reading, ...drawing, ...rows };
}
