import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { gatherGroup, maxGroupSize, type QueuedBody, queueBody, type Settle } from '../commit-group.ts';
import type { SqlValue } from '../conditions.ts';
import type { Engine, Lock, StatementObserver, Topic, Writer } from '../engine.ts';
import {
  isConnectionError,
  isReadOnly,
  isRefusal,
  isRetryable,
  isStalePlan,
  isTimeout,
  toDatabaseError,
  toUnknownCommit,
} from './errors.ts';
import { findStatement, sendStatement, stopPreparing } from './statements.ts';

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
interface Rollback {
  readonly error: unknown;
  readonly body: number | undefined;
}

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
  const transaction = createTransaction(client, watcher.observe);
  const outcome = await runBodies(transaction, lock, group);
  if (!('error' in outcome)) {
    client.release();
    watcher.onCommit(transaction.topics);
    for (const settle of outcome) settle();
    return 'committed';
  }
  // Closing the connection rolls back, too. One to a read-only server may find another server next time.
  await transaction.rollback().then(
    () => client.release(isReadOnly(outcome.error)),
    () => client.release(true),
  );
  return outcome;
}

async function runBodies(
  transaction: OpenTransaction,
  lock: Lock,
  group: readonly QueuedBody[],
): Promise<readonly Settle[] | Rollback> {
  const settles: Settle[] = [];
  try {
    await transaction.begin(lock);
    for (const [body, { run, reject }] of group.entries()) {
      const before = transaction.writes;
      const settle = await run(transaction.tx).catch((error: unknown) => ({ error }));
      if (transaction.failure !== undefined) return blame(transaction.failure, body, group.length);
      if (typeof settle === 'function') settles.push(settle);
      else if (transaction.writes > before) return { error: settle.error, body };
      else settles.push(() => reject(settle.error));
    }
    await transaction.commit();
    return settles;
  } catch (error) {
    return { error, body: undefined };
  }
}

/** No body is to blame for a lost connection, or for a slow server: one after the other, all would wait as long. */
function blame(error: unknown, body: number, size: number): Rollback {
  const isNobodys = (isConnectionError(error) && size > 1) || isTimeout(error);
  return { error, body: isNobodys ? undefined : body };
}

/** A transaction on one connection. */
interface OpenTransaction {
  readonly tx: Writer;
  /** What it concerns that other processes want to know. */
  readonly topics: ReadonlySet<Topic>;
  readonly writes: number;
  /** The first error of a statement; the server refuses all later ones. */
  readonly failure: unknown;
  begin(lock: Lock): Promise<void>;
  /** Throws `commit_unknown` if it is not known whether the commit happened. */
  commit(): Promise<void>;
  /** Throws if the connection is of no more use. */
  rollback(): Promise<void>;
}

function createTransaction(client: pg.ClientBase, observe: StatementObserver = () => {}): OpenTransaction {
  const topics = new Set<Topic>();
  const lockedAccounts = new Set<string>();
  let writes = 0;
  let failure: unknown;

  async function run<Row>(text: string, values: readonly SqlValue[]): Promise<Row[]> {
    if (failure !== undefined) throw toDatabaseError(failure);
    const statement = findStatement(text);
    if (statement.tables.length > 0) writes += 1;
    for (const topic of statement.topics) topics.add(topic);
    const startMs = performance.now();
    try {
      const result = await sendStatement(client, statement, values);
      observe({ text: statement.text, ms: performance.now() - startMs, rows: result.rows.length });
      return result.rows;
    } catch (error) {
      if (isStalePlan(error)) stopPreparing(statement);
      failure ??= error;
      throw toDatabaseError(failure);
    }
  }

  async function lockAccount(accountId: string): Promise<void> {
    if (lockedAccounts.has(accountId)) return;
    lockedAccounts.add(accountId);
    await run('select 1 from accounts where id = ? for no key update', [accountId]);
  }

  return {
    tx: { run, lockAccount },
    topics,
    get writes() {
      return writes;
    },
    get failure() {
      return failure;
    },
    async begin(lock) {
      // Unprepared, so that nothing but a lost connection can make it fail.
      await sendStatement(client, { text: 'begin' });
      if (lock === 'service') await run('select 1 from service_lock where id = 1 for no key update', []);
      else if (lock !== 'rows') await lockAccount(lock.accountId);
    },
    async commit() {
      if (topics.has('access')) await run("select pg_notify('salon_access', '')", []);
      /** The server's warning, such as that a standby has not confirmed the commit. */
      let warning: unknown;
      const note = (notice: { readonly code?: string | undefined }) => {
        if (/^(?:01|25|57)/.test(notice.code ?? '')) warning = notice;
      };
      client.on('notice', note);
      const { command } = await sendStatement(client, { text: 'commit' })
        .catch((error: unknown) => {
          throw writes === 0 || isRefusal(error) ? error : toUnknownCommit(error);
        })
        .finally(() => client.off('notice', note));
      // A failed transaction is rolled back, and the server calls that a success.
      if (command !== 'COMMIT') throw new Error(`The commit became a ${command}.`);
      if (warning !== undefined && writes > 0) throw toUnknownCommit(warning);
    },
    async rollback() {
      await sendStatement(client, { text: 'rollback' });
    },
  };
}
