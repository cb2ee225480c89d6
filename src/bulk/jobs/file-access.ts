import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
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
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(systemCodeOf(error) ?? '');
}

/** What a temporary database throws where its disk is full or fails, as `output_failed`; undefined for other errors. */
export function toTempFailure(error: unknown): SalonError | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  // SQLITE_IOERR and SQLITE_FULL.
  if (![10, 13].includes(Number(error.errcode) & 0xff)) return undefined;
  // Without TMPDIR, SQLite takes the first of its own list.
  const folder = tmpdir() === '/tmp' ? '/var/tmp or /tmp' : tmpdir();
  return new SalonError('output_failed', `Cannot write temporary files in ${folder}: ${error.message}.`, {
    hint: 'Free some space there, or set TMPDIR to a folder on another disk.',
    cause: error,
  });
}

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

/** Replaces a file, which only its owner may read, completely or not at all. Throws `output_failed`. */
export function replaceFile(path: string, text: string): void {
  const copy = `${path}.tmp-new`;
  try {
    writeFileSync(copy, text, { mode: 0o600, flush: true });
    renameSync(copy, existsSync(path) ? realpathSync(path) : path);
  } catch (error) {
    rmSync(copy, { force: true });
    throw toFileFailure(path, error);
  }
}

/** Appends all bytes synchronously: for a few kilobytes that takes a tenth of the time of a thread. */
export function writeAll(descriptor: number, data: Uint8Array): void {
  for (let done = 0; done < data.length; ) done += writeSync(descriptor, data, done);
}

/** The SHA-256 of a file, in hex. */
export async function readSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** A `usage` error; `name` is what the user gave, such as `--data @new.json`. */
export function createUnreadableError(
  name: string,
  cause: unknown,
  hint = 'Check the path. Relative paths start at the current folder.',
): SalonError {
  const reasons: typeof writeReasons = { ...writeReasons, ENOENT: 'no such file' };
  const reason =
    reasons[systemCodeOf(cause) ?? ''] ?? (cause instanceof Error ? cause.message : String(cause));
  return new SalonError('usage', `Cannot read ${name}: ${reason}.`, { hint, cause });
}
