import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { type RowResult, readRowResults } from '../apply/results.ts';
import { type OpenStepJob, openStepJob, reopenStepJob } from '../apply/step-job.ts';
import { withFileErrors } from '../jobs/file-access.ts';
import type { MergeJob } from '../jobs/job.ts';
import { createDraftFolder, jobPath, readJob } from '../jobs/job-folder.ts';
import { readEntries, toLine } from '../jobs/journal.ts';
import { type AccountIdentity, isSent, type PlannedRow } from '../plan/plan-format.ts';

/** The change of the client that the other one is merged into: the only step. */
export interface MergeStep extends PlannedRow {
  readonly noun: 'clients';
}

/** A merge of two clients, or its undo, as it will be executed. */
export interface MergePlan {
  readonly method: 'merge' | 'unmerge';
  /** The records as they were read: the one that stays, and the other one. */
  readonly into: Fields;
  readonly from: Fields;
  /** Every field of the merged record. */
  readonly fields: Fields;
  /** Their entity tags; null where the server has none. */
  readonly tags: { readonly into: string | null; readonly from: string | null };
  readonly steps: readonly MergeStep[];
}

type Line =
  | ({ readonly type: 'plan'; readonly version: 1 } & Omit<MergePlan, 'steps'>)
  | ({ readonly type: 'step' } & MergeStep)
  | { readonly type: 'end'; readonly steps: number };

const fileName = 'merge';

/** Writes the plan of a merge into the folder of its job. */
async function writeMergePlan(folder: string, { steps, ...head }: MergePlan): Promise<void> {
  const path = join(folder, fileName);
  const lines: readonly Line[] = [
    { type: 'plan', version: 1, ...head },
    ...steps.map((step) => ({ type: 'step', ...step }) as const),
    { type: 'end', steps: steps.length },
  ];
  await withFileErrors(path, async () => {
    const file = await open(path, 'w', 0o600);
    await file.writeFile(lines.map(toLine).join(''));
    await file.sync();
    await file.close();
  });
}

/** Reads the plan of a merge job. Throws `usage` if it is damaged. */
export async function readMergePlan(root: string, id: string): Promise<MergePlan> {
  let head: Omit<MergePlan, 'steps'> | undefined;
  let isWhole = false;
  const steps: MergeStep[] = [];
  for await (const { entry } of readEntries<Line>(join(jobPath(root, id), fileName))) {
    if (entry.type === 'plan' && entry.version === 1) {
      const { type, version, ...rest } = entry;
      head = rest;
    } else if (entry.type === 'step') {
      const { type, ...step } = entry;
      steps.push(step);
    } else if (entry.type === 'end') isWhole = entry.steps === steps.length;
  }
  if (head !== undefined && !['merge', 'unmerge'].includes(head.method)) {
    const reason = 'it changes records one by one, as this version no longer does';
    throw new SalonError('usage', `Cannot read job ${id}: ${reason}.`, { hint: 'Compare the two clients.' });
  }
  if (head !== undefined && isWhole) return { ...head, steps };
  throw new SalonError('usage', `Cannot read job ${id}: its plan is damaged.`, {
    hint: `Compare the two clients. Delete the job with: salon jobs remove ${id}`,
  });
}

export interface NewMergeJob extends Pick<MergeJob, 'id' | 'profile'> {
  readonly plan: MergePlan;
  readonly account: AccountIdentity;
  /** Names for people. */
  readonly names: { readonly into: string; readonly from: string };
  /** The merge that this one undoes. */
  readonly undoes: string | null;
  readonly now: Date;
}

export type OpenMergeJob = OpenStepJob<MergeJob, MergePlan>;

/** Saves a merge as a job and locks it. Sends nothing. */
export async function openMergeJob(root: string, created: NewMergeJob): Promise<OpenMergeJob> {
  const { id, profile, plan, account, names, undoes, now } = created;
  await writeMergePlan(await createDraftFolder(root, id), plan);
  const changes = plan.steps.filter(isSent).length;
  const ids = { into: String(plan.into['id']), from: String(plan.from['id']) };
  const work = { ...ids, names, method: plan.method, undoes, changes };
  const facts = { id, profile, createdAt: now.toISOString(), ...account };
  return openStepJob(root, { version: 1, kind: 'merge', ...facts, work }, plan);
}

/** Reopens a merge. Throws `conflict` while it is running, and if it was undone. */
export async function reopenMergeJob(root: string, id: string): Promise<OpenMergeJob> {
  return reopenStepJob(root, await readMergeJob(root, id), () => readMergePlan(root, id));
}

/** Throws `usage` for a job of another kind. */
export async function readMergeJob(root: string, id: string): Promise<MergeJob> {
  const job = await readJob(root, id);
  if (job.kind === 'merge') return job;
  throw new SalonError('usage', `Job ${id} is not a merge of clients.`, {
    hint: `Show it: salon jobs show ${id}`,
  });
}

/** The result of every step. */
export async function readMergeResults({ steps }: MergePlan, journalPath: string): Promise<RowResult[]> {
  return Array.fromAsync(readRowResults(steps, journalPath));
}
