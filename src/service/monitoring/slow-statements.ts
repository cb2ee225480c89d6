import { AsyncLocalStorage } from 'node:async_hooks';
import { SalonError } from '../../contract/errors.ts';
import type { Database } from '../db/database.ts';
import type { RanStatement } from '../db/engine.ts';
import type { Metrics } from './metrics.ts';

/** What statements are reported to. */
interface Listener {
  readonly metrics: Metrics | undefined;
  /** Writes a line of the log about a statement that took long. */
  writeSlow(line: object): void;
}

const maxTextLength = 2000;

/**
 * Counts statements, and logs those that take at least `slowMs` (0 for none) with the request that they belong to, if it
 * is not background work.
 */
export function createStatementWatch(slowMs: number, isCounting: boolean) {
  const requests = new AsyncLocalStorage<string>();
  let listener: Listener | undefined;

  function observe({ text, ms, rows }: RanStatement): void {
    listener?.metrics?.countStatement(ms);
    if (slowMs === 0 || ms < slowMs) return;
    const sql = text.replaceAll(/\s+/g, ' ').trim().slice(0, maxTextLength);
    listener?.writeSlow({ request_id: requests.getStore(), ms: Math.round(ms), rows, sql });
  }

  const runFor = (requestId: string, act: () => void) => requests.run(requestId, act);
  return {
    /** For the database; undefined if nothing is to be watched. */
    observe: slowMs > 0 || isCounting ? observe : undefined,
    /** Runs what belongs to a request; undefined if no line of the log would name the request. */
    runFor: slowMs > 0 ? runFor : undefined,
    /** The database opens before the log does. */
    connect(given: Listener) {
      listener = given;
    },
  };
}

/** A database whose writes are watched: `findWriteFailure` says why the latest was not possible; undefined if it was. */
export function watchWrites(database: Database) {
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
