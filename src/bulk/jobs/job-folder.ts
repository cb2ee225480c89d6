import { existsSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { createPrivateFolder, openLocalState, toStatePath } from '../../local-state/local-state.ts';
import { dayMs } from '../../time/time.ts';
import { createUnreadableError, systemCodeOf, withJobsFolder } from './file-access.ts';
import { type Job, parseJob } from './job.ts';
import {
  type EditEntry,
  type EndEntry,
  type ExportEntry,
  type Journal,
  type JournalEnd,
  mayHaveChanged,
  type OutcomeCounts,
  openJournal,
  readJournal,
} from './journal.ts';

const jobId = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

export function isJobId(text: string): boolean {
  return jobId.test(text);
}

/** IDs start with the time (UTC), so they sort by it. */
export function createJobId(now: Date, random: (size: number) => Uint8Array): string {
  const [day = '', time = ''] = now.toISOString().replace(/[-:]/g, '').split(/[T.]/);
  return `${day}-${time}-${Buffer.from(random(3)).toString('hex')}`;
}

export function jobPath(root: string, id: string): string {
  return join(root, id);
}

export function journalPath(root: string, id: string): string {
  return join(root, id, 'journal');
}

/**
 * Creates the folder in which a job is prepared. An abandoned one is removed a day later. Throws `usage` where nothing
 * can be stored, `output_failed` on a full disk.
 */
export function createDraftFolder(root: string, id: string): Promise<string> {
  return withJobsFolder(root, async () => {
    const draft = join(root, `.new-${id}`);
    createPrivateFolder(draft);
    return draft;
  });
}

/** Newest first. */
export async function listJobIds(root: string): Promise<string[]> {
  return (await namesIn(root)).filter((name) => jobId.test(name)).toSorted((a, b) => (a < b ? 1 : -1));
}

/** Beside the folder of a job that books several appointments, which are asked for among thousands of jobs. */
const bookingMark = '.books';

/** The jobs that may have booked an appointment with others, newest first: those whose journal has its ID. */
export async function* findBookingJobs(root: string, appointmentId: string): AsyncGenerator<string> {
  const marks = (await namesIn(root)).filter((name) => name.endsWith(bookingMark));
  for (const mark of marks.toSorted().reverse()) {
    const id = mark.slice(0, -bookingMark.length);
    const journal = await readFile(journalPath(root, id), 'utf8').catch(() => '');
    if (journal.includes(appointmentId)) yield id;
  }
}

/** Throws `not_found`, or `usage` if the file of the job is damaged. */
export async function readJob(root: string, id: string): Promise<Job> {
  if (!(await hasJob(root, id))) {
    throw new SalonError('not_found', `No job with ID ${id}.`, { hint: 'List jobs with: salon jobs list' });
  }
  const text = await readFile(join(jobPath(root, id), 'job.json'), 'utf8').catch(() => '');
  return parseJob(text, id);
}

/** The error for a job that another process works on. */
export function createStillRunningError(id: string): SalonError {
  return new SalonError('conflict', `Job ${id} is still running.`, {
    hint: 'Wait until it ends, or stop its process.',
  });
}

/** Whether there is a folder for the job, however damaged. */
export async function hasJob(root: string, id: string): Promise<boolean> {
  if (!jobId.test(id)) return false;
  if (existsSync(jobPath(root, id))) return true;
  // Throws where nothing can be read.
  return (await namesIn(root)).includes(id);
}

/** Deletes a job with everything in its folder. It can be neither resumed nor undone then. Throws `usage`. */
export async function removeJob(root: string, id: string): Promise<void> {
  await withJobsFolder(root, () =>
    Promise.all(
      [jobPath(root, id), jobPath(root, id) + bookingMark].map((path) =>
        rm(path, { recursive: true, force: true }),
      ),
    ),
  );
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error) ?? '')) return [];
    throw createUnreadableError(folder, error, 'Set SALON_DATA_DIR to a folder that you can read.');
  }
}

/** How far a job has come, according to its journal. */
export interface JobProgress extends JournalEnd {
  /** `interrupted`: stopped by a signal or killed. It can be resumed, and so can `failed`. */
  readonly state: 'interrupted' | 'failed' | 'done';
  /** Rows exported, or steps with an outcome. */
  readonly rows: number;
  /** Rows of the exported list, as last reported by the server. */
  readonly total: number | null;
  readonly endedAt: string | null;
  /** Why it stopped. */
  readonly reason: string | null;
  /** Steps by outcome. */
  readonly tally: Partial<OutcomeCounts>;
  /** Steps that have or may have changed something. */
  readonly changed: number;
  /** Steps with an outcome. */
  readonly settled: ReadonlySet<number>;
  /** Steps that may have been sent and have no outcome, and when (milliseconds since 1970). */
  readonly unconfirmed: ReadonlyMap<number, { readonly atMs: number }>;
}

