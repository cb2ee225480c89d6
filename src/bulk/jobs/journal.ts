import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { attemptOn, systemCodeOf, writeAll } from './file-access.ts';

/** What a job has done so far, a line each, only ever added to. */
export interface Journal<Entry> extends AsyncDisposable {
  /** Resolves when the entry is handed to the system: it outlives this process, but not yet a power cut. */
  append(entry: Entry): Promise<void>;
  /** Everything appended is on disk. Those who ask at the same time share one flush. */
  commit(): Promise<void>;
  /** Leaves these entries alone, the whole change or none of it. */
  replace(entries: readonly Entry[]): Promise<void>;
}

/** Opens a journal behind its first `soundBytes`; what follows them is cut off. */
export async function openJournal<Entry>(path: string, soundBytes: number): Promise<Journal<Entry>> {
  let handle = await open(path, 'a', 0o600);
  await handle.truncate(soundBytes);
  const flush = shareRuns(() => handle.datasync());
  let failure: { readonly cause: unknown } | undefined;

  /** Behind a line that was cut off every other one is lost: a journal that has failed stays as it is. */
  async function guarded(act: () => Promise<void>): Promise<void> {
    if (failure !== undefined) throw failure.cause;
    try {
      await attemptOn(path, act);
    } catch (cause) {
      failure ??= { cause };
      throw cause;
    }
  }

  return {
    append: (entry) => guarded(async () => writeAll(handle.fd, Buffer.from(toLine(entry)))),
    commit: () => guarded(flush),
    replace: (entries) =>
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

export interface JournalEnd {
  /** Up to here every line is whole. */
  readonly soundBytes: number;
  /** Whether lines behind that had to be left out. */
  readonly isDamaged: boolean;
}

/**
 * Shows the entries of a journal up to the first line that is not whole, each with where it ends. A journal that is
 * not there is empty. Entries are what was appended: whoever changes their shape changes the job's version.
 */
export async function readJournal<Entry>(
  path: string,
  visit: (entry: Entry, endsAt: number) => void,
): Promise<JournalEnd> {
  const entries = readEntries<Entry>(path);
  for (;;) {
    const next = await entries.next();
    if (next.done) return next.value;
    visit(next.value.entry, next.value.endsAt);
  }
}

/** The same entries one by one, for readers that take them at their own pace. */
export async function* readEntries<Entry>(
  path: string,
): AsyncGenerator<{ readonly entry: Entry; readonly endsAt: number }, JournalEnd> {
  let endsAt = 0;
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const entry = parseLine(line);
        if (entry === undefined) return { soundBytes: endsAt, isDamaged: true };
        endsAt += Buffer.byteLength(line) + 1;
        yield { entry: entry as Entry, endsAt };
      }
    }
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
  return { soundBytes: endsAt, isDamaged: rest !== '' };
}

/** `<CRC32 of the JSON, 8 hexadecimal digits> <JSON>` and a line break. */
function toLine(entry: unknown): string {
  const text = JSON.stringify(entry);
  return `${toChecksum(text)} ${text}\n`;
}

function parseLine(line: string): unknown {
  const text = line.slice(9);
  return line.slice(0, 9) === `${toChecksum(text)} ` ? JSON.parse(text) : undefined;
}

function toChecksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Runs one after the other: whoever asks while one is under way shares the next with all who do. */
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
