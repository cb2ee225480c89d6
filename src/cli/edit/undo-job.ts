import { isSameValue } from '../../bulk/edit/cell-values.ts';
import { openPlan } from '../../bulk/edit/plan-read.ts';
import { openUndoDraft, toUndoEdit } from '../../bulk/edit/plan-undo.ts';
import { writePlan } from '../../bulk/edit/plan-write.ts';
import { readRowResults } from '../../bulk/edit/row-results.ts';
import { jobPath, journalPath, listJobIds, readJob } from '../../bulk/jobs/job-folder.ts';
import { isHeld } from '../../bulk/jobs/job-hold.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../output/outcome.ts';
import { jobsFolder } from '../session/folders.ts';
import { toJobCall } from '../session/job-call.ts';
import { decidePlan } from './decide-plan.ts';
import type { EditFlags } from './edit-options.ts';
import { openDraft, openJobPlan, readEditJob } from './job-files.ts';
import { openSignedIn } from './signed-in.ts';

/** Takes a bulk edit back, as a job of its own that can be resumed and taken back like any other. */
export async function undoJob(id: string, given: Call<EditFlags>): Promise<Outcome> {
  const { io } = given;
  const root = jobsFolder(io);
  const job = await readEditJob(root, id);
  if (await isHeld(jobPath(root, id))) {
    throw new SalonError('conflict', `Job ${id} is still running.`, {
      hint: 'Wait for it, or stop its process first.',
    });
  }
  if (job.work.edit.verb === 'delete') await assertNotUndone(root, id);
  const call = await toJobCall(job, given);
  const done = await openJobPlan(root, id);
  const { client, account } = await openSignedIn(call);
  const draft = call.keep(await openDraft(io));
  const edit = toUndoEdit(done.head.edit);
  using planned = await openUndoDraft({
    client,
    edit: done.head.edit,
    results: readRowResults(done.rows(), journalPath(root, id)),
    isSameValue,
    folder: draft.folder,
  });
  const source = { ...done.head.source, name: `job ${id}` };
  const head = { createdAt: io.now().toISOString(), edit, source, account, records: planned.records };
  await writePlan(draft.planPath, head, planned.rows);
  const plan = await openPlan(draft.planPath);
  if (plan.counts.create > 0) call.talk.warn('What was removed comes back under new identifiers.');
  return decidePlan({ plan, draft, client, undoes: id, call });
}

/** What was removed and came back has another identifier: nothing but the jobs themselves can tell that it has. */
async function assertNotUndone(root: string, id: string): Promise<void> {
  for (const other of await listJobIds(root)) {
    const job = await readJob(root, other).catch(() => undefined);
    if (job?.kind !== 'edit' || job.work.undoes !== id) continue;
    throw new SalonError('conflict', `Job ${id} was taken back by job ${other}.`, {
      hint: `Look at it with "salon jobs show ${other}"; if it is not done: salon jobs resume ${other}`,
    });
  }
}
