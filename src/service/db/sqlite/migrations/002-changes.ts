import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What lists were changed by, so that the count of a filter can follow instead of being made anew. */
export const changes: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database;
    await schema
      .alterTable('collections')
      .addColumn('changes_since', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update collections set changes_since = version`.execute(database);
    await createChanges(schema, 'appointment_changes')
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('stylist_id', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('start_ms', 'integer', (column) => column.notNull())
      .addColumn('updated_ms', 'integer', (column) => column.notNull())
      .execute();
    await createChanges(schema, 'client_changes')
      .addColumn('email', 'text')
      .addColumn('phone_digits', 'text')
      .addColumn('search', 'text', (column) => column.notNull())
      .addColumn('updated_ms', 'integer', (column) => column.notNull())
      .execute();
  },
};

function createChanges(schema: Kysely<unknown>['schema'], table: string) {
  return (
    schema
      .createTable(table)
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('gain', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, ['account_id', 'version', 'seq', 'gain'])
      // Read only as a range of the key, so the row lives in the key's own tree.
      .modifyEnd(sql`without rowid`)
  );
}
