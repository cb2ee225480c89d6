import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { SalonError } from '../../contract/errors.ts';
import { type ExportJob, parseJob } from '../jobs/job.ts';
import { createJobRecord, hasJob, isJobId, journalPath, readJob } from '../jobs/job-folder.ts';
import { readEntries, toLine } from '../jobs/journal.ts';
import type { ExportEntry } from '../jobs/journal-entries.ts';
import { createPartialFile, keptPath, type OutputTarget } from './partial-file.ts';

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

/** Writes the checkpoint of a stopped export completely or not at all. Throws `output_failed`. */
export async function writeCheckpoint(
  target: OutputTarget,
  { root, job, key }: { readonly root: string; readonly job: ExportJob; readonly key: string },
): Promise<void> {
  const path = checkpointPath(target);
  const file = await createPartialFile({ path, realPath: path, mode: 0o600 }, `checkpoint-${randomUUID()}`);
  try {
    const head: CheckpointHead = { type: 'export', job, key };
    await file.write(toLine(head));
    for await (const { entry } of readEntries<ExportEntry>(journalPath(root, job.id))) {
      await file.write(toLine(entry));
    }
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
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
    hint: 'Copy it together with the .partial file, or run the export again.',
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
    throw new SalonError(
      'usage',
      `Job ${job.id} on this machine writes to ${output}, not to ${target.path}.`,
      {
        hint: `Move the file back, or delete the job: salon jobs remove ${job.id}`,
      },
    );
  }
  const record = await createJobRecord<ExportEntry>(root, job);
  if (record === undefined) throw new SalonError('conflict', `Job ${job.id} is locked by another process.`);
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
