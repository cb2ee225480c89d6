import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqlValue } from '../conditions.ts';
import { createDriver, refuseStreams } from '../driver.ts';
import type { StatementRunner } from '../engine.ts';
import { retryWhileBusy, toDatabaseError } from './errors.ts';
import type { Statements } from './statements.ts';

/** Kysely over one connection of node:sqlite. Its transactions take the write lock when they begin. */
export function createDialect(sqlite: DatabaseSync, statements: Statements): Dialect {
  return {
    createDriver: () => createWritingDriver(sqlite, createConnection(statements)),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
  };
}

/** Kysely over what only runs statements that read. */
export function createReadingDialect(runner: StatementRunner): Dialect {
  return {
    createDriver: () =>
      createDriver({
        executeQuery: async <Row>({ sql, parameters }: CompiledQuery) => ({
          rows: await runner.run<Row>(sql, parameters as SqlValue[]),
        }),
      }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
  };
}

/** SQLite can create tables in a transaction; Kysely's adapter says it cannot. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createWritingDriver(sqlite: DatabaseSync, connection: DatabaseConnection): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    // A transaction that began with a read could fail at its first write, because another process was faster.
    beginTransaction: () => translateErrors(() => retryWhileBusy(() => sqlite.exec('begin immediate'))),
    commitTransaction: () => translateErrors(async () => sqlite.exec('commit')),
    rollbackTransaction: async () => {
      // SQLite has already rolled back when the disk is full.
      if (sqlite.isTransaction) {
        sqlite.exec('rollback');
      }
    },
    destroy: async () => sqlite.close(),
  };
}

function createConnection(statements: Statements): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const { rows, changes } = statements.run<Row>(sql, parameters as SQLInputValue[]);
      return { rows, numAffectedRows: BigInt(changes) };
    },
    streamQuery: refuseStreams,
  };
}

async function translateErrors(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw toDatabaseError(error);
  }
}
