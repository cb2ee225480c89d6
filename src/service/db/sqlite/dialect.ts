import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { retryWhileBusy, toStoreError } from './errors.ts';
import { createStatements } from './statements.ts';

/** Kysely over one connection of node:sqlite, whose transactions take the write lock at once. */
export function createDialect(sqlite: DatabaseSync): Dialect {
  return {
    createDriver: () => createDriver(sqlite),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
  };
}

/** Kysely asks its adapter, a class, whether tables may be made in a transaction; SQLite can. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver(sqlite: DatabaseSync): Driver {
  const connection = createConnection(sqlite);
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    // A transaction that began by reading could find, at its first write, that another process was faster.
    beginTransaction: () => translating(() => retryWhileBusy(() => sqlite.exec('begin immediate'))),
    commitTransaction: () => translating(async () => sqlite.exec('commit')),
    rollbackTransaction: async () => {
      // A full disk makes SQLite roll back by itself.
      if (sqlite.isTransaction) {
        sqlite.exec('rollback');
      }
    },
    destroy: async () => sqlite.close(),
  };
}

async function translating(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (fault) {
    throw toStoreError(fault);
  }
}

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
