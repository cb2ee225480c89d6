import type { DatabaseSync } from 'node:sqlite';
import { createMigrationsTable, type MigrationTarget } from '../migrate.ts';
import { retryWhileBusy } from './errors.ts';
import { inTransaction } from './transactions.ts';

/** A database file to migrate, on the connection that writes. Each statement waits while another process has the lock. */
export function createMigrationTarget(writing: DatabaseSync, file: string): MigrationTarget {
  async function run<Row>(text: string): Promise<Row[]> {
    let rows: unknown[] = [];
    await retryWhileBusy(() => {
      rows = writing.prepare(text).all();
    });
    return rows as Row[];
  }

  return {
    kind: 'sqlite',
    name: file,
    run,
    transaction: (body) =>
      inTransaction(writing, async () => {
        await run(createMigrationsTable);
        await body();
      }),
  };
}
