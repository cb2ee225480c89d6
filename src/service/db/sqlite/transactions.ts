import type { DatabaseSync } from 'node:sqlite';
import { SalonError } from '../../../contract/errors.ts';
import { createBoundedQueue } from '../../../queue.ts';
import { type Reader, type Transactions, toBusyError, type Writer } from '../engine.ts';
import { lockTimeoutMs, readResultCode, retryWhileBusy, toDatabaseError } from './errors.ts';

/** What may keep a transaction from being written. */
interface Disk {
  /** Throws if nothing can be written now. */
  admit(): void;
  /** Rejects if what was committed is not where it belongs. */
  confirm(): Promise<void>;
  /** Notes what a transaction has failed with. */
  note(error: unknown): void;
}

/** While another process holds the lock, those that wait fail together rather than one after the other. */
const limits = { maxRunning: 1, maxRunningTotal: 1, maxWaitMs: lockTimeoutMs };

/** Runs one transaction at a time, because SQLite has one writer. Accounts take turns. */
export function createTransactions(sqlite: DatabaseSync, writing: Reader, disk: Disk): Transactions {
  const queue = createBoundedQueue<string>({ ...limits, refuse: toBusyError });
  const tx: Writer = { ...writing, lockAccount: async () => {} };

  async function runBody<Result>(body: (tx: Writer) => Promise<Result>): Promise<Result> {
    try {
      disk.admit();
      const result = await inTransaction(sqlite, () => body(tx));
      await disk.confirm();
      return result;
    } catch (thrown) {
      const error = toDatabaseError(thrown);
      disk.note(error);
      throw error;
    }
  }

  return {
    transaction: (lock, body) => {
      const key = typeof lock === 'string' ? '' : lock.accountId;
      return queue.run(key, () => runBody(body));
    },
    settled: queue.settled,
  };
}

/** Runs a body in a transaction that takes the write lock when it begins; a throw rolls it back. */
export async function inTransaction<Result>(
  sqlite: DatabaseSync,
  body: () => Promise<Result>,
): Promise<Result> {
  try {
    // A transaction that began with a read could fail at its first write, because another process was faster.
    await retryWhileBusy(() => sqlite.exec('begin immediate'));
    const result = await body();
    sqlite.exec('commit');
    return result;
  } catch (error) {
    // SQLite has already rolled back when the disk is full.
    if (sqlite.isTransaction) sqlite.exec('rollback');
    throw error;
  }
}

// Primary result codes. Source: sqlite.org/rescode.html
const ioError = 10;
const lasting = new Set([11, 26]);
const passing = new Set([8, ioError, 13]);

/** One attempt a second finds out whether the disk has space again. */
const pauseMs = 1000;

/**
 * Stops writing for a while after an error of the disk; reads continue. What was confirmed before must be safe before
 * anything else is: `secure` moves the log into the database file and waits for the disk, and throws if that fails. A
 * damaged database takes no changes until it is opened again.
 */
export function createWriteRefusals(secure: () => void, nowMs = () => performance.now()) {
  let refusal: { readonly error: unknown; readonly untilMs: number; readonly isUnsafe: boolean } | undefined;

  function note(error: unknown): void {
    const cause = error instanceof SalonError ? error.cause : error;
    const code = (readResultCode(cause) ?? 0) & 0xff;
    // A refusal says nothing new about the disk.
    if (error === refusal?.error) return;
    if (lasting.has(code)) refusal = { error, untilMs: Number.POSITIVE_INFINITY, isUnsafe: true };
    if (!passing.has(code) || refusal?.untilMs === Number.POSITIVE_INFINITY) return;
    const isUnsafe = code === ioError || refusal?.isUnsafe === true;
    refusal = { error, untilMs: nowMs() + pauseMs, isUnsafe };
  }

  return {
    /** Notes what a transaction has failed with. */
    note,
    /** Throws `service_unavailable` while nothing is written. */
    admit() {
      if (refusal === undefined) return;
      if (nowMs() < refusal.untilMs) throw refusal.error;
      try {
        if (refusal.isUnsafe) secure();
      } catch (error) {
        note(error);
        throw error;
      }
      refusal = undefined;
    },
  };
}
