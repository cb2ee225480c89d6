import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, open, readlink, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SalonError } from '../contract/errors.ts';

/** A file that appears whole or not at all. Exactly one of `commit`, `keepPartial` and `discard` ends it. */
export interface OutputFile extends AsyncDisposable {
  /** Resolves when the text is handed to the system; the next write waits for it. */
  write(text: string): Promise<void>;
  /** Puts the finished file in its place, safe against a power cut. */
  commit(): Promise<void>;
  /** Leaves the file in place as it was; answers where the unfinished one is, `<file>.partial`. */
  keepPartial(): Promise<string>;
  /** Leaves everything as it was. Does nothing after any of the three. */
  discard(): Promise<void>;
}

/**
 * Opens a file to be written beside the one it replaces. A symbolic link stays and its target is replaced; the
 * replaced file's mode is kept. Its owner and hard links are not: the file is a new one.
 *
 * Not whole-or-nothing: a pipe, a device such as /dev/null, and whatever /dev/stdout or /dev/fd/N stand for are
 * written straight, since nothing can take their place. A killed process leaves `.salon-….tmp` behind.
 *
 * Throws `output_failed`, here and later, naming the path and the reason; a failed file is discarded first.
 */
export async function openOutputFile(path: string): Promise<OutputFile> {
  return attempt(path, async () => {
    const there = await statIfThere(path);
    if (there?.isDirectory()) throw refusal(path, 'it is a folder');
    const chain = await readLinks(path);
    if (there !== undefined && (!there.isFile() || chain.some(isStandIn))) return openStraight(path);
    if (there !== undefined) await access(path, constants.W_OK);
    return openBeside(path, { target: chain.at(-1) ?? path, mode: there?.mode });
  });
}

interface Replacement {
  /** Where the file goes: the path itself, or the end of its chain of links. */
  readonly target: string;
  /** Mode of the file that is replaced, if there is one. */
  readonly mode: number | undefined;
}

async function openBeside(path: string, { target, mode }: Replacement): Promise<OutputFile> {
  const folder = dirname(target);
  const temporary = join(folder, `.salon-${randomUUID()}.tmp`);
  // The mode stays narrow until it is known to be right; a new file gets what the umask leaves.
  const handle = await open(temporary, 'wx', mode === undefined ? 0o666 : 0o600);
  let ended = false;

  async function discard(): Promise<void> {
    if (ended) return;
    ended = true;
    await handle.close().catch(() => {});
    await unlink(temporary).catch(() => {});
  }

  async function guarded<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      return await attempt(path, act);
    } catch (error) {
      await discard();
      throw error;
    }
  }

  function moveTo(place: string): Promise<string> {
    return guarded(async () => {
      await handle.sync();
      await handle.close();
      await rename(temporary, place);
      ended = true;
      await syncFolder(folder);
      return place;
    });
  }

  if (mode !== undefined) await guarded(() => handle.chmod(mode & 0o777));
  return {
    write: (text) => guarded(() => handle.writeFile(text)),
    commit: async () => void (await moveTo(target)),
    keepPartial: () => moveTo(join(folder, `${basename(target)}.partial`)),
    discard,
    [Symbol.asyncDispose]: discard,
  };
}

async function openStraight(path: string): Promise<OutputFile> {
  // Appending leaves what a shell redirected to with >> as it is.
  const handle = await open(path, constants.O_WRONLY | constants.O_APPEND);
  let ended = false;
  const close = async () => {
    if (ended) return;
    ended = true;
    await handle.close();
  };
  return {
    write: (text) => attempt(path, () => handle.writeFile(text)),
    commit: () => attempt(path, close),
    keepPartial: () => attempt(path, close).then(() => path),
    discard: () => attempt(path, close),
    [Symbol.asyncDispose]: () => attempt(path, close),
  };
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The path and what its symbolic links lead to; the last one need not exist. `stat` has refused chains without end. */
async function readLinks(path: string): Promise<readonly string[]> {
  try {
    return [path, ...(await readLinks(resolve(dirname(path), await readlink(path))))];
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(errorCode(error) ?? '')) return [path];
    throw error;
  }
}

/** Whether a path stands for an open file of the process, whose place no other file can take. */
function isStandIn(path: string): boolean {
  return /^\/(?:proc|dev\/fd)\//.test(path);
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

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would be larger than is allowed',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links lead in a circle',
  EPIPE: 'nobody reads it any more',
};

async function attempt<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof SalonError || code === undefined) throw error;
    throw refusal(path, reasons[code] ?? String(error), error);
  }
}

function refusal(path: string, reason: string, cause?: unknown): SalonError {
  return new SalonError('output_failed', `${path} cannot be written: ${reason}.`, {
    hint: 'Choose another place with --output, or make room there.',
    cause,
  });
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
