import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import { toNewRecord } from '../../client/resources/update-record.ts';
import type { ReversedMerge } from '../../contract/client-merging.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { assertNotUndone } from '../apply/related-jobs.ts';
import { createRemoteRecords } from '../apply/remote-records.ts';
import type { RowResult } from '../apply/results.ts';
import { assertNotRunning, journalPath } from '../jobs/job-folder.ts';
import { mayHaveChanged } from '../jobs/journal.ts';
import { planUndoRow } from '../undo/plan-undo.ts';
import {
  type MergePlan,
  type MergeStep,
  readMergeJob,
  readMergePlan,
  readMergeResults,
} from './merge-job.ts';
import { readAppointmentsOf } from './plan-merge.ts';
import { readArchivedIn } from './run-merge.ts';

/** The undo of a merge. */
export interface PlannedUnmerge {
  /** No steps: there is nothing to undo. */
  readonly plan: MergePlan;
  /** What the server would do; undefined where it has no endpoint. */
  readonly checked: ReversedMerge | undefined;
}

/**
 * Plans the undo of a merge. Throws `conflict` while it is running, `usage` for the undo of a merge, and
 * `merge_not_reversible`. Changes nothing.
 */
export async function planUnmerge(root: string, id: string, client: SalonClient): Promise<PlannedUnmerge> {
  const job = await readMergeJob(root, id);
  await assertNotRunning(root, id);
  const { into, from, undoes, names } = job.work;
  if (undoes !== null) {
    throw new SalonError('usage', `Job ${id} is the undo of a merge and cannot be undone.`, {
      hint: `Merge them again: salon clients merge ${into} ${from}`,
    });
  }
  const plan = await readMergePlan(root, id);
  const results = await readMergeResults(plan, journalPath(root, id));
  const base = { ...plan, deletesAnyway: false, tags: { into: null, from: null } };
  if (plan.method === 'updates') {
    // A restored client has another ID: only the jobs show that it was restored.
    await assertNotUndone(root, id);
    const steps = await toUndoSteps(client, plan, results, names.into);
    return { plan: { ...base, steps }, checked: undefined };
  }
  const unmerge: MergePlan = { ...base, method: 'unmerge', steps: [] };
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

/** The steps that undo it: re-create the deleted client, move its appointments back, reset the fields of the other. */
async function toUndoSteps(
  client: SalonClient,
  { into, from }: MergePlan,
  results: readonly RowResult[],
  name: string,
): Promise<MergeStep[]> {
  const [intoId, fromId] = [String(into['id']), String(from['id'])];
  const mayBeDone = results.filter(({ outcome }) => mayHaveChanged(outcome));
  const records = createRemoteRecords(client, { noun: 'clients', verb: 'update', match: 'id', force: false });
  const steps: Omit<MergeStep, 'row' | 'line'>[] = [];
  const isDeleted = mayBeDone.some(({ planned }) => planned.act === 'delete');
  if (isDeleted && (await records.read(fromId)) === undefined) {
    const change = toNewRecord(from, client.dialect().readOnlyFields);
    steps.push({ noun: 'clients', act: 'create', id: null, change });
  }
  const moved = mayBeDone.filter(({ planned }) => (planned as MergeStep).noun === 'appointments');
  const present = moved.length === 0 ? [] : ((await readAppointmentsOf(client, intoId)) ?? []);
  const left = moved.length === 0 ? [] : ((await readAppointmentsOf(client, fromId)) ?? []);
  for (const { planned } of moved) {
    const isPlanned = (one: Fields) => String(one['id']) === planned.id;
    // It may have been sent, but was not executed.
    if (left.some(isPlanned)) continue;
    const { id, change = {} } = planned;
    const before = present.find(isPlanned);
    // Under the server's name of the field.
    const back = Object.fromEntries(Object.keys(change).map((field) => [field, from['id']]));
    const reason = `Appointment ${id} is no longer one of ${name}.`;
    const refused = { act: 'refused', refusal: { code: 'changed_since', reason } } as const;
    const moveBack = before === undefined ? refused : ({ act: 'update', change: back, before } as const);
    steps.push({ noun: 'appointments', id, ...moveBack });
  }
  const fields = mayBeDone.find(({ planned }) => planned.act === 'update' && planned.id === intoId);
  if (fields !== undefined) {
    const found = (await records.read(intoId))?.record;
    const { row, line, ...step } = planUndoRow(
      {
        ...{ row: 1, line: 1, key: intoId, item: fields, lines: [1] },
        found: found === undefined ? undefined : { record: found, ids: [intoId] },
      },
      { noun: 'clients', match: 'id', isComplete: true, readOnly: client.dialect().readOnlyFields },
    );
    steps.push({ ...step, noun: 'clients' });
  }
  return steps.map((step, index) => ({ ...step, row: index + 1, line: index + 1 }));
}
