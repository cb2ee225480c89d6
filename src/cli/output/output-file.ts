import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, readlink, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { createWriteError, systemCodeOf, withFileErrors } from '../../bulk/jobs/file-access.ts';
import { createPartialFile, type OutputTarget } from '../../bulk/jobs/partial-file.ts';
import type { Chunk } from '../../bulk/sheet/sheet-text.ts';
import { SalonError } from '../../contract/errors.ts';

/** Where data goes: standard output, a pager or a file. */
export interface Destination extends AsyncDisposable {
  /** Resolves when the system has it. */
  write(chunk: Chunk): Promise<void>;
  /** Completes the data. A file that is not committed is discarded. */
  commit(): Promise<void>;
  /** Rejects when the reader closes the pager. */
  readonly closed?: Promise<never>;
}

/**
 * Opens a temporary file beside the one it replaces. A symbolic link stays and its target is replaced. The new file
 * has the mode of the old one, but not its owner and hard links. Pipes and devices are written directly. A killed
 * process leaves `.salon-….tmp` behind. Throws `output_failed` with path and reason, here and later.
 */
export async function openOutputFile(path: string): Promise<Destination> {
  const target = await readOutputTarget(path);
  if (target === undefined) return openDevice(path);
  const { write, commit, discard } = await createPartialFile(target, randomUUID());
  return { write, commit, [Symbol.asyncDispose]: discard };
}

/** Writes a text to a file atomically. */
export async function writeOutputFile(path: string, text: string): Promise<void> {
  await using file = await openOutputFile(path);
  await file.write(text);
  await file.commit();
}

/**
 * Finds the file that a path leads to. Returns undefined for pipes, devices such as /dev/null, and open files such as
 * /dev/stdout, which cannot be replaced. Throws `output_failed`.
 */
export async function readOutputTarget(path: string): Promise<OutputTarget | undefined> {
  return withFileErrors(path, async () => {
    const existing = await stat(path).catch((error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (existing?.isDirectory()) throw createWriteError(path, 'it is a folder');
    const chain = await readLinks(path);
    const isOpenFile = chain.some((link) => /^\/(?:proc|dev\/fd)\//.test(link));
    if (existing !== undefined && (!existing.isFile() || isOpenFile)) return undefined;
    if (existing !== undefined) await access(path, constants.W_OK);
    return { path, realPath: chain.at(-1) ?? path, mode: existing?.mode };
  });
}

async function openDevice(path: string): Promise<Destination> {
  // Append mode keeps what is in a file that a shell redirected to with >>.
  const handle = await withFileErrors(path, () => open(path, constants.O_WRONLY | constants.O_APPEND));
  const close = () => withFileErrors(path, () => handle.close());
  return {
    write: (chunk) => withFileErrors(path, () => handle.writeFile(chunk)),
    commit: close,
    [Symbol.asyncDispose]: close,
  };
}

/** The path and the symbolic links it leads through. The last one may not exist; `stat` has refused circles. */
async function readLinks(path: string): Promise<readonly string[]> {
  try {
    return [path, ...(await readLinks(resolve(dirname(path), await readlink(path))))];
  } catch (error) {
    if (['EINVAL', 'ENOENT', 'UNKNOWN'].includes(systemCodeOf(error) ?? '')) return [path];
    throw error;
  }
}

/** Throws `usage` if --output is a folder, or in a folder that does not exist. Writing finds other problems. */
export async function assertOutputPath(output: string, cwd: string, flag = '--output'): Promise<void> {
  const path = resolve(cwd, output);
  if (output.endsWith('/') || output.endsWith(sep) || (await isFolder(path))) {
    throw new SalonError('usage', `${flag} ${output} is a folder, not a file.`, {
      hint: 'Add a file name.',
    });
  }
  const folder = dirname(path);
  if (await isFolder(folder)) return;
  throw new SalonError('usage', `No folder ${toShownPath(folder, cwd)} for ${flag} ${output}.`, {
    hint: 'Create the folder, or choose another one.',
  });
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}

/** A path for messages: relative if it is below the working folder. */
export function toShownPath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown.startsWith('..') || isAbsolute(shown) ? path : shown;
}
