import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { systemCodeOf } from './file-access.ts';
import { type Job, parseJob } from './job.ts';
import { acquireJobLock, isJobLocked, type JobLock } from './job-lock.ts';
import { type Journal, openJournal, readJournal } from './journal.ts';
import type { EditEntry, ExportEntry, OutcomeCounts } from './journal-entries.ts';

const jobId = /^\d{8}-\d{6}-[0-9a-f]{6}$/;
const dayMs = 86_400_000;

/** An identifier that tells when the job began (UTC), and sorts so. */
export function createJobId(now: Date, random: (size: number) => Uint8Array): string {
  const [day = '', time = ''] = now.toISOString().replace(/[-:]/g, '').split(/[T.]/);
  return `${day}-${time}-${Buffer.from(random(3)).toString('hex')}`;
}

/** Where a job's own files are. */
export function jobPath(root: string, id: string): string {
  return join(root, id);
}

export function journalPath(root: string, id: string): string {
  return join(root, id, 'journal');
}

/** Where the folder of a job is made ready; it is empty at first, and goes by itself when nobody comes back to it. */
export async function createDraftFolder(root: string, id: string): Promise<string> {
  const draft = join(root, `.new-${id}`);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  return draft;
}

/** Makes the folder of a new job out of its draft. Only its owner may enter; it appears whole or not at all. */
export async function createJobFolder(root: string, job: Job): Promise<void> {
  const draft = await createDraftFolder(root, job.id);
  const file = await open(join(draft, 'job.json'), 'wx', 0o600);
  await file.writeFile(`${JSON.stringify(job, null, 2)}\n`);
  await file.sync();
  await file.close();
  await rename(draft, jobPath(root, job.id));
}

/** Identifiers of all jobs, the newest first. */
export async function listJobIds(root: string): Promise<string[]> {
  return (await namesIn(root)).filter((name) => jobId.test(name)).toSorted((a, b) => (a < b ? 1 : -1));
}

/** What a job is to do. Throws `not_found`, or `usage` where its file is damaged. */
export async function readJob(root: string, id: string): Promise<Job> {
  const names = jobId.test(id) ? await namesIn(jobPath(root, id)) : [];
  if (names.length === 0) {
    throw new SalonError('not_found', `There is no job "${id}".`, { hint: 'See them with: salon jobs list' });
  }
  const text = await readFile(join(jobPath(root, id), 'job.json'), 'utf8').catch(() => '');
  return parseJob(text, id);
}

/** Removes the jobs that began before an instant and of which `isOver` says that they may go, and what a killed start left behind. */
export async function removeOldJobs(
  root: string,
  { now, before, isOver }: { now: Date; before: Date; isOver: (id: string) => Promise<boolean> },
): Promise<void> {
  const firstKept = createJobId(before, () => new Uint8Array(3));
  const yesterday = createJobId(new Date(now.getTime() - dayMs), () => new Uint8Array(3));
  for (const name of await namesIn(root)) {
    const isLeftover = name.startsWith('.new-') && name.slice(5) < yesterday;
    const isOld = jobId.test(name) && name < firstKept && (await isOver(name));
    if (isLeftover || isOld) await rm(join(root, name), { recursive: true, force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error) ?? '')) return [];
    throw error;
  }
}

/** How a job stands. `interrupted`: it was told to stop, or its process was killed; it can be gone on with as can `failed`. */
export interface JobStatus {
  readonly state: 'running' | 'interrupted' | 'failed' | 'done';
  /** Rows read, or rows of which it is known what became of them. */
  readonly rows: number;
  /** Of an export, how many rows there were when the newest of them came. */
  readonly total: number | null;
  readonly endedAt: string | null;
  /** Why it stopped. */
  readonly reason: string | null;
  /** Of an edit, what became of how many rows. */
  readonly tally: Partial<OutcomeCounts>;
}

type Noted = { -readonly [Name in keyof JobStatus]: JobStatus[Name] };

/** Reads how a job stands, from its journal alone. */
export async function readJobStatus(root: string, id: string): Promise<JobStatus> {
  const read: Noted = { rows: 0, tally: {}, ...underWay };
  await readJournal<ExportEntry | EditEntry>(journalPath(root, id), (entry) => note(read, entry));
  const state = read.state === 'done' || !(await isJobLocked(jobPath(root, id))) ? read.state : 'running';
  return { ...read, state };
}

/** What work shows, until an ending is read: whatever was written last stood alone if nothing runs any more. */
const underWay = { state: 'interrupted', total: null, endedAt: null, reason: null } as const;

function note(read: Noted, entry: ExportEntry | EditEntry): void {
  switch (entry.type) {
    case 'page':
      Object.assign(read, underWay, { rows: entry.rows, total: entry.total });
      break;
    case 'complete':
      Object.assign(read, underWay, { rows: entry.rows, total: entry.verdict?.lastTotal ?? read.total });
      break;
    case 'intent':
    case 'unsent':
      Object.assign(read, underWay);
      break;
    case 'outcome':
      Object.assign(read, underWay, { rows: read.rows + 1 });
      read.tally = { ...read.tally, [entry.what]: (read.tally[entry.what] ?? 0) + 1 };
      break;
    case 'stopped':
      read.state = entry.code === 'interrupted' ? 'interrupted' : 'failed';
      read.endedAt = entry.at;
      read.reason = entry.message;
      break;
    case 'done':
      read.state = 'done';
      read.endedAt = entry.at;
      break;
  }
}

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
