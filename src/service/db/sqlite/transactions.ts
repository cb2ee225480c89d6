import type { DatabaseSync } from 'node:sqlite';
import { createBoundedQueue } from '../../../contract/bounded-queue.ts';
import type { Engine, Reader, Writer } from '../engine.ts';
import { lockTimeoutMs, retryWhileBusy, toBusyError, toDatabaseError } from './errors.ts';

interface Transactions {
  readonly transaction: Engine['transaction'];
  /** Resolves when no transaction is open. */
  settled(): Promise<void>;
}

/** The connection that writes. */
interface WritingConnection extends Reader {
  readonly sqlite: DatabaseSync;
}

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
export function createTransactions({ sqlite, run }: WritingConnection, disk: Disk): Transactions {
  const queue = createBoundedQueue<string>({ ...limits, refuse: toBusyError });
  const tx: Writer = { run, lockAccount: async () => {} };

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
