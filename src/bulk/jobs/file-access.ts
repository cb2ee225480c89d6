import { writeSync } from 'node:fs';
import { SalonError } from '../../contract/errors.ts';

const writeReasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it is a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EFBIG: 'it would exceed the file size limit',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
  EPIPE: 'its reader closed the pipe',
};

/** Runs an operation on a file. A system error becomes `output_failed` with path and reason. */
export async function withFileErrors<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw toFileFailure(path, error);
  }
}

/** A system error as `output_failed`; any other error unchanged. */
export function toFileFailure(path: string, error: unknown): unknown {
  const code = systemCodeOf(error);
  if (error instanceof SalonError || code === undefined) return error;
  return createWriteError(path, writeReasons[code] ?? String(error), error);
}

export function createWriteError(path: string, reason: string, cause?: unknown): SalonError {
  return new SalonError('output_failed', `Cannot write ${path}: ${reason}.`, {
    hint: isDiskFull(cause) ? 'Free some space, or choose another path.' : 'Choose another path.',
    cause,
  });
}

/** Whether a system error says that there is no space left. */
export function isDiskFull(error: unknown): boolean {
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(systemCodeOf(error) ?? '')) return true;
  // A temporary database reports it in its own way.
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteFull;
}

const sqliteFull = 13;

/**
 * Runs an operation in the folder of jobs. Throws `usage` if nothing can be stored there, and `output_failed` if its
 * disk is full.
 */
export async function withJobsFolder<Result>(root: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const code = systemCodeOf(error);
    if (error instanceof SalonError || code === undefined || isDiskFull(error))
      throw toFileFailure(root, error);
    throw new SalonError('usage', `Cannot store jobs in ${root}: ${writeReasons[code] ?? String(error)}.`, {
      hint: 'Set SALON_DATA_DIR to a folder that you can write to.',
      cause: error,
    });
  }
}

/** The system error code, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Appends all bytes synchronously: for a few kilobytes that takes a tenth of the time of a thread. */
export function writeAll(descriptor: number, data: Uint8Array): void {
  for (let done = 0; done < data.length; ) done += writeSync(descriptor, data, done);
}

const readReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

/** A `usage` error; `name` is what the user gave, such as `--data @new.json`. */
export function createUnreadableError(
  name: string,
  cause: unknown,
  hint = 'Check the path. Relative paths start at the current folder.',
): SalonError {
  const reason =
    readReasons[systemCodeOf(cause) ?? ''] ?? (cause instanceof Error ? cause.message : String(cause));
  return new SalonError('usage', `Cannot read ${name}: ${reason}.`, { hint, cause });
}
