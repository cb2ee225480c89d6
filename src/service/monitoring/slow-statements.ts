import { AsyncLocalStorage } from 'node:async_hooks';
import { SalonError } from '../../contract/errors.ts';
import type { Database } from '../db/database.ts';
import type { RanStatement, StatementObserver } from '../db/engine.ts';
import type { Metrics } from './metrics.ts';

/** A line of the log about a statement that took long. */
interface SlowStatement {
  /** Undefined for background work. */
  readonly request_id?: string;
  readonly ms: number;
  readonly rows: number;
  readonly sql: string;
}

/** What statements are reported to. */
interface Listener {
  readonly metrics: Metrics | undefined;
  writeSlow(statement: SlowStatement): void;
}

/** Counts statements, and logs those that take long with the request that they belong to. */
export interface StatementWatch {
  /** For the database; undefined if nothing is to be watched. */
  readonly observe: StatementObserver | undefined;
  /** Runs what belongs to a request; undefined if no line of the log would name the request. */
  readonly runFor: ((requestId: string, act: () => void) => void) | undefined;
  /** The database opens before the log does. */
  connect(listener: Listener): void;
}

const maxTextLength = 2000;

/** Watches for statements that take at least `slowMs`; 0 for none. */
export function createStatementWatch(slowMs: number, isCounting: boolean): StatementWatch {
  const requests = new AsyncLocalStorage<string>();
  let listener: Listener | undefined;

  function observe(statement: RanStatement): void {
    listener?.metrics?.countStatement(statement.ms);
    if (slowMs === 0 || statement.ms < slowMs) return;
    const { text, ms, rows } = statement;
    const sql = text.replaceAll(/\s+/g, ' ').trim().slice(0, maxTextLength);
    const request_id = requests.getStore();
    listener?.writeSlow({
      ...(request_id === undefined ? {} : { request_id }),
      ...{ ms: Math.round(ms), rows, sql },
    });
  }

  return {
    observe: slowMs > 0 || isCounting ? observe : undefined,
    runFor: slowMs > 0 ? (requestId, act) => requests.run(requestId, act) : undefined,
    connect(given) {
      listener = given;
    },
  };
}

/** A database whose writes are watched. */
interface WatchedDatabase {
  readonly database: Database;
  /** Why the latest write was not possible; undefined if it was. */
  findWriteFailure(): string | undefined;
}

export function watchWrites(database: Database): WatchedDatabase {
  let failure: string | undefined;
  const watched: Database = {
    ...database,
    async transaction(lock, body) {
      try {
        const result = await database.transaction(lock, body);
        failure = undefined;
        return result;
      } catch (error) {
        if (error instanceof SalonError && error.status === 503) failure = error.message;
        throw error;
      }
    },
  };
  return { database: watched, findWriteFailure: () => failure };
}
