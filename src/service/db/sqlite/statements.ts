import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Reader, StatementObserver } from '../engine.ts';
import type { SqlValue } from '../rows.ts';
import { toDatabaseError } from './errors.ts';

/** Runs a statement on one connection. */
export type RunStatement = <Row>(text: string, values: readonly SqlValue[]) => Row[];

/** The service has far fewer; the bound is for statements with lists of every length. */
const maxPrepared = 500;

/** What runs the statements of a connection; each is prepared once. */
export function createRunner(sqlite: DatabaseSync, observe: StatementObserver = () => {}): RunStatement {
  const prepared = new Map<string, StatementSync>();

  function prepare(text: string): StatementSync {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    if (prepared.size >= maxPrepared) prepared.clear();
    const statement = sqlite.prepare(text);
    prepared.set(text, statement);
    return statement;
  }

  return <Row>(text: string, values: readonly SqlValue[]) => {
    const startMs = performance.now();
    try {
      const rows = prepare(text).all(...values) as Row[];
      observe({ text, ms: performance.now() - startMs, rows: rows.length });
      return rows;
    } catch (error) {
      throw toDatabaseError(error);
    }
  };
}

/** For functions that work on any engine. `admit` throws while the database cannot be used. */
export function toReader(run: RunStatement, admit = () => {}): Reader {
  return {
    run: async (text, values) => {
      admit();
      return run(text, values);
    },
  };
}
