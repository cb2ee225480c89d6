import type pg from 'pg';
import type { SqlValue } from '../conditions.ts';
import type { Lock, StatementObserver, Topic, Writer } from '../engine.ts';
import { isRefusal, isStalePlan, toDatabaseError, toUnknownCommit } from './errors.ts';
import { findStatement, sendStatement, stopPreparing } from './statements.ts';

/** A transaction on one connection. */
export interface OpenTransaction {
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

export function createTransaction(
  client: pg.ClientBase,
  observe: StatementObserver = () => {},
): OpenTransaction {
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
