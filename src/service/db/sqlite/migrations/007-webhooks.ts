import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type Schema = Kysely<unknown>['schema'];

/** Webhooks, the events they are told of, and every delivery with its tries. */
export const webhooks: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database;
    await createWebhooks(schema);
    await createEvents(schema);
    await createDeliveries(schema);
    await sql`insert into collections (account_id, name, version, last_seq, total, changes_since)
      select id, 'webhooks', 0, 0, 0, 0 from accounts`.execute(database);
  },
};

async function createWebhooks(schema: Schema): Promise<void> {
  await schema
    .createTable('webhooks')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'integer', (column) => column.notNull())
    .addColumn('updated_ms', 'integer', (column) => column.notNull())
    .addColumn('record', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('former_secret', 'text')
    .addColumn('former_secret_until_ms', 'integer')
    .addPrimaryKeyConstraint('webhooks_key', ['account_id', 'seq'])
    .addUniqueConstraint('webhooks_id', ['account_id', 'id'])
    .execute();
}

async function createEvents(schema: Schema): Promise<void> {
  await schema
    .createTable('events')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text')
    .addColumn('created_ms', 'integer', (column) => column.notNull())
    .addColumn('body', 'text')
    .execute();
  await schema
    .createIndex('events_client')
    .on('events')
    .columns(['account_id', 'client_id'])
    .where('client_id', 'is not', null)
    .execute();
}

async function createDeliveries(schema: Schema): Promise<void> {
  await schema
    .createTable('deliveries')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event_seq', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_ms', 'integer')
    .addColumn('leased_until_ms', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_ms', 'integer', (column) => column.notNull())
    .addColumn('updated_ms', 'integer', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('deliveries_webhook')
    .unique()
    .on('deliveries')
    .columns(['webhook_id', 'event_seq'])
    .execute();
  // What is due, one webhook after the other: a dead one's thousands are skipped, not read.
  await schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['webhook_id', 'attempts', 'next_ms'])
    .where('next_ms', 'is not', null)
    .execute();
  await schema
    .createIndex('deliveries_leased')
    .on('deliveries')
    .columns(['webhook_id', 'leased_until_ms'])
    .where('leased_until_ms', '>', 0)
    .execute();
  await schema
    .createTable('delivery_attempts')
    .addColumn('delivery_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('at_ms', 'integer', (column) => column.notNull())
    .addColumn('status_code', 'integer')
    .addColumn('error', 'text')
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('delivery_attempts_key', ['delivery_id', 'number'])
    .modifyEnd(sql`without rowid`)
    .execute();
}
