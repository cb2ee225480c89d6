import type { Command } from 'commander';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { Examples } from '../../flags/command-definition.ts';
import { collect, joinLists } from '../../flags/flag.ts';
import { addPrintOptions } from '../../flags/options.ts';
import type { ReportFlags, ReportName } from './run-report.ts';

export function registerReport(report: Command, runner: ActionRunner): void {
  const revenue = addReport('revenue', {
    description: 'Show revenue (sales less refunds), refunds and tips',
    period: 'last week',
    examples: {
      'salon report revenue last week': "Show last week's revenue by stylist",
      'salon report revenue this year --by month': 'Compare the months of this year',
      'salon report revenue october --by service -o october.xlsx': 'Write a sheet',
    },
  });
  revenue.option('--status <a,b>', 'Payments to count (default: completed)', joinLists);
  const noShows = addReport('no-shows', {
    description: 'Show no-shows, out of the appointments that have begun',
    period: 'last week',
    examples: {
      'salon report no-shows last month': "Show last month's no-shows by stylist",
      'salon report no-shows last 90 days --by service': 'Find the services with most no-shows',
      'salon report no-shows this year --by client --min-no-shows 2': 'Find who often does not come',
    },
  });
  noShows.option('--min-no-shows <n>', 'Only rows with at least this many, e.g. --by client');
  addReport('utilisation', {
    description: 'Show booked time out of opening time',
    period: 'last week',
    examples: {
      'salon report utilisation next week': 'Show how full next week is, by stylist',
      'salon report utilisation this month --by day': 'Show how full each day is',
      'salon report utilisation last month --by stylist -o utilisation.xlsx': 'Write a sheet',
    },
  }).alias('utilization');
  const retention = addReport('retention', {
    description: 'Show which share of clients came back within some days',
    period: 'the last whole month that is long enough ago',
    examples: {
      'salon report retention': 'Show how many clients came back within 90 days, by stylist',
      'salon report retention last quarter --within 60': 'Count those who came back within 60 days',
      'salon report retention this year --by month': 'Compare the months of this year',
    },
  });
  const firstVisits = addReport('first-visits', {
    description: 'Show new clients, and how many of them came back within some days',
    period: 'last month',
    examples: {
      'salon report first-visits last month': "Show last month's new clients by stylist",
      'salon report first-visits this year --by month': 'Compare the months of this year',
      'salon report first-visits last quarter --by week --within 60':
        'Count those who came back within 60 days',
    },
  });
  for (const command of [retention, firstVisits])
    command
      .option('--within <days>', 'Days to come back in', '90')
      .option('--status <a,b>', 'Visits to count (default: completed,in_service,arrived)', joinLists);

  function addReport(name: ReportName, { description, period, examples }: ReportHelp): Command {
    const command = report
      .command(name)
      .description(description)
      .argument('[period...]', `last week, last 30 days, october, 2026-10 (default: ${period}); a stylist`)
      .option('--by <group>', 'Group by stylist (default), service, client, day, week, month')
      .option('--period <period>', 'Same as the argument, e.g. last-week')
      .option('--from <day>', 'First day, instead of a period')
      .option('--to <day>', 'Last day (default: today)')
      .option('--stylist <who>', 'Filter by stylist: name, email, phone or ID; repeatable', collect)
      .option('--client <who>', 'Filter by client: name, email, phone or ID');
    const load = async (): Promise<Handler<ReportFlags>> => {
      const { runReport } = await import('./run-report.ts');
      return (context, words) => runReport(name, words, context);
    };
    runner.addLazy(command, load, examples);
    return addPrintOptions(command);
  }
}

interface ReportHelp {
  readonly description: string;
  /** Without one on the command line. */
  readonly period: string;
  readonly examples: Examples;
}
