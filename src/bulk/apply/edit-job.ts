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

/** A bulk edit that this process alone works on, until it is disposed of. */
export interface OpenEditJob extends AsyncDisposable {
  readonly job: EditJob;
  readonly plan: Plan;
  /** What earlier runs have done. */
  readonly progress: EditProgress;
  readonly journal: Journal<EditEntry>;
  /** Where the job's files are. */
  readonly folder: string;
  readonly journalPath: string;
}

export interface NewEditJob extends Pick<JobFacts, 'id' | 'profile'> {
  /** In the folder of that identifier. */
  readonly plan: Plan;
  /** The job that it takes back. */
  readonly undoes: string | null;
  readonly maxErrors: number | null;
  readonly now: Date;
}

/** Makes a job of a plan that was consented to: its folder becomes the job's. Nothing is sent yet. */
export async function openEditJob(root: string, starting: NewEditJob): Promise<OpenEditJob> {
  const { id, profile, plan, undoes, maxErrors, now } = starting;
  const { head, counts } = plan;
  const source = undoes === null ? head.source.name : null;
  const work = {
    edit: head.edit,
    source,
    plan: plan.sha256,
    undoes,
    changes: countChanges(counts),
    maxErrors,
  };
  const facts = { id, profile, createdAt: now.toISOString(), ...head.account };
  const job: EditJob = { version: 1, kind: 'edit', ...facts, work };
  const record = await createJobRecord<EditEntry>(root, job);
  if (record === undefined) throw new SalonError('conflict', `Job ${id} was taken by another process.`);
  await using opened = new AsyncDisposableStack();
  opened.use(record.hold);
  const journal = opened.use(record.journal);
  const progress = await readEditProgress(journalPath(root, id));
  return compose(root, { job, plan: toMovedPlan(plan, jobPlanPath(root, id)), progress, journal, opened });
}

/** Opens a job again behind what it wrote down last. Throws `conflict` while another process works on it, and once it was taken back. */
export async function reopenEditJob(root: string, id: string): Promise<OpenEditJob> {
  const job = await readEditJob(root, id);
  const hold = await acquireJobLock(jobPath(root, id));
  if (hold === undefined) throw stillRunning(id);
  await using opened = new AsyncDisposableStack();
  opened.use(hold);
  const progress = await readEditProgress(journalPath(root, id));
  // What was put back is not to be done once more.
  if (!progress.isDone) await assertNotUndone(root, id);
  const plan = await openJobPlan(root, id);
  const record = await reopenJobRecord<EditEntry>({ root, id, hold, journalBytes: progress.journalBytes });
  return compose(root, { job, plan, progress, journal: opened.use(record.journal), opened });
}

export function stillRunning(id: string): SalonError {
  return new SalonError('conflict', `Job ${id} is still running.`, {
    hint: 'Wait for it, or stop its process first.',
  });
}

type Opened = Pick<OpenEditJob, 'job' | 'plan' | 'progress' | 'journal'> & {
  readonly opened: AsyncDisposableStack;
};

function compose(root: string, { opened, ...parts }: Opened): OpenEditJob {
  const { id } = parts.job;
  const kept = opened.move();
  return {
    ...parts,
    folder: jobPath(root, id),
    journalPath: journalPath(root, id),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Nobody has taken a job back, as far as this machine's jobs tell. Throws `conflict`. */
export async function assertNotUndone(root: string, id: string): Promise<void> {
  const undo = await findEdit(root, ({ work }) => work.undoes === id);
  if (undo === undefined) return;
  throw new SalonError('conflict', `Job ${id} was taken back by job ${undo.id}.`, {
    hint: `Look at it with "salon jobs show ${undo.id}"; if it is not done: salon jobs resume ${undo.id}`,
  });
}

/** A plan of new records is carried out once: the second time would make them all again. Throws `conflict`. */
export async function assertNotCarriedOut(root: string, { head, sha256 }: Plan): Promise<void> {
  if (head.edit.verb !== 'create') return;
  const job = await findEdit(root, ({ work }) => work.plan === sha256);
  if (job === undefined) return;
  throw new SalonError('conflict', `The plan was carried out by job ${job.id}.`, {
    hint: `If that is not done: salon jobs resume ${job.id}. To add the records once more, make the plan again.`,
  });
}

async function findEdit(root: string, isIt: (job: EditJob) => boolean): Promise<EditJob | undefined> {
  for (const id of await listJobIds(root)) {
    const job = await readJob(root, id).catch(() => undefined);
    if (job?.kind === 'edit' && isIt(job)) return job;
  }
  return undefined;
}
