import { existsSync } from 'node:fs';
import type { SalonError } from '../../contract/errors.ts';
import type { EditJob, MergeJob } from '../jobs/job.ts';
import {
  closeJobRecord,
  createJobRecord,
  type JobProgress,
  jobPath,
  journalPath,
  type LockedJob,
  lockJob,
  readJobProgress,
} from '../jobs/job-folder.ts';
import { type EditEntry, type Journal, openJournal, readEntries } from '../jobs/journal.ts';
import { assertNotUndone } from './related-jobs.ts';

/**
 * A job of steps, locked by this process until disposal: the rows of a bulk edit, or the changes that merge two clients
 * or undo that. Its folder has the plan of the steps, and its journal their outcomes.
 */
export interface OpenStepJob<StepJob, StepPlan> extends AsyncDisposable {
  readonly job: StepJob;
  readonly plan: StepPlan;
  /** What earlier runs have done. */
  readonly progress: JobProgress;
  readonly journal: Journal<EditEntry>;
  readonly folder: string;
  readonly journalPath: string;
}

/** Turns a draft folder that has the plan into a job. Sends nothing. */
export async function openStepJob<StepJob extends EditJob | MergeJob, StepPlan>(
  root: string,
  job: StepJob,
  plan: StepPlan,
): Promise<OpenStepJob<StepJob, StepPlan>> {
  const progress = await readJobProgress(journalPath(root, job.id));
  const record = await createJobRecord<EditEntry>(root, job);
  return toOpenJob(root, record, { job, plan, progress });
}

/** Reopens a job after its last journal entry. Throws `conflict` while it is running, and if it was undone. */
export async function reopenStepJob<StepJob extends EditJob | MergeJob, StepPlan>(
  root: string,
  job: StepJob,
  readPlan: (progress: JobProgress) => Promise<StepPlan>,
): Promise<OpenStepJob<StepJob, StepPlan>> {
  const { id } = job;
  await using stack = new AsyncDisposableStack();
  const lock = stack.use(await lockJob(root, id));
  const isMissing = !existsSync(journalPath(root, id));
  const read = await readJobProgress(journalPath(root, id));
  // Without a journal, any step may have been sent.
  const progress = isMissing ? { ...read, isDamaged: true, hasGap: true } : read;
  // Resuming would redo what was undone.
  if (progress.state !== 'done') await assertNotUndone(root, id);
  const plan = await readPlan(progress);
  const journal = await openJournal<EditEntry>(journalPath(root, id), progress.intactBytes);
  stack.move();
  return toOpenJob(root, { id, journal, lock }, { job, plan, progress });
}

function toOpenJob<StepJob, StepPlan>(
  root: string,
  record: LockedJob<EditEntry>,
  parts: Pick<OpenStepJob<StepJob, StepPlan>, 'job' | 'plan' | 'progress'>,
): OpenStepJob<StepJob, StepPlan> {
  const { id, journal } = record;
  return {
    ...parts,
    journal,
    folder: jobPath(root, id),
    journalPath: journalPath(root, id),
    [Symbol.asyncDispose]: () => closeJobRecord(record),
  };
}

/** Journals how a run of a job ended. If the journal cannot be written, it has no such entry. */
export async function journalEnd(
  journal: Journal<EditEntry>,
  stop: SalonError | undefined,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  if (stop === undefined) await journal.append({ type: 'done', at });
  else await journal.append({ type: 'stopped', at, code: stop.code, message: stop.message }).catch(() => {});
  await journal.commit().catch(() => {});
}

/**
 * Returns whether a record belongs to another step of the job; one that does not is taken from then on. Reads the
 * journal each time: few steps are ever unconfirmed, and a million IDs would take memory.
 */
export function createTakenIdCheck(journalPath: string): (id: string) => Promise<boolean> {
  const given = new Set<string>();
  return async (id) => {
    if (given.has(id)) return true;
    given.add(id);
    for await (const { entry } of readEntries<EditEntry>(journalPath, { skipsDamage: true }))
      if (entry.type === 'outcome' && entry.id === id) return true;
    return false;
  };
}
