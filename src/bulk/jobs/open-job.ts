import type { Job } from './job.ts';
import { createJobFolder, jobPath, journalPath, removeOldJobs } from './job-folder.ts';
import { acquireJobLock, type JobLock } from './job-lock.ts';
import { readJobStatus } from './job-status.ts';
import { type Journal, openJournal } from './journal.ts';

/** How long finished jobs can be looked at. */
const keptMs = 30 * 86_400_000;

/** What a job that this process works on remembers of itself. */
export interface JobRecord<Entry> {
  readonly id: string;
  readonly journal: Journal<Entry>;
  readonly hold: JobLock;
}

/** Makes the folder of a new job, takes hold of it and opens its journal. Jobs that are long finished go. */
export async function createJobRecord<Entry>(root: string, job: Job): Promise<JobRecord<Entry> | undefined> {
  const now = new Date(job.createdAt);
  const before = new Date(now.getTime() - keptMs);
  const isOver = async (id: string) => {
    const { state, endedAt } = await readJobStatus(root, id);
    return state === 'done' && endedAt !== null && endedAt < before.toISOString();
  };
  await removeOldJobs(root, { now, before, isOver });
  await createJobFolder(root, job);
  const hold = await acquireJobLock(jobPath(root, job.id));
  return hold === undefined ? undefined : reopenJobRecord({ root, id: job.id, hold, journalBytes: 0 });
}

export interface Continuing {
  readonly root: string;
  readonly id: string;
  readonly hold: JobLock;
  /** Up to here the journal is sound. */
  readonly journalBytes: number;
}

/** Opens the journal of a job that this process has hold of. */
export async function reopenJobRecord<Entry>({
  root,
  id,
  hold,
  journalBytes,
}: Continuing): Promise<JobRecord<Entry>> {
  const journal = await openJournal<Entry>(journalPath(root, id), journalBytes);
  return { id, journal, hold };
}
