import type { SalonClient } from '../../client/client.ts';
import { assertNotUndone } from '../apply/earlier-jobs.ts';
import { stillRunning } from '../apply/edit-job.ts';
import { readRowResults } from '../apply/row-results.ts';
import { isSameValue } from '../edit/cell-values.ts';
import type { EditAccount } from '../edit/edit.ts';
import { jobPath, journalPath } from '../jobs/job-folder.ts';
import { isJobLocked } from '../jobs/job-lock.ts';
import { assertPlanFits } from '../plan/plan-fit.ts';
import { openJobPlan, type PlanFolder, readEditJob } from '../plan/plan-folder.ts';
import { openPlan, type Plan } from '../plan/plan-read.ts';
import { writePlan } from '../plan/plan-write.ts';
import { openUndoDraft, toUndoEdit } from './plan-undo.ts';

export interface JobUndo {
  readonly client: SalonClient;
  readonly account: EditAccount;
  readonly into: PlanFolder;
  readonly now: Date;
}

/**
 * Plans what takes a job back. Throws `conflict` while it is running, and for removals that were taken back before, `usage`
 * for another account.
 */
export async function planJobUndo(
  root: string,
  id: string,
  { client, account, into, now }: JobUndo,
): Promise<Plan> {
  const job = await readEditJob(root, id);
  if (await isJobLocked(jobPath(root, id))) throw stillRunning(id);
  // What was removed and came back has another identifier: only the jobs themselves can tell that it has.
  if (job.work.edit.verb === 'delete') await assertNotUndone(root, id);
  const done = await openJobPlan(root, id);
  assertPlanFits(done.head, account);
  const { edit, source } = done.head;
  using draft = await openUndoDraft({
    client,
    edit,
    results: readRowResults(done.rows(), journalPath(root, id)),
    isSameValue,
    folder: into.folder,
  });
  const createdAt = now.toISOString();
  const records = { records: draft.records };
  const head = { createdAt, edit: toUndoEdit(edit), source: { ...source, name: `job ${id}` }, account };
  await writePlan(into.planPath, { ...head, ...records }, draft.rows);
  return openPlan(into.planPath);
}
