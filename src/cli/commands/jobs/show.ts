import type { Command } from 'commander';
import { readJob } from '../../../bulk/jobs/job-folder.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { columnsOf } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { jobsFolder } from '../../session/folders.ts';
import { describeJob } from './job-record.ts';

export function registerJobsShow(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('show')
    .argument('<id>', 'a job, as "salon jobs list" names it')
    .description('Show what a job is to do, and how it stands');
  addPrintOptions(command);
  addExamples(command, [
    ['salon jobs show 20261121-093000-1f2e3d', 'why it stopped, and where its rows are'],
  ]);
  command.action(runner.action(showJob));
}

async function showJob({ io }: CommandContext<PrintFlags>, id: string): Promise<CommandResult> {
  const root = jobsFolder(io);
  await readJob(root, id);
  const record = await describeJob(root, id);
  const all = columnsOf(record);
  return { show: 'record', record, columns: { all, table: all.map(({ key }) => key) } };
}
