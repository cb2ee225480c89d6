import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Fields } from '../../client/json-object.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { ResumePoint } from '../../client/pagination/page.ts';
import { parseJson } from '../../text/json.ts';
import { createUnreadableError, systemCodeOf, withFileErrors, writeAll } from './file-access.ts';

/** Opens a journal and truncates it to `intactBytes`. An infinite number keeps all of it. */
export async function openJournal<Entry>(path: string, intactBytes: number) {
  let handle = await withFileErrors(path, () => open(path, 'a', 0o600));
  if (Number.isFinite(intactBytes)) await handle.truncate(intactBytes);
  // The next entry starts a line of its own, whatever was cut off before it.
  else await handle.writeFile('\n');
  const flush = shareRuns(() => handle.datasync());
  let failure: { readonly cause: unknown } | undefined;

  /** Entries after a partial line would be lost, so nothing is written after a failure. */
  async function guarded(act: () => Promise<void>): Promise<void> {
    if (failure !== undefined) throw failure.cause;
    try {
      await withFileErrors(path, act);
    } catch (cause) {
      failure ??= { cause };
      throw cause;
    }
  }

  return {
    /** Once it resolves, the entry survives a crash of this process, but not yet a power failure. */
    append: (entry: Entry) => guarded(async () => writeAll(handle.fd, Buffer.from(toLine(entry)))),
    /** Flushes all entries to disk. Concurrent calls share one flush. */
    commit: () => guarded(flush),
    /** Atomically replaces all entries. */
    replace: (entries: readonly Entry[]) =>
      guarded(async () => {
        const draft = `${path}.new`;
        const next = await open(draft, 'w', 0o600);
        await next.writeFile(entries.map(toLine).join(''));
        await next.sync();
        await next.close();
        await handle.close();
        await rename(draft, path);
        handle = await open(path, 'a', 0o600);
      }),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** An append-only log of what a job has done, one entry a line. */
export type Journal<Entry> = Awaited<ReturnType<typeof openJournal<Entry>>>;

export interface JournalEnd {
  /** Length of the intact lines; infinite if entries follow a damaged line. */
  readonly intactBytes: number;
  /** Whether anything follows them, or is damaged between them. */
  readonly isDamaged: boolean;
  /** Whether a whole line is damaged, so that entries that were on disk are lost. */
  readonly hasGap: boolean;
}

export interface JournalReading {
  /** Skips damaged lines instead of ending at the first. */
  readonly skipsDamage?: boolean;
}

/**
 * Reads the entries of a journal, each with its end, by default up to the first damaged line. A missing journal is
 * empty. Changing the shape of an entry needs a new version of `Job`.
 */
export async function readJournal<Entry>(
  path: string,
  visit: (entry: Entry, endsAt: number) => void,
  reading?: JournalReading,
): Promise<JournalEnd> {
  const entries = readEntries<Entry>(path, reading);
  for (;;) {
    const next = await entries.next();
    if (next.done) return next.value;
    visit(next.value.entry, next.value.endsAt);
  }
}

/** The same as a generator. */
export async function* readEntries<Entry>(
  path: string,
  { skipsDamage = false }: JournalReading = {},
): AsyncGenerator<{ readonly entry: Entry; readonly endsAt: number }, JournalEnd> {
  let endsAt = 0;
  let hasGap = false;
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const text = line.slice(9);
        const entry = line.slice(0, 9) === `${toChecksum(text)} ` ? parseJson(text) : undefined;
        if (entry === undefined) {
          hasGap = true;
          if (skipsDamage) continue;
          return { intactBytes: endsAt, isDamaged: true, hasGap };
        }
        endsAt += Buffer.byteLength(line) + 1;
        yield { entry: entry as Entry, endsAt };
      }
    }
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT')
      throw createUnreadableError(path, error, 'Run the original command again.');
  }
  const intactBytes = hasGap ? Number.POSITIVE_INFINITY : endsAt;
  return { intactBytes, isDamaged: hasGap || rest !== '', hasGap };
}

/** `<CRC32 of the JSON as 8 hex digits> <JSON>` and a line break. */
export function toLine(entry: unknown): string {
  const text = JSON.stringify(entry);
  return `${toChecksum(text)} ${text}\n`;
}

function toChecksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Runs one at a time. Calls during a run share the next one. */
function shareRuns(act: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const run = act();
      running = run.catch(() => {});
      return run;
    });
    return next;
  };
}

/** Journal entries of a bulk edit. */
export type EditEntry =
  /** A row is about to be sent, in milliseconds since 1970. Without a later outcome it may have been applied. */
  | { readonly type: 'intent'; readonly row: number; readonly atMs: number }
  /** A row was not sent after its intent. */
  | { readonly type: 'unsent'; readonly row: number }
  | (RowOutcome & { readonly type: 'outcome'; readonly row: number })
  | EndEntry;

export interface RowOutcome {
  /**
   * `done`; `accepted`: the server took it without saying that it is done; `unchanged`: the record was already as
   * planned; `stale`: skipped, because the record has changed since the plan; `failed`: refused by the server;
   * `doubtful`: it may have been applied.
   */
  readonly what: 'done' | 'accepted' | 'unchanged' | 'stale' | 'failed' | 'doubtful';
  readonly id: string | null;
  /** Values the job left: the changed fields of an update, or the whole new record. Of a failed row: a part is stored. */
  readonly after?: Fields;
  /** Current values in the fields to change: of a stale record, and where they are not as planned. */
  readonly present?: Fields;
  readonly error?: RowError;
}

/** Whether a row has changed its record, or may have: an undo covers it. Of a failed one a part may be stored. */
export function mayHaveChanged(outcome: RowOutcome | undefined): boolean {
  const isPart = outcome?.what === 'failed' && outcome.after !== undefined;
  return isPart || ['done', 'accepted', 'doubtful'].includes(outcome?.what ?? '');
}

/** Why a row is failed or doubtful. */
export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
  readonly requestId: string | null;
}

export type OutcomeCounts = Readonly<Record<RowOutcome['what'], number>>;

export const emptyOutcomeCounts: OutcomeCounts = {
  done: 0,
  accepted: 0,
  unchanged: 0,
  stale: 0,
  failed: 0,
  doubtful: 0,
};

/** Progress of an export: rows read from the list, rows and bytes in the file, CRC32 of those bytes. */
export interface ExportPosition {
  readonly rows: number;
  readonly written: number;
  readonly bytes: number;
  readonly crc: number;
}

export const exportStart: ExportPosition = { rows: 0, written: 0, bytes: 0, crc: 0 };

/** Journal entries of an export. */
export type ExportEntry = PageEntry | CompleteEntry | EndEntry;

/** A page was written to the partial file. */
export interface PageEntry extends ExportPosition {
  readonly type: 'page';
  readonly total: number | null;
  readonly version: number | null;
  /** Keys of the page's rows, so that none is written twice. */
  readonly keys: readonly string[];
  /** Where the list continues after the page; null if unknown. */
  readonly resume: ResumePoint | null;
}

/** Every row is in the partial file, and flushed. */
export interface CompleteEntry extends ExportPosition {
  readonly type: 'complete';
  readonly verdict: ConsistencyReport | null;
}

/** A run of the job ended: the job is done, or stopped before, with the code of an error or `interrupted`. */
export type EndEntry =
  | { readonly type: 'done'; readonly at: string }
  | { readonly type: 'stopped'; readonly at: string; readonly code: string; readonly message: string };
