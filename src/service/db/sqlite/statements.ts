import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Reader, StatementObserver } from '../engine.ts';
import type { SqlValue } from '../rows.ts';
import { toDatabaseError } from './errors.ts';

/** Runs statements on one connection; each is prepared once. */
export interface Statements {
  run<Row>(text: string, values: readonly SqlValue[]): Row[];
}

/** The service has far fewer; the bound is for statements with lists of every length. */
const maxPrepared = 500;

export function createStatements(sqlite: DatabaseSync, observe?: StatementObserver): Statements {
  const prepared = new Map<string, StatementSync>();

  function prepare(text: string): StatementSync {
    const known = prepared.get(text);
    if (known !== undefined) {
      return known;
    }
    if (prepared.size >= maxPrepared) {
      prepared.clear();
    }
    const statement = sqlite.prepare(text);
    prepared.set(text, statement);
    return statement;
  }

  function run<Row>(text: string, values: readonly SqlValue[]): Row[] {
    try {
      return prepare(text).all(...values) as Row[];
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  if (observe === undefined) return { run };
  return {
    run: <Row>(text: string, values: readonly SqlValue[]) => {
      const startMs = performance.now();
      const rows = run<Row>(text, values);
      observe({ text, ms: performance.now() - startMs, rows: rows.length });
      return rows;
    },
  };
}

/** For functions that work on any engine. */
export function toReader({ run }: Statements): Reader {
  return { run: async (text, values) => run(text, values) };
}
