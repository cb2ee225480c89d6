import type { Command } from 'commander';
import { readJob } from '../../../bulk/jobs/job-folder.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import { readLayout } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { jobsFolder } from '../../session/folders.ts';

interface Flags extends PrintFlags {
  readonly failed?: boolean;
  readonly all?: boolean;
}

const columns = columnSet({
  line: 'integer',
  id: 'text',
  result: 'text',
  old: 'text',
  planned: 'text',
  present: 'text',
  code: 'text',
  detail: 'text',
  request_id: 'text',
});

export function registerJobsResults(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('results')
    .argument('<id>', 'job ID of a bulk edit')
    .description('Show the result of every row of a bulk edit')
    .option('--failed', 'Only rows that failed')
    .option('--all', 'In a table, show unchanged rows too');
  addPrintOptions(command);
  addExamples(command, [
    ['salon jobs results 20261121-093000-1f2e3d --failed', 'Show failed rows and why'],
    ['salon jobs results 20261121-093000-1f2e3d -f csv -o results.csv', 'Save all results'],
  ]);
  command.action(runner.action(showResults));
}

async function showResults(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  const { failed = false, all = false } = context.flags;
  const job = await readJob(jobsFolder(context.io), id);
  if (job.kind === 'merge') {
    const { readResultsOfMerge } = await import('../../merge/merge-jobs.ts');
    const rows = await readResultsOfMerge(job, context, { failedOnly: failed });
    return { show: 'records', noun: 'rows', columns, pages: onePage(rows.map((row) => ({ ...row }))) };
  }
  const { readJobResults } = await import('../../edit/bulk-edit.ts');
  const hidesUnchanged = !all && (await readLayout(context)) === 'table';
  const pages = await readJobResults(context, id, { failedOnly: failed, hidesUnchanged });
  return { show: 'records', noun: 'rows', columns, pages };
}
