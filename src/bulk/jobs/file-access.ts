import { writeSync } from 'node:fs';
import { SalonError } from '../../contract/errors.ts';

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

/** Does something with a file; what the system says against it becomes `output_failed`, naming path and reason. */
export async function attemptOn<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw toFileFailure(path, error);
  }
}

/** What the system says against a file as `output_failed`; any other error as it is. */
export function toFileFailure(path: string, error: unknown): unknown {
  const code = systemCodeOf(error);
  if (error instanceof SalonError || code === undefined) return error;
  return fileRefused(path, reasons[code] ?? String(error), error);
}

export function fileRefused(path: string, reason: string, cause?: unknown): SalonError {
  return new SalonError('output_failed', `${path} cannot be written: ${reason}.`, {
    hint: 'Choose another place with --output, or make room there.',
    cause,
  });
}

/** The system's code of an error, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/**
 * Writes all bytes behind what is there. Handing some kilobytes to the system at once takes a tenth of what a thread
 * would: only flushing is worth waiting for.
 */
export function writeAll(descriptor: number, data: Uint8Array): void {
  for (let done = 0; done < data.length; ) done += writeSync(descriptor, data, done);
}
