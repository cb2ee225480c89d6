import type pg from 'pg';
import type { Lock, StatementObserver, Topic, Writer } from '../engine.ts';
import { canCombine, combineWrites, type PendingWrite } from './combined-writes.ts';
import { isRefusal, isStalePlan, toDatabaseError, toUnknownCommit } from './errors.ts';
import { createRunner, type RunStatement, type StatementResult } from './runner.ts';
import { findStatement, type Statement, send, stopPreparing } from './statements.ts';

/** Writes without result that may be under way before the next one waits for them. */
const maxUnderWay = 64;
const noRows: StatementResult = { rows: [], rowCount: null };

/** A statement that failed; the server refuses all later ones. */
export interface Failure {
  readonly error: unknown;
  /** Which body it belongs to. */
  readonly body: number;
}

/** What happened in an open transaction. */
interface State {
  /** Which of the bodies that share the transaction is running. */
  body: number;
  writes: number;
  underWay: number;
  /** Writes of the running body that have not been sent. Its next statement sends them, if it is no such write. */
  pending: PendingWrite[];
  failure: Failure | undefined;
  readonly topics: Set<Topic>;
  readonly lockedAccounts: Set<string>;
}

/** Runs transactions on one connection, one at a time. */
export interface Session {
  readonly tx: Writer;
  /** Sends the beginning and the lock, and waits for neither: the statements behind them do. */
  begin(lock: Lock): State;
  /** Sends what the running body has written, before another one runs. */
  endBody(): void;
  /** Throws `commit_unknown` if it is not known whether the commit happened. */
  commit(): Promise<void>;
  /** Throws if the connection is of no more use. */
  rollback(): Promise<void>;
}

function createState(): State {
  const [topics, lockedAccounts] = [new Set<Topic>(), new Set<string>()];
  return { body: 0, writes: 0, underWay: 0, pending: [], failure: undefined, topics, lockedAccounts };
}

const sessions = new WeakMap<pg.ClientBase, Session>();

/** The session of a connection, which is made once. */
export function toSession(client: pg.ClientBase, observe?: StatementObserver): Session {
  const known = sessions.get(client);
  if (known !== undefined) return known;
  const session = createSession(client, observe);
  sessions.set(client, session);
  return session;
}

function createSession(client: pg.ClientBase, observe: StatementObserver = () => {}): Session {
  let state = createState();
  /** The server's warning during a commit, such as that a standby has not confirmed it. */
  let warning: unknown;
  client.on('notice', (notice) => {
    if (/^(?:01|25|57)/.test(notice.code ?? '')) warning = notice;
  });

  function note({ tables, topics }: Statement): void {
    if (state.failure !== undefined) throw toDatabaseError(state.failure.error);
    if (tables.length > 0) state.writes += 1;
    for (const topic of topics) state.topics.add(topic);
  }

  async function sendNow(statement: Statement, values: readonly unknown[]): Promise<StatementResult> {
    const current = state;
    const { body } = current;
    current.underWay += 1;
    const startMs = performance.now();
    try {
      const result = await send(client, statement, values);
      observe({ text: statement.text, ms: performance.now() - startMs, rows: result.rows.length });
      return result;
    } catch (error) {
      if (isStalePlan(error)) stopPreparing(statement);
      current.failure ??= { error, body };
      throw toDatabaseError(current.failure.error);
    } finally {
      current.underWay -= 1;
    }
  }

  /** Its failure comes with the next statement, or with the commit. */
  function sendSoon(statement: Statement, values: readonly unknown[]): void {
    sendNow(statement, values).catch(() => {});
  }

  function sendPending(): void {
    if (state.pending.length === 0) return;
    const { statement, values } = combineWrites(state.pending);
    state.pending = [];
    sendSoon(statement, values);
  }

  async function runNow(statement: Statement, values: readonly unknown[]): Promise<StatementResult> {
    note(statement);
    sendPending();
    return sendNow(statement, values);
  }

  const run: RunStatement = async (text, values) => runNow(findStatement(text), values);

  /** Does not wait for writes that return nothing: they are sent together, and several may be under way. */
  const runSoon: RunStatement = async (text, values) => {
    const statement = findStatement(text);
    if (!statement.isSilent || state.underWay >= maxUnderWay) return runNow(statement, values);
    note(statement);
    const write = { source: text, statement, values };
    if (!canCombine(state.pending, write)) sendPending();
    state.pending.push(write);
    return noRows;
  };

  function lockAccount(accountId: string): void {
    if (state.lockedAccounts.has(accountId)) return;
    state.lockedAccounts.add(accountId);
    sendPending();
    sendSoon(lockOfAccount(), [accountId]);
  }

  const runner = createRunner(run, runSoon);
  const tx = Object.assign(runner, {
    lockAccount: async (accountId: string) => lockAccount(accountId),
  }) as unknown as Writer;

  return {
    tx,
    begin(lock) {
      state = createState();
      const current = state;
      // Unprepared, so that nothing but a lost connection can make it fail: what follows would commit by itself.
      send(client, { text: 'begin' }).catch((error: unknown) => {
        current.failure ??= { error, body: 0 };
      });
      if (lock === 'service') sendSoon(lockOfService(), []);
      else if (lock !== 'rows') lockAccount(lock.accountId);
      return state;
    },
    endBody: sendPending,
    async commit() {
      // Known before the commit is sent: nothing will be saved.
      const readFailure = (): Failure | undefined => state.failure;
      if (readFailure() !== undefined) throw readFailure()?.error;
      if (state.topics.has('access')) sendSoon(notification(), []);
      warning = undefined;
      const { command } = await send(client, { text: 'commit' }).catch((error: unknown) => {
        // Whatever became of the commit, one with a statement that the server has refused saves nothing.
        const refused = readFailure()?.error;
        if (isRefusal(refused)) throw refused;
        throw state.writes === 0 || isRefusal(error) ? error : toUnknownCommit(error);
      });
      // A failed transaction is rolled back, and the server calls that a success.
      if (command !== 'COMMIT') throw readFailure()?.error ?? new Error(`The commit became a ${command}.`);
      if (warning !== undefined && state.writes > 0) throw toUnknownCommit(warning);
    },
    async rollback() {
      await send(client, { text: 'rollback' });
    },
  };
}

const lockOfAccount = () => findStatement('select 1 from accounts where id = ? for no key update');
const lockOfService = () => findStatement('select 1 from service_lock where id = 1 for no key update');
const notification = () => findStatement("select pg_notify('salon_access', '')");
