import type { Command } from 'commander';
import { readJob } from '../../../bulk/jobs/job-folder.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addMaxErrorsOption, type BudgetFlags } from '../../edit/edit-options.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmOption } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { jobsFolder } from '../../session/folders.ts';

export function registerJobsResume(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('resume')
    .argument('<id>', 'job ID, or the .partial file of an export')
    .description('Resume an unfinished job');
  addMaxErrorsOption(addConfirmOption(command));
  addExamples(command, [
    ['salon jobs resume 20261121-093000-1f2e3d', 'Continue where it stopped'],
    ['salon jobs resume orders.csv.partial', 'Continue an export that another machine began'],
  ]);
  command.action(runner.action(resume));
}

/** A job ID has no dots. */
function isPartial(argument: string): boolean {
  return /\.partial(?:\.job)?$/.test(argument);
}

async function resume(context: CommandContext<BudgetFlags>, id: string): Promise<CommandResult> {
  if (isPartial(id)) {
    const { resumePartial } = await import('../../export/resume-partial.ts');
    return { show: 'nothing', exitCode: await resumePartial(id, context) };
  }
  const job = await readJob(jobsFolder(context.io), id);
  if (job.kind === 'edit') {
    const { resumeJob } = await import('../../edit/bulk-edit.ts');
    return resumeJob(job, context);
  }
  if (context.flags.maxErrors !== undefined) {
    const kind = job.kind === 'merge' ? 'a merge' : 'an export';
    throw new SalonError('usage', `Job ${id} is ${kind}: --max-errors is for bulk edits.`, {
      hint: `Resume it: salon jobs resume ${id}`,
    });
  }
  if (job.kind === 'merge') {
    const { resumeMerge } = await import('../../merge/merge-jobs.ts');
    return resumeMerge(job, context);
  }
  const { resumeExport } = await import('../../export/resume-export.ts');
  return { show: 'nothing', exitCode: await resumeExport(job, context) };
}
