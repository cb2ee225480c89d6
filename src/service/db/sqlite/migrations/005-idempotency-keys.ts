import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Requests that can be sent again, by their key, and what was answered to them. */
export const idempotencyKeys: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('idempotency_keys')
      .addColumn('seq', 'integer', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('request', 'text', (column) => column.notNull())
      .addColumn('record_id', 'text')
      .addColumn('answer', 'text')
      .addColumn('kept_ms', 'integer', (column) => column.notNull())
      .addUniqueConstraint('idempotency_keys_key', ['account_id', 'key'])
      .execute();
    await schema
      .createIndex('idempotency_keys_record')
      .on('idempotency_keys')
      .columns(['account_id', 'record_id'])
      .execute();
  },
};
