import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type Schema = Kysely<unknown>['schema'];

/** Accounts, keys, the three lists with their sequences and block counts, and the hour's requests. */
export const firstTables: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database;
    await createAccounts(schema);
    await createCollections(schema);
    await createClients(schema);
    await createAppointments(schema);
    await createStylists(schema);
  },
};

async function createAccounts(schema: Schema): Promise<void> {
  await schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('hourly_limit', 'integer')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await withAccount(schema.createTable('api_keys'))
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text')
    .addColumn('stylist_id', 'text')
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await withAccount(schema.createTable('rate_windows'))
    .addColumn('window_start', 'integer', (column) => column.notNull())
    .addColumn('granted', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('rate_windows_key', ['account_id', 'window_start'])
    .execute();
}

async function createCollections(schema: Schema): Promise<void> {
  await withAccount(schema.createTable('collections'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('last_seq', 'integer', (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('collections_key', ['account_id', 'name'])
    .execute();
  await withAccount(schema.createTable('blocks'))
    .addColumn('collection', 'text', (column) => column.notNull())
    .addColumn('level', 'integer', (column) => column.notNull())
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('live', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('blocks_key', ['account_id', 'collection', 'level', 'block'])
    // The key is the whole row but for the count, so the row lives in the key's own tree.
    .modifyEnd(sql`without rowid`)
    .execute();
}

async function createClients(schema: Schema): Promise<void> {
  await withRecord(schema, 'clients')
    .addColumn('last_name_key', 'text', (column) => column.notNull())
    .addColumn('email', 'text')
    .addColumn('phone_digits', 'text')
    .addColumn('search', 'text', (column) => column.notNull())
    .execute();
  await createIndexes(schema, 'clients', [
    ['created_ms', 'seq'],
    ['updated_ms', 'seq'],
    ['last_name_key', 'seq'],
    ['email', 'seq'],
    ['phone_digits', 'seq'],
  ]);
}

async function createAppointments(schema: Schema): Promise<void> {
  await withRecord(schema, 'appointments')
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('stylist_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('start_ms', 'integer', (column) => column.notNull())
    .addColumn('end_ms', 'integer', (column) => column.notNull())
    .execute();
  await createIndexes(schema, 'appointments', [
    ['created_ms', 'seq'],
    ['updated_ms', 'seq'],
    ['start_ms', 'seq'],
    ['client_id', 'seq'],
    ['stylist_id', 'seq'],
    ['stylist_id', 'start_ms', 'seq'],
    ['status', 'seq'],
  ]);
}

async function createStylists(schema: Schema): Promise<void> {
  await withRecord(schema, 'stylists')
    .addColumn('active', 'integer', (column) => column.notNull())
    .execute();
}

/** The columns of every record, and the two keys it is found by: its place and its identifier. */
function withRecord(schema: Schema, table: string) {
  return withAccount(schema.createTable(table))
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'integer', (column) => column.notNull())
    .addColumn('updated_ms', 'integer', (column) => column.notNull())
    .addColumn('record', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${table}_key`, ['account_id', 'seq'])
    .addUniqueConstraint(`${table}_id`, ['account_id', 'id']);
}

function withAccount<Table extends string>(table: CreateTableBuilder<Table>) {
  return table.addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'));
}

/** Every index begins with the account and ends with the place, so that filter, order and cursor are one range. */
async function createIndexes(schema: Schema, table: string, indexes: readonly string[][]): Promise<void> {
  for (const columns of indexes) {
    await schema
      .createIndex([table, ...columns].join('_'))
      .on(table)
      .columns(['account_id', ...columns])
      .execute();
  }
}
