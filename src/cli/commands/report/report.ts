import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, collect, joinLists, type PrintFlags } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export interface ReportFlags extends PrintFlags {
  readonly by?: string;
  readonly from?: string;
  readonly to?: string;
  readonly period?: string;
  readonly stylist?: readonly string[];
  readonly client?: string;
  readonly status?: string;
}

export function registerReport(report: Command, runner: ActionRunner): void {
  const command = report
    .command('revenue')
    .description('Show sales, refunds, revenue and tips')
    .argument('[period...]', 'e.g. last week (default), this month, october, 2026');
  addReportOptions(command);
  addExamples(command, [
    ['salon report revenue last week', "Show last week's revenue by stylist"],
    ['salon report revenue --by month --period this-year', 'Compare the months of this year'],
    ['salon report revenue october --by service -o october.xlsx', 'Write a sheet'],
  ]);
  command.action(
    runner.action(
      async (context: CommandContext<ReportFlags>, words: readonly string[]): Promise<CommandResult> => {
        const { runReport } = await import('./run-report.ts');
        const { reportRevenue } = await import('../../report/revenue.ts');
        return runReport(context, words, { report: reportRevenue, endsToday: true, period: 'last-week' });
      },
    ),
  );
}

function addReportOptions(command: Command): Command {
  return addPrintOptions(
    command
      .option('--by <group>', 'Group by stylist (default), service, day, week or month')
      .option('--period <period>', 'Same as the argument, e.g. last-week, this-month, 2026-10')
      .option('--from <day>', 'First day instead, e.g. 2026-11-01')
      .option('--to <day>', 'Last day (default: today)')
      .option('--stylist <name>', 'Filter by stylist; repeatable', collect)
      .option('--client <name>', 'Filter by client')
      .option('--status <a,b>', 'Count these statuses instead', joinLists),
  );
}
