import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Runs statements one after the other. */
export async function execute(database: Kysely<unknown>, ...statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}

/** A migration of plain statements. */
export function toMigration(...statements: readonly string[]): Migration {
  return {
    up: (database: Kysely<unknown>) => execute(database, ...statements),
  };
}

/** Every index starts with the account and ends with `seq`, so that filter, order and cursor are one range. */
export function createIndexes(table: string, columns: readonly string[]): string[] {
  return columns.map(
    (column) =>
      `create index ${table}_${column.replace(', ', '_')}_seq on ${table} (account_id, ${column}, seq)`,
  );
}
