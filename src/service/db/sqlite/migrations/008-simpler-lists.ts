import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Filters are counted when a collection has changed, so its changes are no longer recorded. */
export const simplerLists: Migration = {
  async up(database: Kysely<unknown>) {
    for (const table of ['appointment_changes', 'client_changes', 'payment_changes']) {
      await database.schema.dropTable(table).execute();
    }
    await sql`alter table collections drop column changes_since`.execute(database);
  },
};
