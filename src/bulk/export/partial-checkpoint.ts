import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { lockFile } from '../../local-state/local-state.ts';
import { type ExportJob, parseJob } from '../jobs/job.ts';
import {
  createJobRecord,
  hasJob,
  isJobId,
  journalPath,
  type LockedJob,
  readJob,
} from '../jobs/job-folder.ts';
import { type ExportEntry, openJournal, readEntries } from '../jobs/journal.ts';
import { keptPath, type OutputTarget, partialPath } from '../jobs/partial-file.ts';
/**
 * Beside `<file>.partial`: what another machine needs to resume the export. Its lines are those of a journal: the first
 * is the job, the others are the journal of the job.
 */
export function checkpointPath(target: OutputTarget): string {
  return `${keptPath(target)}.job`;
}

/** The first line of a checkpoint. */
export interface CheckpointHead {
  readonly type: 'export';
  readonly job: ExportJob;
  /** Hash of the API key: where the account is unknown, only the same key continues the export. */
  readonly key: string;
}

/** Beside the partial file of an export that is running: its checkpoint, or the lock of its process. */
function besidePartial(target: OutputTarget, id: string, kind: 'job' | 'lock'): string {
  return partialPath(target, id).replace(/tmp$/, kind);
}

/**
 * Marks a partial file as that of this process; undefined where another process writes it. Dispose it once the partial
 * file is committed, kept or discarded.
 */
export async function lockPartialFile(
  target: OutputTarget,
  id: string,
): Promise<AsyncDisposable | undefined> {
  let lock: AsyncDisposable | undefined;
  try {
    lock = await lockFile(besidePartial(target, id, 'lock'));
    if (lock === undefined) return undefined;
  } catch {
    // Without locks there is no telling which exports were killed, so all are left alone.
  }
  return {
    async [Symbol.asyncDispose]() {
      await rm(besidePartial(target, id, 'job'), { force: true });
      await lock?.[Symbol.asyncDispose]();
    },
  };
}

/** Writes what the journal of an export has, and will get, to a checkpoint beside its partial file, too. */
export async function withCheckpoint(
  record: LockedJob<ExportEntry>,
  target: OutputTarget,
  { root, job, key }: { readonly root: string; readonly job: ExportJob; readonly key: string },
): Promise<LockedJob<ExportEntry>> {
  const { journal } = record;
  const head: CheckpointHead = { type: 'export', job, key };
  const copy = await openJournal<ExportEntry | CheckpointHead>(besidePartial(target, job.id, 'job'), 0);
  await copy.append(head);
  for await (const { entry } of readEntries<ExportEntry>(journalPath(root, job.id))) await copy.append(entry);
  // The journal counts: without a whole copy, only this machine can resume.
  const tryCopy = (act: () => Promise<void>) => act().catch(() => {});
  return {
    ...record,
    journal: {
      async append(entry) {
        await journal.append(entry);
        await tryCopy(() => copy.append(entry));
      },
      async commit() {
        await Promise.all([journal.commit(), tryCopy(copy.commit)]);
      },
      replace: journal.replace,
      async [Symbol.asyncDispose]() {
        await Promise.all([journal[Symbol.asyncDispose](), copy[Symbol.asyncDispose]()]);
      },
    },
  };
}

/** Keeps the checkpoint of a stopped export for another machine. Returns whether there is one. */
export async function keepCheckpoint(target: OutputTarget, id: string): Promise<boolean> {
  return rename(besidePartial(target, id, 'job'), checkpointPath(target)).then(
    () => true,
    () => false,
  );
}

/**
 * Keeps what killed exports to a file left beside it, as if they had been stopped, and removes what cannot be resumed.
 * Files that another process writes are left alone, and so are those of exports to other files.
 */
export async function keepKilled(target: OutputTarget, now: Date): Promise<void> {
  const folder = dirname(target.realPath);
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.toSorted()) {
    const [, id = '', kind] = /^\.salon-(.+)\.(tmp|lock)$/.exec(name) ?? [];
    if (kind === 'lock') await keepIfKilled(target, id);
    else if (kind === 'tmp' && !names.includes(`.salon-${id}.lock`)) {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found && found.mtimeMs < now.getTime() - abandonedMs) await rm(join(folder, name), { force: true });
    }
  }
}

/** Without a lock it is unknown whether a process still writes a file; no process takes this long. */
const abandonedMs = 86_400_000;

async function keepIfKilled(target: OutputTarget, id: string): Promise<void> {
  const checkpoint = besidePartial(target, id, 'job');
  const readHead = () => readCheckpointHead(checkpoint).catch(() => undefined);
  const isOther = (head: CheckpointHead | undefined) =>
    head !== undefined && basename(head.job.work.output) !== basename(target.path);
  if (isOther(await readHead())) return;
  await using lock = await lockFile(besidePartial(target, id, 'lock')).catch(() => undefined);
  if (lock === undefined) return;
  if ((await readHead()) === undefined) {
    for (const path of [partialPath(target, id), checkpoint]) await rm(path, { force: true });
    return;
  }
  await rename(partialPath(target, id), keptPath(target)).catch(() => {});
  await keepCheckpoint(target, id);
}

/** The head of a checkpoint. Throws `usage` where there is none, and for a damaged one. */
export async function readCheckpointHead(path: string): Promise<CheckpointHead> {
  const entries = readEntries<Partial<CheckpointHead>>(path);
  const first = await entries.next();
  await entries.return({ intactBytes: 0, isDamaged: false, hasGap: false });
  const { type, job, key } = (first.done ? undefined : first.value.entry) ?? {};
  const id = job?.id;
  // The ID becomes the name of a folder.
  if (type !== 'export' || typeof id !== 'string' || !isJobId(id) || typeof key !== 'string')
    throw unusable(path);
  const parsed = parseJob(JSON.stringify(job), id);
  if (parsed.kind !== 'export') throw unusable(path);
  return { type, job: parsed, key };
}

function unusable(path: string): SalonError {
  return new SalonError('usage', `There is no usable checkpoint at ${path}.`, {
    hint: 'A finished export has none. Copy it together with the .partial file, or run the export again.',
  });
}

/**
 * Makes a job of this machine from a checkpoint, writing to `target`. Returns the job unchanged if it already exists here.
 * Throws `usage` if that one writes to another file.
 */
export async function adoptCheckpoint(root: string, target: OutputTarget): Promise<ExportJob> {
  const path = checkpointPath(target);
  const { job: former } = await readCheckpointHead(path);
  // A checkpoint may have come from anywhere: it must not name another file to write.
  const job = { ...former, work: { ...former.work, output: target.path, state: null } };
  if (await hasJob(root, job.id)) {
    const known = await readJob(root, job.id);
    if (known.kind === 'export' && known.work.output === target.path) return known;
    const output = known.kind === 'export' ? known.work.output : 'no file';
    const message = `Job ${job.id} on this machine writes to ${output}, not to ${target.path}.`;
    throw new SalonError('usage', message, {
      hint: `Move the file back, or delete the job: salon jobs remove ${job.id}`,
    });
  }
  const record = await createJobRecord<ExportEntry>(root, job);
  await using _lock = record.lock;
  await using journal = record.journal;
  let isHead = true;
  for await (const { entry } of readEntries<ExportEntry>(path)) {
    if (!isHead) await journal.append(entry);
    isHead = false;
  }
  await journal.commit();
  return job;
}

/** Removes the `.partial` file of an earlier export to the same file, once that file is complete. */
export async function removeKept(target: OutputTarget): Promise<void> {
  for (const path of [keptPath(target), checkpointPath(target)])
    await rm(path, { force: true }).catch(() => {});
}
