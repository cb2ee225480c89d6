import type { Command } from 'commander';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { Examples } from '../../flags/command-definition.ts';
import type { FlagTable } from '../../flags/flag.ts';
import { printFlags } from '../../flags/options.ts';
import {
  minNoShowsFlag,
  questionFlags,
  type ReportFlags,
  type ReportName,
  returnFlags,
} from './report-flags.ts';

export function registerReport(report: Command, runner: ActionRunner): void {
  const addReport = <Table extends FlagTable>(
    name: ReportName,
    { description, alias, period, examples, flags }: ReportHelp & { readonly flags: Table },
  ) =>
    runner.define(report.command(name), {
      description,
      alias,
      args: {
        '[period...]': {
          help: `last week, last 30 days, october, 2026-10 (default: ${period}); a stylist`,
          complete: 'periods',
        },
      },
      flags: { ...questionFlags, ...flags, ...printFlags },
      examples,
      handler: async (): Promise<Handler<ReportFlags>> => {
        const { runReport } = await import('./run-report.ts');
        return (context, words) => runReport(name, words, context);
      },
    });
  addReport('revenue', {
    description: 'Show revenue (sales less refunds), refunds and tips',
    period: 'last week',
    flags: {
      status: {
        flag: '--status <a,b>',
        help: 'Payments to count (default: completed)',
        complete: async () => (await import('../../../contract/payment.ts')).paymentStatuses,
      },
    },
    examples: {
      'salon report revenue last week': "Show last week's revenue by stylist",
      'salon report revenue this year --by month': 'Compare the months of this year',
      'salon report revenue october --by service -o october.xlsx': 'Write a sheet',
    },
  });
  addReport('no-shows', {
    description: 'Show no-shows, out of the appointments that have begun',
    period: 'last week',
    flags: minNoShowsFlag,
    examples: {
      'salon report no-shows last month': "Show last month's no-shows by stylist",
      'salon report no-shows last 90 days --by service': 'Find the services with most no-shows',
      'salon report no-shows this year --by client --min-no-shows 2': 'Find who often does not come',
    },
  });
  addReport('utilisation', {
    alias: 'utilization',
    description: 'Show booked time out of opening time',
    period: 'last week',
    flags: {},
    examples: {
      'salon report utilisation next week': 'Show how full next week is, by stylist',
      'salon report utilisation this month --by day': 'Show how full each day is',
      'salon report utilisation last month --by stylist -o utilisation.xlsx': 'Write a sheet',
    },
  });
  addReport('retention', {
    description: 'Show which share of clients came back within some days',
    period: 'the last whole month that is long enough ago',
    flags: returnFlags,
    examples: {
      'salon report retention': 'Show how many clients came back within 90 days, by stylist',
      'salon report retention last quarter --within 60': 'Count those who came back within 60 days',
      'salon report retention this year --by month': 'Compare the months of this year',
    },
  });
  addReport('first-visits', {
    description: 'Show new clients, and how many of them came back within some days',
    period: 'last month',
    flags: returnFlags,
    examples: {
      'salon report first-visits last month': "Show last month's new clients by stylist",
      'salon report first-visits this year --by month': 'Compare the months of this year',
      'salon report first-visits last quarter --by week --within 60':
        'Count those who came back within 60 days',
    },
  });
}

interface ReportHelp {
  /** Another spelling. */
  readonly alias?: string | undefined;
  readonly description: string;
  /** Without one on the command line. */
  readonly period: string;
  readonly examples: Examples;
}
