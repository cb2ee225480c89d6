import { SalonError } from '../../contract/errors.ts';
import type { EditJob, JobFacts } from '../jobs/job.ts';
import { jobPath, journalPath, listJobIds, readJob } from '../jobs/job-folder.ts';
import { acquireJobLock } from '../jobs/job-lock.ts';
import type { Journal } from '../jobs/journal.ts';
import type { EditEntry } from '../jobs/journal-entries.ts';
import { createJobRecord, reopenJobRecord } from '../jobs/open-job.ts';
import { type Plan, toMovedPlan } from '../plan/plan-file.ts';
import { jobPlanPath, openJobPlan, readEditJob } from '../plan/plan-folder.ts';
import { countChanges } from '../plan/planned-row.ts';
import { type EditProgress, readEditProgress } from './edit-progress.ts';

/** A bulk edit locked by this process until disposal. */
export interface OpenEditJob extends AsyncDisposable {
  readonly job: EditJob;
  readonly plan: Plan;
  /** What earlier runs have done. */
  readonly progress: EditProgress;
  readonly journal: Journal<EditEntry>;
  readonly folder: string;
  readonly journalPath: string;
}

export interface NewEditJob extends Pick<JobFacts, 'id' | 'profile'> {
  /** A plan in the plan folder with this ID. */
  readonly plan: Plan;
  /** The job that this one undoes. */
  readonly undoes: string | null;
  readonly maxErrors: number | null;
  readonly now: Date;
}

/** Turns a plan folder into a job. Sends nothing. */
export async function openEditJob(root: string, created: NewEditJob): Promise<OpenEditJob> {
  const { id, profile, plan, undoes, maxErrors, now } = created;
  const { head, counts } = plan;
  const source = undoes === null ? head.source.name : null;
  const changes = countChanges(counts);
  const work = { edit: head.edit, source, plan: plan.sha256, undoes, changes, maxErrors };
  const facts = { id, profile, createdAt: now.toISOString(), ...head.account };
  const job: EditJob = { version: 1, kind: 'edit', ...facts, work };
  const record = await createJobRecord<EditEntry>(root, job);
  if (record === undefined) throw new SalonError('conflict', `Job ${id} is locked by another process.`);
  await using stack = new AsyncDisposableStack();
  stack.use(record.hold);
  const journal = stack.use(record.journal);
  const progress = await readEditProgress(journalPath(root, id));
  return compose(root, { job, plan: toMovedPlan(plan, jobPlanPath(root, id)), progress, journal, stack });
}

/** Reopens a job after its last journal entry. Throws `conflict` while it is running, and if it was undone. */
export async function reopenEditJob(root: string, id: string): Promise<OpenEditJob> {
  const job = await readEditJob(root, id);
  const hold = await acquireJobLock(jobPath(root, id));
  if (hold === undefined) throw stillRunning(id);
  await using stack = new AsyncDisposableStack();
  stack.use(hold);
  const progress = await readEditProgress(journalPath(root, id));
  // Resuming would redo what was undone.
  if (!progress.isDone) await assertNotUndone(root, id);
  const plan = await openJobPlan(root, id);
  const record = await reopenJobRecord<EditEntry>({ root, id, hold, journalBytes: progress.journalBytes });
  return compose(root, { job, plan, progress, journal: stack.use(record.journal), stack });
}

export function stillRunning(id: string): SalonError {
  return new SalonError('conflict', `Job ${id} is still running.`, {
    hint: 'Wait until it ends, or stop its process.',
  });
}

type Parts = Pick<OpenEditJob, 'job' | 'plan' | 'progress' | 'journal'> & {
  readonly stack: AsyncDisposableStack;
};

function compose(root: string, { stack, ...parts }: Parts): OpenEditJob {
  const { id } = parts.job;
  const kept = stack.move();
  return {
    ...parts,
    folder: jobPath(root, id),
    journalPath: journalPath(root, id),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Throws `conflict` if a job on this machine undoes this one. */
export async function assertNotUndone(root: string, id: string): Promise<void> {
  const undo = await findEdit(root, ({ work }) => work.undoes === id);
  if (undo === undefined) return;
  throw new SalonError('conflict', `Job ${id} was undone by job ${undo.id}.`, {
    hint: `Show the undo: salon jobs show ${undo.id}. Resume it: salon jobs resume ${undo.id}`,
  });
}

/** Throws `conflict` if a plan of new records was applied before: applying it again would create them twice. */
export async function assertNotApplied(root: string, { head, sha256 }: Plan): Promise<void> {
  if (head.edit.verb !== 'create') return;
  const job = await findEdit(root, ({ work }) => work.plan === sha256);
  if (job === undefined) return;
  throw new SalonError('conflict', `The plan was already applied by job ${job.id}.`, {
    hint: `Resume an unfinished job: salon jobs resume ${job.id}. To create the records again, plan again.`,
  });
}

async function findEdit(root: string, isWanted: (job: EditJob) => boolean): Promise<EditJob | undefined> {
  for (const id of await listJobIds(root)) {
    const job = await readJob(root, id).catch(() => undefined);
    if (job?.kind === 'edit' && isWanted(job)) return job;
  }
  return undefined;
}
