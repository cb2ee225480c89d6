import { type FileHandle, open, rename, truncate, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withFileErrors, writeAll } from './file-access.ts';

/** Where a finished file goes. */
export interface OutputTarget {
  /** As requested: the path in messages. */
  readonly path: string;
  /** The path itself, or the end of its chain of symbolic links. */
  readonly realPath: string;
  /** Mode of the file that is replaced, if there is one. */
  readonly mode: number | undefined;
}

/** A partial file is written beside its target, so that it can be moved there at once. */
export function partialPath({ realPath }: OutputTarget, name: string): string {
  return join(dirname(realPath), `.salon-${name}.tmp`);
}

/** Where a partial file is kept for people. */
export function keptPath({ realPath }: OutputTarget): string {
  return join(dirname(realPath), `${basename(realPath)}.partial`);
}

/** Creates a partial file, which only its owner may read until it is complete. `name` must be unique. */
export async function createPartialFile(target: OutputTarget, name: string): Promise<PartialFile> {
  const path = partialPath(target, name);
  return withFileErrors(target.path, async () => {
    return toPartialFile(target, path, await open(path, 'wx', 0o600));
  });
}

/** Opens the partial file at `from` again and cuts it off after `bytes`. */
export async function reopenPartialFile(
  target: OutputTarget,
  name: string,
  { from, bytes }: { readonly from: string; readonly bytes: number },
): Promise<PartialFile> {
  const path = partialPath(target, name);
  return withFileErrors(target.path, async () => {
    if (from !== path) await rename(from, path);
    const handle = await open(path, 'a');
    await handle.truncate(bytes);
    return toPartialFile(target, path, handle);
  });
}

function toPartialFile(target: OutputTarget, path: string, handle: FileHandle) {
  let isClosed = false;
  let isMoved = false;

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await handle.close();
  }

  async function moveTo(newPath: string): Promise<string> {
    return withFileErrors(target.path, async () => {
      if (!isClosed) await handle.sync();
      await close();
      await rename(path, newPath);
      isMoved = true;
      try {
        await using folder = await open(dirname(newPath), 'r');
        await folder.sync();
      } catch {
        // Windows and some network file systems cannot; the file has its name already.
      }
      return newPath;
    });
  }

  return {
    path,
    /** Resolves when the system has the data. */
    write: (data: string | Uint8Array) =>
      withFileErrors(target.path, async () => {
        writeAll(handle.fd, typeof data === 'string' ? Buffer.from(data) : data);
      }),
    /** Resolves when everything is on disk, safe against a power cut. */
    sync: () => withFileErrors(target.path, () => handle.datasync()),
    /** Moves the file to its target, safe against a power cut. */
    async commit() {
      await withFileErrors(target.path, async () => {
        if (target.mode !== undefined) return handle.chmod(target.mode & 0o777);
        // The mode that a new file has beside this one: only the system knows the umask.
        await using probe = await open(`${path}.mode`, 'w', 0o666);
        await unlink(`${path}.mode`);
        await handle.chmod((await probe.stat()).mode & 0o777);
      });
      await moveTo(target.realPath);
    },
    /** Keeps its first `bytes`, or all of it, as `<file>.partial`. Returns that path. */
    async keep(bytes?: number) {
      if (bytes !== undefined) await withFileErrors(target.path, () => truncate(path, bytes));
      return moveTo(keptPath(target));
    },
    /** Removes it, unless it was committed or kept. */
    async discard() {
      if (isMoved) return;
      isMoved = true;
      await close().catch(() => {});
      await unlink(path).catch(() => {});
    },
    [Symbol.asyncDispose]: () => close().catch(() => {}),
  };
}

/**
 * A file that is still being written. Exactly one of `commit`, `keep` and `discard` ends it; dispose only closes it.
 * Every method throws `output_failed`.
 */
export type PartialFile = ReturnType<typeof toPartialFile>;
