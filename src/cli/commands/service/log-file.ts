import { closeSync, openSync, writeSync } from 'node:fs';
import { SalonError } from '../../../contract/errors.ts';

export interface LogFile extends Disposable {
  /** A line that cannot be written, as on a full disk, is lost. */
  write(line: string): void;
  /** Reopens the file by its name after log rotation; keeps the old one if that fails. */
  reopen(): void;
}

/** Opens a log, or creates it for its owner alone. Throws `usage`. */
export function openLogFile(file: string): LogFile {
  let handle = open(file);
  return {
    write(line) {
      try {
        writeSync(handle, line);
      } catch {
        // The service outlives a full disk.
      }
    },
    reopen() {
      try {
        const next = open(file);
        closeSync(handle);
        handle = next;
      } catch {
        // Writing to the renamed file loses no line.
      }
    },
    [Symbol.dispose]() {
      closeSync(handle);
      // The number may soon belong to another file.
      handle = -1;
    },
  };
}

function open(file: string): number {
  try {
    return openSync(file, 'a', 0o600);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new SalonError('usage', `Cannot write the log ${file} (${code}).`, {
      hint: 'Create its folder, and let the user of the service write there.',
      cause,
    });
  }
}
