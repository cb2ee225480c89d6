import type { DatabaseSync } from 'node:sqlite';
import { gatherGroup, maxGroupSize, type QueuedBody, queueBody, type Settle } from '../commit-group.ts';
import type { Reader, Writer } from '../engine.ts';
import { retryWhileBusy, toDatabaseError } from './errors.ts';

/** Runs bodies in transactions; those that arrive together share one. */
export interface GroupCommit {
  /** Resolves once the changes are on the disk; rejects with what the body or the commit threw. */
  transaction<Result>(body: (tx: Writer) => Promise<Result>): Promise<Result>;
  /** Resolves when no transaction is open. */
  settled(): Promise<void>;
}

/** The connection that writes. */
interface WritingConnection extends Reader {
  readonly sqlite: DatabaseSync;
}

/** What may keep a transaction from being written. */
export interface Disk {
  /** Throws if nothing can be written now. */
  admit(): void;
  /** Rejects if what was committed is not where it belongs. */
  confirm(): Promise<void>;
  /** Notes what a transaction has failed with. */
  note(error: unknown): void;
}

/**
 * A commit waits for the disk, however much it holds, so bodies that arrive in quick succession share one. They run one
 * after the other, and each sees what the ones before it did. One that throws rolls back only its own changes. Promises
 * settle after the commit, rejections too, because a refusal may rest on what an earlier body did.
 */
export function createGroupCommit(writing: WritingConnection, disk: Disk): GroupCommit {
  const queue: QueuedBody[] = [];
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    while (queue.length > 0) {
      await gatherGroup(queue);
      await commitGroup(writing, queue.splice(0, maxGroupSize), disk);
    }
    // Synchronous with the last look at the queue.
    running = undefined;
  }

  return {
    transaction: (body) =>
      queueBody(body, (queued) => {
        queue.push(queued);
        running ??= runAll();
      }),
    settled: async () => {
      await running;
    },
  };
}

async function commitGroup(
  { sqlite, run }: WritingConnection,
  group: readonly QueuedBody[],
  disk: Disk,
): Promise<void> {
  const [first, ...others] = group;
  const tx: Writer = { run, lockAccount: async () => {} };
  try {
    disk.admit();
    const settles = await inTransaction(sqlite, async () =>
      first !== undefined && others.length === 0 ? [await first.run(tx)] : runEach(tx, group, disk),
    );
    await disk.confirm();
    for (const settle of settles) {
      settle();
    }
  } catch (thrown) {
    const error = toDatabaseError(thrown);
    disk.note(error);
    for (const { reject } of group) {
      reject(error);
    }
  }
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

async function runEach(tx: Writer, group: readonly QueuedBody[], disk: Disk): Promise<Settle[]> {
  const settles: Settle[] = [];
  for (const body of group) {
    settles.push(await runInSavepoint(tx, body, disk));
  }
  return settles;
}

/** Throws only when the whole transaction is lost: SQLite may roll it back when the disk is full. */
async function runInSavepoint(tx: Writer, { run, reject }: QueuedBody, disk: Disk): Promise<Settle> {
  await tx.run('savepoint body', []);
  try {
    const settle = await run(tx);
    await tx.run('release body', []);
    return settle;
  } catch (error) {
    disk.note(error);
    await tx.run('rollback to body', []).catch(() => {
      throw error;
    });
    await tx.run('release body', []);
    return () => reject(error);
  }
}
