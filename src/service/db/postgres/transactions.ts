import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { createBoundedQueue } from '../../../queue.ts';
import {
  type Lock,
  type StatementObserver,
  type Topic,
  type Transactions,
  toBusyError,
  type Writer,
} from '../engine.ts';
import type { SqlValue } from '../rows.ts';
import {
  isConnectionError,
  isReadOnly,
  isRefusal,
  isRetryable,
  isStalePlan,
  toDatabaseError,
  toUnknownCommit,
} from './errors.ts';
import { findStatement, sendStatement, stopPreparing } from './statements.ts';

/** How often a transaction runs again because of other transactions. */
const maxRetries = 5;
const retryPauseMs = 20;
/** When the server is slow, those that wait fail together rather than one after the other. */
const maxWaitMs = 10_000;

/**
 * Runs bodies in transactions. Those of this process that need the same lock wait here, one after the other, so that they do
 * not occupy the connections of others.
 */
export function createTransactions(
  pool: pg.Pool,
  onCommit: (topics: ReadonlySet<Topic>) => void,
  observe: StatementObserver | undefined,
): Transactions {
  const locked = createBoundedQueue<string>({ maxRunning: 1, maxWaitMs, refuse: toBusyError });
  const parallel = createBoundedQueue<string>({ maxRunning: Number.POSITIVE_INFINITY });

  async function runWithRetries<Result>(lock: Lock, body: (tx: Writer) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await runOnce(lock, body);
      } catch (error) {
        const isTemporary = isRetryable(error) || (isConnectionError(error) && tries === 1);
        if (!isTemporary || tries > maxRetries) throw toDatabaseError(error);
      }
      await delay(retryPauseMs * tries);
    }
  }

  /** Throws the error of the driver if a statement has failed, even if the body caught it. */
  async function runOnce<Result>(lock: Lock, body: (tx: Writer) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    const transaction = createTransaction(client, observe);
    let result: Result;
    try {
      await transaction.begin(lock);
      result = await body(transaction.tx);
      await transaction.commit();
    } catch (thrown) {
      const error = transaction.failure ?? thrown;
      // Closing the connection rolls back, too. One to a read-only server may find another server next time.
      await transaction.rollback().then(
        () => client.release(isReadOnly(error)),
        () => client.release(true),
      );
      throw error;
    }
    client.release();
    onCommit(transaction.topics);
    return result;
  }

  return {
    transaction: (lock, body) => {
      const queue = lock === 'rows' ? parallel : locked;
      const key = typeof lock === 'string' ? lock : `account ${lock.accountId}`;
      return queue.run(key, () => runWithRetries(lock, body));
    },
    settled: async () => {
      await Promise.all([locked.settled(), parallel.settled()]);
    },
  };
}

/** A transaction on one connection. */
function createTransaction(client: pg.ClientBase, observe: StatementObserver = () => {}) {
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
    /** What it concerns that other processes want to know. */
    topics,
    /** The first error of a statement; the server refuses all later ones. */
    get failure() {
      return failure;
    },
    async begin(lock: Lock) {
      // Unprepared, so that nothing but a lost connection can make it fail.
      await sendStatement(client, { text: 'begin' });
      if (lock === 'service') await run('select 1 from service_lock where id = 1 for no key update', []);
      else if (lock !== 'rows') await lockAccount(lock.accountId);
    },
    /** Throws if a statement has failed, and `commit_unknown` if it is not known whether the commit happened. */
    async commit() {
      if (failure !== undefined) throw failure;
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
    /** Throws if the connection is of no more use. */
    async rollback() {
      await sendStatement(client, { text: 'rollback' });
    },
  };
}
