import type { DatabaseSync } from 'node:sqlite';
import { type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { createConnection } from './connection.ts';
import { toStoreError } from './faults.ts';
import { retryWhileBusy } from './patience.ts';

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
