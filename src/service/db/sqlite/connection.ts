import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { toStoreError } from './faults.ts';
import { createStatements } from './statements.ts';

/** Runs Kysely's queries on node:sqlite; every statement is prepared once. */
export function createConnection(sqlite: DatabaseSync): DatabaseConnection {
  const prepare = createStatements(sqlite);

  function run<Row>(query: CompiledQuery): QueryResult<Row> {
    const { statement, answersRows } = prepare(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (answersRows) {
      return { rows: statement.all(...parameters) as Row[] };
    }
    return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
  }

  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      try {
        return run<Row>(query);
      } catch (fault) {
        throw toStoreError(fault);
      }
    },
    async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
      for (const row of prepare(query.sql).statement.iterate(...(query.parameters as SQLInputValue[]))) {
        yield { rows: [row as Row] };
      }
    },
  };
}