/** Reads a journal, however damaged. Throws `usage` if that is impossible. */
export async function readJobProgress(path: string): Promise<JobProgress> {
  const [settled, unconfirmed] = [new Set<number>(), new Map<number, { readonly atMs: number }>()];
  const tally: Partial<Record<keyof OutcomeCounts, number>> = {};
  let [rows, changed, total] = [0, 0, null as number | null];
  let end: EndEntry | undefined;
  const add = (entry: ExportEntry | EditEntry) => {
    end = entry.type === 'stopped' || entry.type === 'done' ? entry : undefined;
    switch (entry.type) {
      case 'page':
        rows = entry.rows;
        total = entry.total;
        break;
      case 'complete':
        rows = entry.rows;
        total = entry.verdict?.lastTotal ?? total;
        break;
      case 'intent':
        unconfirmed.set(entry.row, { atMs: entry.atMs });
        break;
      case 'unsent':
        unconfirmed.delete(entry.row);
        break;
      case 'outcome':
        rows += 1;
        if (mayHaveChanged(entry)) changed += 1;
        unconfirmed.delete(entry.row);
        settled.add(entry.row);
        tally[entry.what] = (tally[entry.what] ?? 0) + 1;
        break;
    }
  };
  const read = await readJournal(path, add, { skipsDamage: true });
  const progress = { ...read, ...unfinished, rows, total, changed, tally, settled, unconfirmed };
  if (end === undefined) return progress;
  if (end.type === 'done') return { ...progress, state: 'done', endedAt: end.at };
  const state = end.code === 'interrupted' ? 'interrupted' : 'failed';
  return { ...progress, state, endedAt: end.at, reason: end.message };
}

const unfinished = { state: 'interrupted', endedAt: null, reason: null } as const;

/** The status of a job for people. `damaged`: its files cannot be read. */
export interface JobStatus extends Pick<JobProgress, 'rows' | 'total' | 'endedAt' | 'reason' | 'tally'> {
  readonly state: JobProgress['state'] | 'running' | 'damaged';
}

/** Reads the status from the journal. Throws `usage` if that is impossible. */
export async function readJobStatus(root: string, id: string): Promise<JobStatus> {
  const { rows, total, endedAt, reason, tally, hasGap, ...read } = await readJobProgress(
    journalPath(root, id),
  );
  const isRunning = read.state !== 'done' && (await isJobLocked(root, id));
  const state = isRunning ? 'running' : read.state;
  const damage = hasGap ? 'The journal of the job is damaged.' : null;
  return { state, rows, total, endedAt, reason: reason ?? damage, tally };
}

/** The status of a job whose files may be unreadable. */
export async function readDamagedStatus(root: string, id: string): Promise<JobStatus> {
  try {
    return await readJobStatus(root, id);
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    return { rows: 0, total: null, tally: {}, ...unfinished, state: 'damaged', reason: error.message };
  }
}

/** How long jobs are kept after their end, and unfinished ones after their creation: they contain personal data. */
const keptMs = 30 * dayMs;
const unfinishedKeptMs = 90 * dayMs;

/** Removes jobs that have been kept long enough, and abandoned drafts. Those that cannot be removed stay. */
export async function removeExpiredJobs(root: string, now: Date): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const toId = (instant: Date) => createJobId(instant, () => new Uint8Array(3));
  const isExpired = async (id: string) => {
    if (id >= toId(before(keptMs))) return false;
    const { state, endedAt } = await readDamagedStatus(root, id);
    if (state === 'done') return endedAt !== null && endedAt < before(keptMs).toISOString();
    return state !== 'running' && id < toId(before(unfinishedKeptMs));
  };
  for (const name of await namesIn(root)) {
    const isLeftover = name.startsWith('.new-') && name.slice(5) < toId(before(dayMs));
    const isOld = jobId.test(name) && (await isExpired(name));
    if (isLeftover || isOld) await removeJob(root, name).catch(() => {});
  }
}

/** A job locked by this process, with its journal. */
export interface LockedJob<Entry> {
  readonly id: string;
  readonly journal: Journal<Entry>;
  readonly lock: AsyncDisposable;
}

/** Turns a draft folder into that of a locked job, completely or not at all. Removes old jobs. */
export async function createJobRecord<Entry>(root: string, job: Job): Promise<LockedJob<Entry>> {
  await removeExpiredJobs(root, new Date(job.createdAt));
  const draft = await createDraftFolder(root, job.id);
  await withJobsFolder(root, async () => {
    const file = await open(join(draft, 'job.json'), 'wx', 0o600);
    await file.writeFile(`${JSON.stringify(job, null, 2)}
`);
    await file.sync();
    await file.close();
    const { edit } = job.kind === 'edit' ? job.work : {};
    if (edit?.verb === 'create' && edit.onConflict !== undefined)
      await writeFile(jobPath(root, job.id) + bookingMark, '', { mode: 0o600 });
    await rename(draft, jobPath(root, job.id));
  });
  const lock = await lockJob(root, job.id);
  return { id: job.id, journal: await openJournal(journalPath(root, job.id), 0), lock };
}

export async function closeJobRecord({
  journal,
  lock,
}: Record<'journal' | 'lock', AsyncDisposable>): Promise<void> {
  await journal[Symbol.asyncDispose]();
  await lock[Symbol.asyncDispose]();
}

/** Throws `conflict`, or another error, where another process has locked the job, and an error where the folder is not writable. */
export async function lockJob(
  root: string,
  id: string,
  createError = createStillRunningError,
): Promise<AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  const state = resources.use(await openLocalState(root));
  const lock = await state.acquireLock(id);
  if (lock === undefined) throw createError(id);
  resources.use(lock);
  return resources.move();
}

/** Where the lock cannot be read, the job counts as not locked: a process that works on it keeps the lock readable. */
export async function isJobLocked(root: string, id: string): Promise<boolean> {
  if (!existsSync(toStatePath(root))) return false;
  try {
    using state = await openLocalState(root);
    return await state.isLocked(id);
  } catch {
    return false;
  }
}

/** Throws `conflict` where another process works on the job. */
export async function assertNotRunning(root: string, id: string): Promise<void> {
  if (await isJobLocked(root, id)) throw createStillRunningError(id);
}
