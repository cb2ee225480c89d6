import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { collect, joinLists } from '../../flags/flag.ts';
import { addExtensions, addPrintOptions } from '../../flags/options.ts';

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
    .argument('[day...]', 'day or week: today (default), fri, 24/11/2026, next week, week 49; and a stylist')
    .option('--day <day>', 'Same as the argument')
    .option('--week', 'Show the week, Monday to Sunday')
    .option('--stylist <who>', 'Filter by stylist: name, email, phone or ID; repeatable', collect)
    .option('--status <a,b>', 'Filter by status, e.g. confirmed,arrived', joinLists)
    .option('--all', 'Include cancelled appointments and no-shows')
    .option('--no-names', 'Show client IDs instead of names (saves requests)')
    .option('--by-stylist', 'With -o day.html: a page for each stylist');
  addExtensions(addPrintOptions(command), ['.html', '.ics']);
  runner.addLazy(command, async () => (await import('../../calendar/show-calendar.ts')).showCalendar, {
    [name]: 'Show today',
    [`${name} tomorrow Theo`]: "Show one stylist's day",
    [`${name} week 49`]: 'Show how busy each stylist is that week',
    [`${name} tomorrow -o day.html`]: 'Write a page to print (A4); .ics for calendar programs',
  });
}

export function registerToday(command: Command, runner: ActionRunner): void {
  command
    .argument('[stylist...]', 'only this stylist')
    .option('--stylist <who>', 'Filter by stylist: name, email, phone or ID; repeatable', collect)
    .option('--whole-day', 'Show the calendar of the day below what is due');
  addPrintOptions(command);
  runner.addLazy(command, async () => (await import('../../calendar/show-calendar.ts')).showToday, {
    'salon today': 'Show who is late, who comes in the next three hours, who is away',
    'salon today --whole-day': 'Show the calendar of the day, too',
    'salon today Mia': "Show one stylist's day",
    'salon today -f csv -o today.csv': 'Write it to a file, with a column of what is due',
  });
}
