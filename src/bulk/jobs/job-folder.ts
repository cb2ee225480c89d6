import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { systemCodeOf } from './file-access.ts';
import { type Job, parseJob } from './job.ts';

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
