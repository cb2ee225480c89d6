import { gatherGroup, maxGroupSize, type QueuedBody, queueBody, type Settle } from '../commit-group.ts';
import type { Reader, Writer } from '../engine.ts';

/** Runs bodies in transactions; those that arrive together share one. */
export interface GroupCommit {
  /** Resolves once the changes are on the disk; rejects with what the body or the commit threw. */
  transaction<Result>(body: (tx: Writer) => Promise<Result>): Promise<Result>;
  /** Resolves when no transaction is open. */
  settled(): Promise<void>;
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

const reliableDisk: Disk = { admit: () => {}, confirm: async () => {}, note: () => {} };

/**
 * A commit waits for the disk, however much it holds, so bodies that arrive in quick succession share one. They run one
 * after the other, and each sees what the ones before it did. One that throws rolls back only its own changes. Promises
 * settle after the commit, rejections too, because a refusal may rest on what an earlier body did.
 */
export function createGroupCommit(writer: Reader, disk: Disk = reliableDisk): GroupCommit {
  const queue: QueuedBody[] = [];
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    while (queue.length > 0) {
      await gatherGroup(queue);
      await commitGroup(writer, queue.splice(0, maxGroupSize), disk);
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

async function commitGroup(writer: Reader, group: readonly QueuedBody[], disk: Disk): Promise<void> {
  const [first, ...others] = group;
  try {
    disk.admit();
    const settles = await writer.transaction().execute(async (transaction) => {
      const tx = Object.assign(transaction, { run: writer.run, lockAccount: async () => {} });
      return first !== undefined && others.length === 0 ? [await first.run(tx)] : runEach(tx, group, disk);
    });
    await disk.confirm();
    for (const settle of settles) {
      settle();
    }
  } catch (error) {
    disk.note(error);
    for (const { reject } of group) {
      reject(error);
    }
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
