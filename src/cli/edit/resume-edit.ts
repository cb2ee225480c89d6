import { reopenEditJob } from '../../bulk/apply/edit-job.ts';
import type { EditJob } from '../../bulk/jobs/job.ts';
import { assertPlanFits } from '../../bulk/plan/plan-checks.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { jobsFolder } from '../session/folders.ts';
import { openJobContext } from '../session/job-context.ts';
import type { BudgetFlags } from './edit-options.ts';
import { toEndCode } from './edit-result.ts';
import { runJob } from './run-job.ts';
import { describeTally } from './show-plan.ts';
import { openSignedIn } from './signed-in.ts';

/** Goes on with an edit where it stopped; does nothing where it is done. */
export async function resumeEdit(job: EditJob, given: CommandContext<BudgetFlags>): Promise<CommandResult> {
  const { io, messages } = given;
  const { id, work } = job;
  await using opened = await reopenEditJob(jobsFolder(io), id);
  const { progress, plan } = opened;
  if (progress.isDone) {
    const said = `Job ${id} is done: ${describeTally(progress.tally, work.edit)}.`;
    return { show: 'nothing', said, exitCode: toEndCode(progress, plan) };
  }
  const context = await openJobContext(job, given);
  const { client, account } = await openSignedIn(context);
  assertPlanFits(plan.head, account);
  if (progress.isDamaged)
    messages.warn('What the job wrote last is damaged; those rows are looked at again.');
  return await runJob(opened, client, context);
}
