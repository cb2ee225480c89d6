import { reopenEditJob } from '../../bulk/apply/edit-job.ts';
import { assertPlanFits } from '../../bulk/plan/plan-fit.ts';
import type { EditJob } from '../../bulk/job.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../output/outcome.ts';
import { jobsFolder } from '../session/folders.ts';
import { toJobCall } from '../session/job-call.ts';
import { describeTally } from './describe-plan.ts';
import type { BudgetFlags } from './edit-options.ts';
import { toEndCode } from './end-edit.ts';
import { runJob } from './run-job.ts';
import { openSignedIn } from './signed-in.ts';

/** Goes on with an edit where it stopped; does nothing where it is done. */
export async function resumeEdit(job: EditJob, given: Call<BudgetFlags>): Promise<Outcome> {
  const { io, talk } = given;
  const { id, work } = job;
  await using opened = await reopenEditJob(jobsFolder(io), id);
  const { progress, plan } = opened;
  if (progress.isDone) {
    const said = `Job ${id} is done: ${describeTally(progress.tally, work.edit)}.`;
    return { show: 'nothing', said, exitCode: toEndCode(progress, plan) };
  }
  const call = await toJobCall(job, given);
  const { client, account } = await openSignedIn(call);
  assertPlanFits(plan.head, account);
  if (progress.isDamaged) talk.warn('What the job wrote last is damaged; those rows are looked at again.');
  return await runJob(opened, client, call);
}
