import type { Command } from 'commander';
import { readJob } from '../../../bulk/jobs/job-folder.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { Call } from '../../call.ts';
import { addMaxErrorsOption, type BudgetFlags } from '../../edit/edit-options.ts';
import type { Frame } from '../../frame.ts';
import { addConfirmOption, addExamples } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { jobsFolder } from '../../session/folders.ts';

export function registerJobsResume(parent: Command, frame: Frame): void {
  const command = parent
    .command('resume')
    .argument('<id>', 'a job, as "salon jobs list" names it')
    .description('Go on with a job where it stopped; one that is done stays as it is');
  addMaxErrorsOption(addConfirmOption(command));
  addExamples(command, [
    ['salon jobs resume 20261121-093000-1f2e3d', 'the file becomes the same as without the stop'],
  ]);
  command.action(frame.action(resume));
}

async function resume(call: Call<BudgetFlags>, id: string): Promise<Outcome> {
  const job = await readJob(jobsFolder(call.io), id);
  if (job.kind === 'edit') {
    const { resumeEdit } = await import('../../edit/resume-edit.ts');
    return resumeEdit(job, call);
  }
  if (call.flags.maxErrors !== undefined) {
    throw new SalonError('usage', `Job ${id} is an export: --max-errors is for bulk edits.`, {
      hint: `Go on with: salon jobs resume ${id}`,
    });
  }
  const { resumeExport } = await import('../../export/resume-export.ts');
  return { show: 'nothing', exitCode: await resumeExport(job, call) };
}
