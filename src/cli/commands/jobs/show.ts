import type { Command } from 'commander';
import { readJob } from '../../../bulk/jobs/job-folder.ts';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { columnsOf } from '../../print/columns.ts';
import { jobsFolder } from '../../session/folders.ts';
import { describeJob } from './job-record.ts';

export function registerJobsShow(parent: Command, frame: Frame): void {
  const command = parent
    .command('show')
    .argument('<id>', 'a job, as "salon jobs list" names it')
    .description('Show what a job is to do, and how it stands');
  addPrintOptions(command);
  addExamples(command, [
    ['salon jobs show 20261121-093000-1f2e3d', 'why it stopped, and where its rows are'],
  ]);
  command.action(frame.action(showJob));
}

async function showJob({ io }: Call<PrintFlags>, id: string): Promise<Outcome> {
  const root = jobsFolder(io);
  await readJob(root, id);
  const record = await describeJob(root, id);
  const all = columnsOf(record);
  return { show: 'record', record, columns: { all, table: all.map(({ key }) => key) } };
}
