import type { DatabaseSync } from 'node:sqlite';
import type { Engine } from '../engine.ts';
import { toStoreError } from './faults.ts';
import { createStatements } from './statements.ts';

/** Makes the short way to write: Kysely takes as long to hand a small statement on as SQLite to run it. */
export function createRun(sqlite: DatabaseSync): Engine['run'] {
  const prepare = createStatements(sqlite);
  return async <Row>(text: string, values: Parameters<Engine['run']>[1]) => {
    try {
      const { statement, answersRows } = prepare(text);
      if (answersRows) {
        return statement.all(...values) as Row[];
      }
      statement.run(...values);
      return [];
    } catch (fault) {
      throw toStoreError(fault);
    }
  };
}
