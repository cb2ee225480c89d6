import { rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import { keysOf } from '../../client/pagination/page.ts';
import { type JobRecord, reopenJobRecord } from '../jobs/job-folder.ts';
import type { JobLock } from '../jobs/job-lock.ts';
import { type CompleteEntry, type ExportEntry, type Position, start } from '../jobs/journal-entries.ts';
import type { Checkpoint } from './checkpoint.ts';
import {
  createPartialFile,
  type FilePlace,
  type PartialFile,
  partialPath,
  reopenPartialFile,
} from './partial-file.ts';
import type { Piece } from './write-pages.ts';

/** An export into a file, while its rows come in. */
export interface ExportRun {
  take(piece: Piece): Promise<void>;
  /** Everything has come: writes the ending and makes sure that it is on disk. */
  complete(ending: string, verdict: ConsistencyReport | undefined): Promise<void>;
  /** The file is in its place, with all that goes with it. */
  finish(at: string): Promise<void>;
  /** Keeps what has come, if there is any; the file in its place stays as it was. */
  stop(reason: StopReason): Promise<Kept>;
  readonly position: Position;
}

export interface StopReason {
  readonly code: string;
  readonly message: string;
  readonly at: string;
}

/** What is left of an export that stopped. */
export interface Kept {
  /** Where the rows are; undefined where there are none. */
  readonly path: string | undefined;
  /** The job that goes on with it, where there is one. */
  readonly jobId: string | undefined;
}

export type ExportRecord = JobRecord<ExportEntry>;

export interface ExportRunParts {
  readonly file: PartialFile;
  /** Makes the job, when there is more than one page; undefined where none can be kept. */
  readonly openRecord: () => Promise<ExportRecord | undefined>;
  readonly now: () => number;
}

/** How much work a power cut may cost. */
const commitEveryMs = 1_000;

/** Begins an export: its first page is held back until a second one, or a failure, shows that a job is worth its while. */
export function startExport(parts: ExportRunParts): ExportRun {
  return createRun(parts, { position: start, record: undefined });
}

/** Goes on with an export whose file is as long as its position says. */
export function continueExport(
  parts: Omit<ExportRunParts, 'openRecord'>,
  { record, position }: { readonly record: ExportRecord; readonly position: Position },
): ExportRun {
  return createRun({ ...parts, openRecord: async () => record }, { position, record });
}

function createRun(
  { file, openRecord, now }: ExportRunParts,
  from: { readonly position: Position; readonly record: ExportRecord | undefined },
): ExportRun {
  let { position, record } = from;
  let hasRecord = record !== undefined;
  const held: Piece[] = [];
  let completed: CompleteEntry | undefined;
  let committedAtMs = now();

  async function write(text: string): Promise<Position> {
    const data = Buffer.from(text);
    await file.write(data);
    return { ...position, bytes: position.bytes + data.length, crc: crc32(data, position.crc) };
  }

  async function put({ text, rows, written, total, version, resume }: Piece): Promise<void> {
    const { bytes, crc } = await write(text);
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
    if (now() - committedAtMs < commitEveryMs) return;
    await file.sync();
    await record?.journal.commit();
    committedAtMs = now();
  }

  async function putHeld(): Promise<void> {
    for (const piece of held.splice(0)) await put(piece);
  }

  async function keepRecord(): Promise<void> {
    if (hasRecord) return;
    hasRecord = true;
    record = await openRecord();
  }

  return {
    async take(piece) {
      held.push(piece);
      if (!hasRecord && held.filter(({ rows }) => rows.length > 0).length < 2) return;
      await keepRecord();
      await putHeld();
    },
    async complete(ending, verdict) {
      await putHeld();
      position = { ...position, ...(await write(ending)) };
      completed = { type: 'complete', ...position, verdict: verdict ?? null };
      if (record === undefined) return;
      await file.sync();
      await record.journal.append(completed);
      await record.journal.commit();
    },
    async finish(at) {
      if (record !== undefined && completed !== undefined) await closeRecord(record, completed, at);
    },
    stop,
    get position() {
      return position;
    },
  };

  async function stop({ code, message, at }: StopReason): Promise<Kept> {
    try {
      if (held.some(({ rows }) => rows.length > 0)) await keepRecord();
      await putHeld();
    } catch {
      // What stopped the export may also keep its first page from being written.
    }
    if (position.rows === 0) {
      await file.discard();
      return { path: undefined, jobId: undefined };
    }
    const path = await file.keep(position.bytes).catch(() => undefined);
    if (record !== undefined) {
      const { journal, lock: hold } = record;
      await journal.append({ type: 'stopped', at, code, message }).catch(() => {});
      await journal.commit().catch(() => {});
      await journal[Symbol.asyncDispose]();
      await hold[Symbol.asyncDispose]();
    }
    return { path, jobId: record?.id };
  }
}

/** Writes down that an export is done, and lets go of its job. What the journal knew of its rows is not needed any more. */
export async function closeRecord(
  { journal, lock: hold }: ExportRecord,
  completed: CompleteEntry,
  at: string,
): Promise<void> {
  await journal.replace([completed, { type: 'done', at }]);
  await journal[Symbol.asyncDispose]();
  await hold[Symbol.asyncDispose]();
}

/** What an export writes to while it is gone on with. */
export interface ReopenedExport extends AsyncDisposable {
  readonly file: PartialFile;
  /** Where the file lies. */
  readonly dataPath: string;
  readonly record: ExportRecord;
}

export interface Reopening {
  readonly root: string;
  readonly id: string;
  readonly hold: JobLock;
  readonly place: FilePlace;
  readonly footing: Checkpoint;
}

/** Opens the file and the journal of an export behind what is sound of them. */
export async function reopenExport({ root, id, hold, place, footing }: Reopening): Promise<ReopenedExport> {
  const { source, position, journalBytes } = footing;
  const dataPath = partialPath(place, id);
  await using stack = new AsyncDisposableStack();
  if (source === undefined) await rm(dataPath, { force: true });
  const file = stack.use(
    source === undefined
      ? await createPartialFile(place, id)
      : await reopenPartialFile(place, id, { from: source, bytes: position.bytes }),
  );
  const record = await reopenJobRecord({ root, id, lock: hold, journalBytes });
  stack.use(record.journal);
  const opened = stack.move();
  return { file, dataPath, record, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
