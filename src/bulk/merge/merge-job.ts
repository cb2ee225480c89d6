import { existsSync } from 'node:fs';
import { SalonError } from '../../contract/errors.ts';
import { assertNotUndone, type EditProgress, readEditProgress } from '../apply/edit-job.ts';
import type { JobMetadata, MergeJob } from '../jobs/job.ts';
import {
  acquireJobLock,
  createDraftFolder,
  createJobRecord,
  createStillRunningError,
  jobPath,
  journalPath,
  readJob,
  reopenJobRecord,
} from '../jobs/job-folder.ts';
import type { Journal } from '../jobs/journal.ts';
import type { EditEntry } from '../jobs/journal-entries.ts';
import type { AccountIdentity } from '../plan/plan-format.ts';
import { type MergePlan, readMergePlan, writeMergePlan } from './merge-plan.ts';

/** A merge locked by this process until disposal. */
export interface OpenMergeJob extends AsyncDisposable {
  readonly job: MergeJob;
  readonly plan: MergePlan;
  /** What earlier runs have done. */
  readonly progress: EditProgress;
  readonly journal: Journal<EditEntry>;
  readonly journalPath: string;
}

export interface NewMergeJob extends Pick<JobMetadata, 'id' | 'profile'> {
  readonly plan: MergePlan;
  readonly account: AccountIdentity;
  /** Names for people. */
  readonly names: { readonly into: string; readonly from: string };
  /** The merge that this one undoes. */
  readonly undoes: string | null;
  readonly now: Date;
}

/** Saves a merge as a job and locks it. Sends nothing. */
export async function openMergeJob(root: string, created: NewMergeJob): Promise<OpenMergeJob> {
  const { id, profile, plan, account, names, undoes, now } = created;
  await writeMergePlan(await createDraftFolder(root, id), plan);
  const changes = plan.steps.filter(({ act }) => act !== 'none' && act !== 'refused').length;
  const ids = { into: String(plan.into['id']), from: String(plan.from['id']) };
  const work = { ...ids, names, method: plan.method, undoes, changes };
  const job: MergeJob = {
    ...{ version: 1, kind: 'merge', id, profile, createdAt: now.toISOString(), ...account },
    work,
  };
  const record = await createJobRecord<EditEntry>(root, job);
  if (record === undefined) throw new SalonError('conflict', `Job ${id} is locked by another process.`);
  await using stack = new AsyncDisposableStack();
  stack.use(record.lock);
  const journal = stack.use(record.journal);
  return compose(root, {
    job,
    plan,
    progress: await readEditProgress(journalPath(root, id)),
    journal,
    stack,
  });
}

/** Reopens a merge after its last journal entry. Throws `conflict` while it is running, and if it was undone. */
export async function reopenMergeJob(root: string, id: string): Promise<OpenMergeJob> {
  const job = await readMergeJob(root, id);
  const lock = await acquireJobLock(jobPath(root, id));
  if (lock === undefined) throw createStillRunningError(id);
  await using stack = new AsyncDisposableStack();
  stack.use(lock);
  const isMissing = !existsSync(journalPath(root, id));
  const read = await readEditProgress(journalPath(root, id));
  // Without a journal, anything may have been sent.
  const progress = isMissing ? { ...read, isDamaged: true, hasGap: true } : read;
  if (!progress.isDone) await assertNotUndone(root, id);
  const plan = await readMergePlan(root, id);
  const { journal } = await reopenJobRecord<EditEntry>({
    ...{ root, id, lock },
    journalBytes: progress.journalBytes,
  });
  return compose(root, { job, plan, progress, journal: stack.use(journal), stack });
}

/** Throws `usage` for a job of another kind. */
export async function readMergeJob(root: string, id: string): Promise<MergeJob> {
  const job = await readJob(root, id);
  if (job.kind === 'merge') return job;
  throw new SalonError('usage', `Job ${id} is not a merge of clients.`, {
    hint: `Show it: salon jobs show ${id}`,
  });
}

type Parts = Omit<OpenMergeJob, 'journalPath' | typeof Symbol.asyncDispose> & {
  readonly stack: AsyncDisposableStack;
};

function compose(root: string, { stack, ...parts }: Parts): OpenMergeJob {
  const kept = stack.move();
  return {
    ...parts,
    journalPath: journalPath(root, parts.job.id),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
