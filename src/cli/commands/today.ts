import type { Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import { addExamples } from '../flags/help-page.ts';
import { addPrintOptions, collect, type PrintFlags } from '../flags/options.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { readLayout, readStyle } from '../output/format.ts';
import { printPartialError } from '../output/print-records.ts';
import type { CommandContext } from '../session/command-context.ts';

interface Flags extends PrintFlags {
  readonly stylist?: readonly string[];
}

export function registerToday(command: Command, runner: ActionRunner): void {
  command.option('--stylist <who>', 'Filter by stylist: name, email, phone or ID; repeatable', collect);
  addPrintOptions(command);
  addExamples(command, [
    ['salon today', 'Show who is late, who comes next, and the calendar'],
    ['salon today --stylist Mia', "Show one stylist's day"],
    ['salon today -f csv -o today.csv', 'Write it to a file, with a column of what is due'],
  ]);
  command.action(runner.action(showToday));
}

async function showToday(context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags, io } = context;
  const [{ resolveStylists }, { parseCalendarDays, readCalendar, createCalendarSource, ...views }] =
    await Promise.all([import('../people/resolve-filters.ts'), loadToday()]);
  const { timeZone, plain: isPlain, color } = await readStyle(context);
  const now = io.now();
  const nowMs = now.getTime();
  const days = parseCalendarDays('today', { isWeek: false, now, timeZone });
  const [day] = days;
  const isDrawn = (await readLayout(context)) === 'table' && flags.columns === undefined;
  const calendar = await readCalendar(
    {
      days,
      stylists: await resolveStylists(flags.stylist, context),
      status: undefined,
      isAll: false,
      withNames: true,
    },
    await createCalendarSource(context),
  );
  const { fault } = calendar;
  const ending = fault === undefined ? {} : { exitCode: await printPartialError(fault, context) };
  if (!isDrawn || day === undefined) {
    const duties = calendar.entries.map((entry) => views.findDuty(entry, nowMs) ?? null);
    const rows = views
      .toCalendarRows(calendar, flags.columns)
      .map((row, index) => ({ ...row, due: duties[index] }));
    return {
      show: 'records',
      noun: 'appointments',
      columns: views.todayColumns,
      pages: onePage(rows),
      ...ending,
    };
  }
  const bold = color ? (text: string) => `\u001b[1m${text}\u001b[22m` : (text: string) => text;
  const style = { day, timeZone, nowMs, width: io.terminal.columns, bold, isPlain };
  const due = views.renderDue(views.listDue(calendar.entries, nowMs), calendar, style);
  const drawn = await views.drawCalendar(calendar, days, context, due.split('\n').length - 1);
  return { show: 'pagedText', text: due + drawn, ...ending };
}

async function loadToday() {
  const [days, reading, source, drawing, calendar, due] = await Promise.all([
    import('../calendar/calendar-days.ts'),
    import('../calendar/read-calendar.ts'),
    import('../calendar/read-calendar.ts'),
    import('../calendar/draw-calendar.ts'),
    import('../calendar/calendar.ts'),
    import('../booking/due.ts'),
  ]);
  const columns = calendar.calendarColumns;
  const todayColumns = {
    all: [...columns.all, { key: 'due', kind: 'status' as const }],
    table: [...columns.table, 'due'],
    ...(columns.names && { names: columns.names }),
  };
  return { ...days, ...reading, ...source, ...drawing, ...calendar, ...due, todayColumns };
}
