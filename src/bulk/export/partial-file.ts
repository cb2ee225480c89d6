import { type FileHandle, open, rename, truncate, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { attemptOn, writeAll } from '../jobs/file-access.ts';

/** Where a finished file goes. */
export interface FilePlace {
  /** As it was asked for: what messages name. */
  readonly path: string;
  /** The path itself, or the end of its chain of symbolic links. */
  readonly target: string;
  /** Mode of the file that is replaced, if there is one. */
  readonly mode: number | undefined;
}

/**
 * A file that is not in its place yet. Exactly one of `commit`, `keep` and `discard` ends it; disposal alone leaves
 * it where it lies. Each throws `output_failed`.
 */
export interface PartialFile extends AsyncDisposable {
  /** Resolves when the data is handed to the system; the next write waits for it. */
  write(data: string | Buffer): Promise<void>;
  /** Everything written is on disk, safe against a power cut. */
  sync(): Promise<void>;
  /** Puts the file in its place, safe against a power cut. */
  commit(): Promise<void>;
  /** Leaves its first `bytes`, all of them when left out, as `<target>.partial` and answers that path. */
  keep(bytes?: number): Promise<string>;
  /** Removes it. Does nothing after any of the three. */
  discard(): Promise<void>;
}

/** Where a partial file of this name lies while it is written: beside its place, so that it moves there whole. */
export function partialPath({ target }: FilePlace, name: string): string {
  return join(dirname(target), `.salon-${name}.tmp`);
}

/** Where a partial file is kept for people to see. */
export function keptPath({ target }: FilePlace): string {
  return join(dirname(target), `${basename(target)}.partial`);
}

/** Begins a file. Its name must be its own. */
export async function createPartialFile(place: FilePlace, name: string): Promise<PartialFile> {
  const path = partialPath(place, name);
  return attemptOn(place.path, async () => {
    // The mode stays narrow until it is known to be right; a new file gets what the umask leaves.
    const handle = await open(path, 'wx', place.mode === undefined ? 0o666 : 0o600);
    try {
      if (place.mode !== undefined) await handle.chmod(place.mode & 0o777);
    } catch (error) {
      await handle.close();
      await unlink(path);
      throw error;
    }
    return toPartialFile(place, path, handle);
  });
}

/** Goes on with a file that lies at `from`, behind its first `bytes`. */
export async function reopenPartialFile(
  place: FilePlace,
  name: string,
  { from, bytes }: { readonly from: string; readonly bytes: number },
): Promise<PartialFile> {
  const path = partialPath(place, name);
  return attemptOn(place.path, async () => {
    if (from !== path) await rename(from, path);
    const handle = await open(path, 'a');
    await handle.truncate(bytes);
    return toPartialFile(place, path, handle);
  });
}

function toPartialFile(place: FilePlace, path: string, handle: FileHandle): PartialFile {
  let isClosed = false;
  let isEnded = false;

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await handle.close();
  }

  async function moveTo(target: string): Promise<string> {
    return attemptOn(place.path, async () => {
      if (!isClosed) await handle.sync();
      await close();
      await rename(path, target);
      isEnded = true;
      await syncFolder(dirname(target));
      return target;
    });
  }

  return {
    write: (data) =>
      attemptOn(place.path, async () => {
        writeAll(handle.fd, typeof data === 'string' ? Buffer.from(data) : data);
      }),
    sync: () => attemptOn(place.path, () => handle.datasync()),
    commit: async () => void (await moveTo(place.target)),
    async keep(bytes) {
      if (bytes !== undefined) await attemptOn(place.path, () => truncate(path, bytes));
      return moveTo(keptPath(place));
    },
    async discard() {
      if (isEnded) return;
      isEnded = true;
      await close().catch(() => {});
      await unlink(path).catch(() => {});
    },
    [Symbol.asyncDispose]: () => close().catch(() => {}),
  };
}

async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch {
    // Windows and some network file systems cannot; the rename itself has been done.
  } finally {
    await handle?.close();
  }
}
