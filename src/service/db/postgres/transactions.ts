import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { gatherGroup, maxGroupSize, type QueuedBody, queueBody, type Settle } from '../commit-group.ts';
import type { Engine, Lock, StatementObserver, Topic } from '../engine.ts';
import { isConnectionError, isReadOnly, isRetryable, isTimeout, toDatabaseError } from './errors.ts';
import { type Failure, type Session, toSession } from './transaction.ts';

export interface Transactions {
  readonly transaction: Engine['transaction'];
  /** Resolves when no transaction is open. */
  settled(): Promise<void>;
}

/** Told about commits and statements. */
interface Watcher {
  onCommit(topics: ReadonlySet<Topic>): void;
  readonly observe: StatementObserver | undefined;
}

/** How often a group runs again because of other transactions. */
const maxRetries = 5;
const retryPauseMs = 20;

/**
 * Runs bodies in transactions. Those that wait for the same lock share one, because a commit waits for the disk, however
 * much it holds. There are no savepoints: when a body fails after a write, the others run again without it. Promises
 * settle after the commit, rejections too, because a refusal may rest on what an earlier body did.
 */
export function createTransactions(pool: pg.Pool, watcher: Watcher): Transactions {
  const queues = new Map<string, QueuedBody[]>();
  const running = new Set<Promise<void>>();

  async function runQueue(key: string, lock: Lock, queue: QueuedBody[]): Promise<void> {
    while (queue.length > 0) {
      await gatherGroup(queue);
      await runGroup(pool, lock, queue.splice(0, maxGroupSize), watcher);
    }
    // Synchronous with the last look at the queue.
    queues.delete(key);
  }

  function enqueue(lock: Lock, body: QueuedBody): Promise<void> | undefined {
    // They may run in parallel.
    if (lock === 'rows') return runGroup(pool, lock, [body], watcher);
    const key = typeof lock === 'string' ? lock : `account ${lock.accountId}`;
    const queue = queues.get(key);
    if (queue !== undefined) {
      queue.push(body);
      return undefined;
    }
    const started = [body];
    queues.set(key, started);
    return runQueue(key, lock, started);
  }

  return {
    transaction: (lock, body) =>
      queueBody(body, (queued) => {
        const work = enqueue(lock, queued);
        if (work === undefined) return;
        running.add(work);
        work.finally(() => running.delete(work));
      }),
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Never throws: every body is settled. */
async function runGroup(
  pool: pg.Pool,
  lock: Lock,
  group: readonly QueuedBody[],
  watcher: Watcher,
): Promise<void> {
  let left = group;
  for (let retries = 0; left.length > 0; ) {
    const outcome = await attempt(pool, lock, left, watcher);
    if (outcome === 'committed') return;
    const { error, body } = outcome;
    const isTemporary = isRetryable(error) || (isConnectionError(error) && retries === 0);
    if (isTemporary && retries < maxRetries) {
      retries += 1;
      await delay(retryPauseMs * retries);
      continue;
    }
    // Without a body that is to blame, none of them can be done.
    const failed = body === undefined ? left : left.filter((_, index) => index === body);
    left = left.filter((one) => !failed.includes(one));
    for (const { reject } of failed) reject(toDatabaseError(error));
  }
}

/** Nothing was committed, because of one body or of none in particular. */
type Rollback = Omit<Failure, 'body'> & { readonly body: number | undefined };

async function attempt(
  pool: pg.Pool,
  lock: Lock,
  group: readonly QueuedBody[],
  watcher: Watcher,
): Promise<'committed' | Rollback> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return { error, body: undefined };
  }
  const session = toSession(client, watcher.observe);
  const outcome = await runBodies(session, lock, group);
  if ('settles' in outcome) {
    client.release();
    watcher.onCommit(outcome.topics);
    for (const settle of outcome.settles) settle();
    return 'committed';
  }
  // Closing the connection rolls back, too. One to a read-only server may find another server next time.
  await session.rollback().then(
    () => client.release(isReadOnly(outcome.error)),
    () => client.release(true),
  );
  return outcome;
}

async function runBodies(
  session: Session,
  lock: Lock,
  group: readonly QueuedBody[],
): Promise<{ readonly settles: readonly Settle[]; readonly topics: ReadonlySet<Topic> } | Rollback> {
  const state = session.begin(lock);
  const settles: Settle[] = [];
  for (const [index, { run, reject }] of group.entries()) {
    state.body = index;
    const before = state.writes;
    try {
      settles.push(await run(session.tx));
      session.endBody();
    } catch (error) {
      if (state.failure !== undefined) return blame(state.failure, group.length);
      if (state.writes > before) return { error, body: index };
      settles.push(() => reject(error));
    }
  }
  try {
    await session.commit();
    return { settles, topics: state.topics };
  } catch (error) {
    // A lost connection fails the statements before the commit, too, which may have been carried out nevertheless.
    const { failure } = state;
    const isCause = failure !== undefined && failure.error === error;
    return isCause ? blame(failure, group.length) : { error, body: undefined };
  }
}

/** No body is to blame for a lost connection, or for a slow server: one after the other, all would wait as long. */
function blame({ error, body }: Failure, size: number): Rollback {
  const isNobodys = (isConnectionError(error) && size > 1) || isTimeout(error);
  return { error, body: isNobodys ? undefined : body };
}
