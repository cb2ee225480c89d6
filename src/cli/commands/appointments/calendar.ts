import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { pathOf } from '../../command-line.ts';
import type { FlagTable } from '../../flags/flag.ts';
import { printFlags, stylistsFlag } from '../../flags/options.ts';

const calendarFlags = {
  day: { flag: '--day <day>', help: 'Same as the argument' },
  week: { flag: '--week', help: 'Show the week, Monday to Sunday' },
  stylist: stylistsFlag,
  status: {
    flag: '--status <a,b>',
    help: 'Filter by status, e.g. confirmed,arrived',
    complete: 'statuses',
  },
  all: { flag: '--all', help: 'Include cancelled appointments and no-shows' },
  noNames: { flag: '--no-names', help: 'Show client IDs instead of names (saves requests)' },
  byStylist: { flag: '--by-stylist', help: 'With -o day.html: a page for each stylist' },
  ...printFlags,
} as const satisfies FlagTable;

/** `salon calendar`, also as `salon appointments calendar`. */
export function registerCalendar(command: Command, runner: ActionRunner): void {
  const name = pathOf(command);
  runner.define(command, {
    description: 'Show a day or week as a calendar',
    args: {
      '[day...]': {
        help: 'day or week: today (default), fri, 24/11/2026, next week, week 49; and a stylist',
        complete: 'stylists',
      },
    },
    flags: calendarFlags,
    extensions: ['.html', '.ics'],
    examples: {
      [name]: 'Show today',
      [`${name} tomorrow Theo`]: "Show one stylist's day",
      [`${name} week 49`]: 'Show how busy each stylist is that week',
      [`${name} tomorrow -o day.html`]: 'Write a page to print (A4); .ics for calendar programs',
    },
    handler: async () => (await import('../../calendar/show-calendar.ts')).showCalendar,
  });
}

export function registerToday(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: { '[stylist...]': { help: 'only this stylist', complete: 'stylists' } },
    flags: {
      stylist: stylistsFlag,
      wholeDay: { flag: '--whole-day', help: 'Show the calendar of the day below what is due' },
      ...printFlags,
    },
    examples: {
      'salon today': 'Show who is late, who comes in the next three hours, who is away',
      'salon today --whole-day': 'Show the calendar of the day, too',
      'salon today Mia': "Show one stylist's day",
      'salon today -f csv -o today.csv': 'Write it to a file, with a column of what is due',
    },
    handler: async () => (await import('../../calendar/show-calendar.ts')).showToday,
  });
}
