import { setTimeout as delay } from 'node:timers/promises';
import { SalonError } from '../../../contract/errors.ts';

// Result codes, extended ones included. Source: sqlite.org/rescode.html
const busy = 5;
const locked = 6;
const notADatabase = 26;
const unique = new Set([2067, 1555]);
const unavailable: Readonly<Record<number, string>> = {
  [busy]: 'The database is busy.',
  [locked]: 'The database is busy.',
  8: 'The database cannot be written to.',
  10: 'The database could not be read or written.',
  11: 'The database is damaged.',
  13: 'The disk that holds the database is full.',
  14: 'The database cannot be opened.',
  [notADatabase]: 'The file is not a database.',
};

/** Turns a fault of the driver into the contract's words where its meaning is certain; others stay as they are. */
export function toStoreError(fault: unknown): unknown {
  const code = readResultCode(fault);
  if (code === undefined) {
    return fault;
  }
  if (unique.has(code)) {
    return new SalonError('conflict', 'A record with this key exists already.', { cause: fault });
  }
  const message = unavailable[toPrimaryCode(code)];
  return message === undefined
    ? fault
    : new SalonError('service_unavailable', message, { retryable: true, cause: fault });
}

/** Whether another process holds the lock that was asked for. */
export function isBusy(fault: unknown): boolean {
  const code = readResultCode(fault);
  return code !== undefined && (toPrimaryCode(code) === busy || toPrimaryCode(code) === locked);
}

export function isNotADatabase(fault: unknown): boolean {
  return readResultCode(fault) === notADatabase;
}

// The low byte of an extended code is the plain one.
function toPrimaryCode(code: number): number {
  return code & 0xff;
}

function readResultCode(fault: unknown): number | undefined {
  const known =
    fault instanceof Error && 'code' in fault && fault.code === 'ERR_SQLITE_ERROR' && 'errcode' in fault;
  return known && typeof fault.errcode === 'number' ? fault.errcode : undefined;
}

/** How long to wait for another process to finish its transaction before giving up. */
const patienceMs = 10_000;
const longestPauseMs = 25;

/**
 * Runs an act that another process's lock may refuse, again and again with short pauses. SQLite's own busy
 * timeout would hold up this whole process, and with it whoever is to release the lock.
 */
export async function retryWhileBusy(act: () => void): Promise<void> {
  let refusal: unknown;
  const isDone = await waitUntil(() => {
    try {
      act();
      return true;
    } catch (fault) {
      if (!isBusy(fault)) throw fault;
      refusal = fault;
      return false;
    }
  }, patienceMs);
  if (!isDone) throw refusal;
}

/** Tries in the same way until it answers true; false where it never did for so long. */
export async function waitUntil(attempt: () => boolean, mostMs: number): Promise<boolean> {
  for (let waitedMs = 0, pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (attempt()) return true;
    if (waitedMs >= mostMs) return false;
    await delay(pauseMs);
    waitedMs += pauseMs;
  }
}
