import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqlValue } from '../conditions.ts';
import type { StatementObserver } from '../engine.ts';
import { toDatabaseError } from './errors.ts';

/** Runs statements on one connection; each is prepared once. */
export interface Statements {
  run<Row>(text: string, values: readonly SQLInputValue[]): { rows: Row[]; changes: number | bigint };
}

/** Runs a statement on the reading connection. */
export type RunQuery = <Row>(text: string, values: readonly SqlValue[]) => Row[];

interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

/** The service has far fewer; the bound is for statements with lists of every length. */
const maxPrepared = 500;

export function createStatements(sqlite: DatabaseSync, observe?: StatementObserver): Statements {
  const prepared = new Map<string, Prepared>();

  function prepare(text: string): Prepared {
    const known = prepared.get(text);
    if (known !== undefined) {
      return known;
    }
    if (prepared.size >= maxPrepared) {
      prepared.clear();
    }
    const statement = sqlite.prepare(text);
    const made = { statement, returnsRows: statement.columns().length > 0 };
    prepared.set(text, made);
    return made;
  }

  function run<Row>(text: string, values: readonly SQLInputValue[]) {
    try {
      const { statement, returnsRows } = prepare(text);
      return returnsRows
        ? { rows: statement.all(...values) as Row[], changes: 0 }
        : { rows: [], changes: statement.run(...values).changes };
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  if (observe === undefined) return { run };
  return {
    run: <Row>(text: string, values: readonly SQLInputValue[]) => {
      const startMs = performance.now();
      const result = run<Row>(text, values);
      observe({ text, ms: performance.now() - startMs, rows: result.rows.length });
      return result;
    },
  };
}
