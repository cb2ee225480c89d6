import { setTimeout as delay } from 'node:timers/promises';
import { SalonError } from '../../../contract/errors.ts';

// Result codes; the low byte of an extended one is the primary one. Source: sqlite.org/rescode.html
const primaryByte = 0xff;
const busy = 5;
const locked = 6;
const damaged = 11;
const notADatabase = 26;
const unique = new Set([2067, 1555]);
const unavailable: Readonly<Record<number, string>> = {
  [busy]: 'The database is busy.',
  [locked]: 'The database is busy.',
  8: 'The database is read-only.',
  10: 'The database could not be read or written.',
  [damaged]: 'The database is damaged.',
  13: 'The disk that holds the database is full.',
  14: 'The database cannot be opened.',
  [notADatabase]: 'The file is not a database.',
};

export const damagedHint = 'Restore the last backup, and keep the damaged file.';

/** How long to wait for another process to release the write lock. */
export const lockTimeoutMs = 10_000;
const maxPauseMs = 25;

/** Translates errors of the driver whose meaning is certain; returns others unchanged. */
export function toDatabaseError(error: unknown): unknown {
  const code = readResultCode(error);
  if (code === undefined) return error;
  if (unique.has(code)) {
    return new SalonError('conflict', 'A record with this key already exists.', { cause: error });
  }
  const primaryCode = code & primaryByte;
  const message = unavailable[primaryCode];
  if (message === undefined) return error;
  const hint = primaryCode === damaged ? damagedHint : undefined;
  return new SalonError('service_unavailable', message, { retryable: true, cause: error, hint });
}

/** Whether an error, also a translated one, says that the database is damaged. */
export function isDamaged(error: unknown): boolean {
  const code = readResultCode(error instanceof SalonError ? error.cause : error);
  return code !== undefined && (code & primaryByte) === damaged;
}

export function isNotADatabase(error: unknown): boolean {
  return readResultCode(error) === notADatabase;
}

/**
 * Retries while another process holds the lock. SQLite's own busy timeout would block this whole process, and with it
 * a transaction that could release the lock.
 */
export async function retryWhileBusy(act: () => void): Promise<void> {
  let refusal: unknown;
  const isDone = await retryUntil(() => {
    try {
      act();
      return true;
    } catch (error) {
      const code = (readResultCode(error) ?? 0) & primaryByte;
      if (code !== busy && code !== locked) throw error;
      refusal = error;
      return false;
    }
  }, lockTimeoutMs);
  if (!isDone) throw refusal;
}

/** Tries with short pauses until `attempt` returns true; returns false when the time is up. */
export async function retryUntil(attempt: () => boolean, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0, pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    if (attempt()) return true;
    if (waitedMs >= timeoutMs) return false;
    await delay(pauseMs);
    waitedMs += pauseMs;
  }
}

/** The result code of an error of SQLite, extended. */
export function readResultCode(error: unknown): number | undefined {
  const isKnown =
    error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error;
  return isKnown && typeof error.errcode === 'number' ? error.errcode : undefined;
}
