import type { SalonClient } from '../../client/client.ts';
import type { ReversedMerge } from '../../contract/client-merging.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { assertNotRunning } from '../jobs/job-folder.ts';
import { type MergePlan, type MergeStep, readMergeJob, readMergePlan } from './merge-job.ts';
import { readArchivedIn } from './run-merge.ts';

/** The undo of a merge. */
export interface PlannedUnmerge {
  /** No steps: there is nothing to undo. */
  readonly plan: MergePlan;
  /** What the server would do. */
  readonly checked: ReversedMerge | undefined;
}

/**
 * Plans the undo of a merge. Throws `conflict` while it is running, `usage` for the undo of a merge, and
 * `merge_not_reversible`. Changes nothing.
 */
export async function planUnmerge(root: string, id: string, client: SalonClient): Promise<PlannedUnmerge> {
  const job = await readMergeJob(root, id);
  await assertNotRunning(root, id);
  const { into, from, undoes } = job.work;
  if (undoes !== null) {
    throw new SalonError('usage', `Job ${id} is the undo of a merge and cannot be undone.`, {
      hint: `Merge them again: salon clients merge ${into} ${from}`,
    });
  }
  const plan = await readMergePlan(root, id);
  const unmerge: MergePlan = { ...plan, method: 'unmerge', tags: { into: null, from: null }, steps: [] };
  const archivedIn = await readArchivedIn(client, from);
  if (archivedIn === undefined) return { plan: unmerge, checked: undefined };
  const dryRun = await client.dryRun();
  const checked = await dryRun?.clients.unmerge(into, from).catch((thrown: unknown) => {
    if (!(thrown instanceof SalonError) || thrown.members['merged_into'] === undefined) throw thrown;
    throw withContext(thrown, { hint: 'Undo that later merge first. List merges: salon jobs list' });
  });
  const change = Object.fromEntries(
    Object.keys(plan.steps[0]?.change ?? {}).map((name) => [name, plan.into[name] ?? null]),
  );
  const before = { ...plan.into, ...plan.fields };
  // One request undoes everything; the fields of this step are shown and recorded, but not sent.
  const step: MergeStep = { noun: 'clients', row: 1, line: 1, act: 'update', id: into, change, before };
  return { plan: { ...unmerge, steps: [step] }, checked };
}
