import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, open, readlink, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { createPartialFile, type OutputTarget } from '../../bulk/export/partial-file.ts';
import { attemptOn, fileRefused, systemCodeOf } from '../../bulk/jobs/file-access.ts';
import { SalonError } from '../../contract/errors.ts';

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
 * Not whole-or-nothing: what `readFilePlace` finds no place for is written straight. A killed process leaves
 * `.salon-….tmp` behind.
 *
 * Throws `output_failed`, here and later, naming the path and the reason; a failed file is discarded first.
 */
export async function openOutputFile(path: string): Promise<OutputFile> {
  const place = await readOutputTarget(path);
  return place === undefined ? openStraight(path) : openBeside(place);
}

/** Writes a whole text, or nothing. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await using file = await openOutputFile(path);
  await file.write(text);
  await file.commit();
}

/**
 * Finds where a finished file goes. Undefined for a pipe, a device such as /dev/null, and whatever /dev/stdout
 * or /dev/fd/N stand for: nothing can take their place. Throws `output_failed`.
 */
export async function readOutputTarget(path: string): Promise<OutputTarget | undefined> {
  return attemptOn(path, async () => {
    const there = await statIfThere(path);
    if (there?.isDirectory()) throw fileRefused(path, 'it is a folder');
    const chain = await readLinks(path);
    if (there !== undefined && (!there.isFile() || chain.some(isStandIn))) return undefined;
    if (there !== undefined) await access(path, constants.W_OK);
    return { path, realPath: chain.at(-1) ?? path, mode: there?.mode };
  });
}

async function openBeside(place: OutputTarget): Promise<OutputFile> {
  const file = await createPartialFile(place, randomUUID());
  const guarded = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    try {
      return await act();
    } catch (error) {
      await file.discard();
      throw error;
    }
  };
  return {
    write: (text) => guarded(() => file.write(text)),
    commit: () => guarded(file.commit),
    keepPartial: () => guarded(file.keep),
    discard: file.discard,
    [Symbol.asyncDispose]: file.discard,
  };
}

async function openStraight(path: string): Promise<OutputFile> {
  // Appending leaves what a shell redirected to with >> as it is.
  const handle = await attemptOn(path, () => open(path, constants.O_WRONLY | constants.O_APPEND));
  let ended = false;
  const close = async () => {
    if (ended) return;
    ended = true;
    await handle.close();
  };
  return {
    write: (text) => attemptOn(path, () => handle.writeFile(text)),
    commit: () => attemptOn(path, close),
    keepPartial: () => attemptOn(path, close).then(() => path),
    discard: () => attemptOn(path, close),
    [Symbol.asyncDispose]: () => attemptOn(path, close),
  };
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The path and what its symbolic links lead to; the last one need not exist. `stat` has refused chains without end. */
async function readLinks(path: string): Promise<readonly string[]> {
  try {
    return [path, ...(await readLinks(resolve(dirname(path), await readlink(path))))];
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(systemCodeOf(error) ?? '')) return [path];
    throw error;
  }
}

/** Whether a path stands for an open file of the process, whose place no other file can take. */
function isStandIn(path: string): boolean {
  return /^\/(?:proc|dev\/fd)\//.test(path);
}

/**
 * Refuses what --output cannot become a file at: a folder, or a place in a folder that does not exist. Throws `usage`.
 * What else may stand in the way shows when the file is written.
 */
export async function assertOutputPlace(output: string, cwd: string): Promise<void> {
  const path = resolve(cwd, output);
  if (output.endsWith('/') || output.endsWith(sep) || (await isFolder(path))) {
    throw new SalonError('usage', `--output ${output} is a folder, not a file.`, {
      hint: 'Name the file in it as well.',
    });
  }
  const folder = dirname(path);
  if (await isFolder(folder)) return;
  throw new SalonError('usage', `There is no folder ${toShownPath(folder, cwd)} for --output ${output}.`, {
    hint: 'Make it first, or choose another place.',
  });
}

async function isFolder(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  return there?.isDirectory() === true;
}

/** A path as somebody would type it here: relative below the working folder, else whole. */
export function toShownPath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown.startsWith('..') || isAbsolute(shown) ? path : shown;
}
