import type { EditEntry } from '../../bulk/edit/edit-entry.ts';
import { readEditProgress } from '../../bulk/edit/edit-progress.ts';
import { assertPlanFits } from '../../bulk/edit/plan-fit.ts';
import type { EditJob } from '../../bulk/job.ts';
import { continueRecord } from '../../bulk/job-record.ts';
import { jobPath, journalPath } from '../../bulk/jobs/job-folder.ts';
import { takeHold } from '../../bulk/jobs/job-hold.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../output/outcome.ts';
import { jobsFolder } from '../session/folders.ts';
import { toJobCall } from '../session/job-call.ts';
import { describeTally } from './describe-plan.ts';
import { openJobPlan } from './job-files.ts';
import { runJob } from './run-job.ts';
import { openSignedIn } from './signed-in.ts';

/** Goes on with an edit where it stopped; does nothing where it is done. */
export async function resumeEdit(job: EditJob, given: Call): Promise<Outcome> {
  const { io, talk } = given;
  const { id, work } = job;
  const root = jobsFolder(io);
  await using hold = await takeHold(jobPath(root, id));
  if (hold === undefined) {
    throw new SalonError('conflict', `Job ${id} is still running.`, {
      hint: 'Wait for it, or stop its process first.',
    });
  }
  const path = journalPath(root, id);
  const progress = await readEditProgress(path);
  if (progress.isDone) {
    return { show: 'nothing', said: `Job ${id} is done: ${describeTally(progress.tally, work.edit)}.` };
  }
  const plan = await openJobPlan(root, id);
  const call = await toJobCall(job, given);
  const { client, account } = await openSignedIn(call);
  assertPlanFits(plan.head, account);
  if (progress.isDamaged) talk.warn('What the job wrote last is damaged; those rows are looked at again.');
  const record = await continueRecord<EditEntry>({ root, id, hold, journalBytes: progress.journalBytes });
  await using _journal = record.journal;
  return await runJob({ job, plan, record, progress, client }, call);
}
