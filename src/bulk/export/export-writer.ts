import { rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Fields } from '../../client/json-object.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import { keysOf, type ResumePoint } from '../../client/pagination/page.ts';
import type { ExportJob } from '../jobs/job.ts';
import { closeJobRecord, journalPath, type LockedJob } from '../jobs/job-folder.ts';
import {
  type CompleteEntry,
  type ExportEntry,
  type ExportPosition,
  exportStart,
  openJournal,
} from '../jobs/journal.ts';
import {
  createPartialFile,
  type OutputTarget,
  type PartialFile,
  partialPath,
  reopenPartialFile,
} from '../jobs/partial-file.ts';
import type { Chunk } from '../sheet/sheet-text.ts';
import type { Checkpoint } from './checkpoint.ts';
import { withCheckpoint } from './partial-checkpoint.ts';

export type ExportRecord = LockedJob<ExportEntry>;

/** A page of a list, formatted for the output. */
export interface FormattedPage {
  readonly chunk: Chunk;
  /** The page's rows, including those that another shard writes. */
  readonly rows: readonly Fields[];
  /** Number of rows in `chunk`. */
  readonly written: number;
  readonly total: number | undefined;
  readonly version: number | undefined;
  readonly resume: ResumePoint | undefined;
}

export interface ExportWriterOptions {
  readonly file: PartialFile;
  /** Creates the job once there is more than one page; returns undefined if that is not possible. */
  readonly createRecord: () => Promise<ExportRecord | undefined>;
  readonly nowMs: () => number;
  /** Whether a part of the file is of no use, so that none is kept. */
  readonly isWhole?: boolean;
  /** The job of an export that is resumed, and the position its file is at. */
  readonly resumed?: { readonly record: ExportRecord; readonly position: ExportPosition };
}

/** A power cut loses at most this much work. */
const commitEveryMs = 1_000;

/** Holds the first page back: a list of one page needs no job. */
export function createExportWriter({
  file,
  createRecord,
  nowMs,
  isWhole = false,
  resumed,
}: ExportWriterOptions) {
  let position = resumed?.position ?? exportStart;
  let record = resumed?.record;
  let hasRecord = record !== undefined;
  const held: FormattedPage[] = [];
  let completed: CompleteEntry | undefined;
  let committedAtMs = nowMs();

  async function append(chunk: Chunk): Promise<ExportPosition> {
    const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    await file.write(data);
    return { ...position, bytes: position.bytes + data.length, crc: crc32(data, position.crc) };
  }

  async function writeHeld(): Promise<void> {
    for (const { chunk, rows, written, total, version, resume } of held.splice(0)) {
      const { bytes, crc } = await append(chunk);
      const next = { rows: position.rows + rows.length, written: position.written + written, bytes, crc };
      await record?.journal.append({
        type: 'page',
        ...next,
        total: total ?? null,
        version: version ?? null,
        keys: keysOf(rows),
        resume: resume ?? null,
      });
      position = next;
      if (nowMs() - committedAtMs < commitEveryMs) continue;
      await file.sync();
      await record?.journal.commit();
      committedAtMs = nowMs();
    }
  }

  async function ensureRecord(): Promise<void> {
    if (hasRecord) return;
    hasRecord = true;
    record = await createRecord();
  }

  return {
    async write(page: FormattedPage) {
      held.push(page);
      if (!hasRecord && held.filter(({ rows }) => rows.length > 0).length < 2) return;
      await ensureRecord();
      await writeHeld();
    },
    /** Writes the ending after the last page, and waits until everything is on disk. */
    async complete(ending: Chunk, report: ConsistencyReport | undefined) {
      await writeHeld();
      position = await append(ending);
      completed = { type: 'complete', ...position, verdict: report ?? null };
      if (record === undefined) return;
      await file.sync();
      await record.journal.append(completed);
      await record.journal.commit();
    },
    /** Marks the job as done, once the file is at its target. */
    async finish(at: string) {
      if (record !== undefined && completed !== undefined) await finishRecord(record, completed, at);
    },
    /** Keeps the rows written so far, if there are any. The file at the target stays unchanged. */
    async stop({ code, message, at }: Record<'code' | 'message' | 'at', string>) {
      try {
        if (held.some(({ rows }) => rows.length > 0)) await ensureRecord();
        await writeHeld();
      } catch {
        // The error that stopped the export may affect its first page as well.
      }
      if (position.rows === 0 || isWhole) {
        await file.discard();
        return { path: undefined, jobId: undefined };
      }
      const path = await file.keep(position.bytes).catch(() => undefined);
      if (record !== undefined) {
        const { journal } = record;
        await journal.append({ type: 'stopped', at, code, message }).catch(() => {});
        await journal.commit().catch(() => {});
        await closeJobRecord(record);
      }
      return { path, jobId: record?.id };
    },
    get position() {
      return position;
    },
  };
}

/** Writes an export into a file, and its progress into a job's journal. */
export type ExportWriter = ReturnType<typeof createExportWriter>;

/** Marks the job of a complete export as done and unlocks it. Its journal no longer needs the keys of the rows. */
export async function finishRecord(
  record: ExportRecord,
  completed: CompleteEntry,
  at: string,
): Promise<void> {
  await record.journal.replace([completed, { type: 'done', at }]);
  await closeJobRecord(record);
}

export interface ReopenExportOptions {
  readonly root: string;
  readonly job: ExportJob;
  /** Of the API key, for the checkpoint beside the file. */
  readonly key: string;
  readonly lock: AsyncDisposable;
  readonly target: OutputTarget;
  readonly checkpoint: Checkpoint;
}

/** Opens the data file and the journal of an export at a checkpoint. */
export async function reopenExport({ root, job, key, lock, target, checkpoint }: ReopenExportOptions) {
  const { source, position, journalBytes } = checkpoint;
  const { id } = job;
  await using stack = new AsyncDisposableStack();
  const journal = await openJournal<ExportEntry>(journalPath(root, id), journalBytes);
  // The rows are never without a checkpoint, however this process ends.
  const record = await withCheckpoint({ id, journal, lock }, target, { root, job, key });
  stack.use(record.journal);
  if (source === undefined) await rm(partialPath(target, id), { force: true });
  const file = stack.use(
    source === undefined
      ? await createPartialFile(target, id)
      : await reopenPartialFile(target, id, { from: source, bytes: position.bytes }),
  );
  const opened = stack.move();
  return { file, record, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
