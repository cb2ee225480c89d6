import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { toStoreError } from './faults.ts';

interface Prepared {
  readonly statement: StatementSync;
  readonly answersRows: boolean;
}

/** Statements kept prepared. The service has far fewer; the bound is for queries with lists of every length. */
const mostPrepared = 500;

/** Runs Kysely's queries on node:sqlite; every statement is prepared once. */
export function createConnection(sqlite: DatabaseSync): DatabaseConnection {
  const prepared = new Map<string, Prepared>();

  function prepare(text: string): Prepared {
    const known = prepared.get(text);
    if (known !== undefined) {
      return known;
    }
    if (prepared.size >= mostPrepared) {
      prepared.clear();
    }
    const statement = sqlite.prepare(text);
    const made = { statement, answersRows: statement.columns().length > 0 };
    prepared.set(text, made);
    return made;
  }

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
