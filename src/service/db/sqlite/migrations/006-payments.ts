import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Payments, what their list was changed by, and an empty list for every account there is. */
export const payments: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database;
    await schema
      .createTable('payments')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'integer', (column) => column.notNull())
      .addColumn('updated_ms', 'integer', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text')
      .addColumn('appointment_id', 'text')
      .addColumn('stylist_id', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('payments_key', ['account_id', 'seq'])
      .addUniqueConstraint('payments_id', ['account_id', 'id'])
      .execute();
    for (const column of [
      'created_ms',
      'updated_ms',
      'client_id',
      'appointment_id',
      'stylist_id',
      'status',
    ]) {
      await schema
        .createIndex(`payments_${column}_seq`)
        .on('payments')
        .columns(['account_id', column, 'seq'])
        .execute();
    }
    await schema
      .createTable('payment_changes')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('gain', 'integer', (column) => column.notNull())
      .addColumn('client_id', 'text')
      .addColumn('appointment_id', 'text')
      .addColumn('stylist_id', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'integer', (column) => column.notNull())
      .addColumn('updated_ms', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('payment_changes_key', ['account_id', 'version', 'seq', 'gain'])
      .modifyEnd(sql`without rowid`)
      .execute();
    await sql`insert into collections (account_id, name, version, last_seq, total, changes_since)
      select id, 'payments', 0, 0, 0, 0 from accounts`.execute(database);
  },
};
