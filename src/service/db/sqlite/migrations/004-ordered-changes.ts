import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Changes also say where a record stands in every order, so that what is known of a filter's reach can follow. */
export const orderedChanges: Migration = {
  async up(database: Kysely<unknown>) {
    for (const table of ['appointment_changes', 'client_changes']) {
      await sql`delete from ${sql.table(table)}`.execute(database);
      await database.schema
        .alterTable(table)
        .addColumn('created_ms', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    }
    await database.schema
      .alterTable('client_changes')
      .addColumn('last_name_key', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await sql`update collections set changes_since = version`.execute(database);
  },
};
