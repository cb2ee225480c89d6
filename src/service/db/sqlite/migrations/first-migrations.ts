import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { toFullNames, toSearchText } from '../../../../contract/search-text.ts';
import { createSearchIndex } from '../search-index.ts';
import { createIndexes, execute, toMigration } from './statements.ts';

const account = 'account_id text not null references accounts (id)';
const recordColumns = `${account}, seq integer not null, id text not null, created_ms integer not null,
  updated_ms integer not null, record text not null`;
const recordKeys = 'primary key (account_id, seq), unique (account_id, id)';
const changeColumns = `${account}, version integer not null, seq integer not null, gain integer not null`;
const changeKey = 'primary key (account_id, version, seq, gain)';

/** Up to the first release with people, in order. */
export const firstMigrations: Readonly<Record<string, Migration>> = {
  '001-first-tables': toMigration(
    `create table accounts (id text not null primary key, name text not null, plan text not null,
      hourly_limit integer, created_at text not null)`,
    `create table api_keys (${account}, id text not null primary key, hash text not null unique, name text not null,
      role text not null, scopes text, stylist_id text, expires_at text, revoked_at text, created_at text not null)`,
    `create table rate_windows (${account}, window_start integer not null, granted integer not null,
      primary key (account_id, window_start))`,
    `create table collections (${account}, name text not null, version integer not null, last_seq integer not null,
      total integer not null, primary key (account_id, name))`,
    `create table blocks (${account}, collection text not null, level integer not null, block integer not null,
      live integer not null, primary key (account_id, collection, level, block)) without rowid`,
    `create table clients (${recordColumns}, last_name_key text not null, email text, phone_digits text,
      search text not null, ${recordKeys})`,
    ...createIndexes('clients', ['created_ms', 'updated_ms', 'last_name_key', 'email', 'phone_digits']),
    `create table appointments (${recordColumns}, client_id text not null, stylist_id text not null,
      status text not null, start_ms integer not null, end_ms integer not null, ${recordKeys})`,
    ...createIndexes('appointments', [
      'created_ms',
      'updated_ms',
      'start_ms',
      'client_id',
      'stylist_id',
      'stylist_id, start_ms',
      'status',
    ]),
    `create table stylists (${recordColumns}, active integer not null, ${recordKeys})`,
  ),

  // A log of changes for the counts of filters. Dropped in 008.
  '002-changes': toMigration(
    'alter table collections add column changes_since integer not null default 0',
    'update collections set changes_since = version',
    `create table appointment_changes (${changeColumns}, client_id text not null, stylist_id text not null,
      status text not null, start_ms integer not null, updated_ms integer not null, ${changeKey}) without rowid`,
    `create table client_changes (${changeColumns}, email text, phone_digits text, search text not null,
      updated_ms integer not null, ${changeKey}) without rowid`,
  ),

  // Row counts in blocks of 32 on four levels instead of 256 on two.
  '003-smaller-blocks': toMigration(
    'delete from blocks',
    ...['clients', 'appointments', 'stylists'].flatMap((collection) =>
      [5, 10, 15, 20].map(
        (shift, index) => `insert into blocks (account_id, collection, level, block, live)
          select account_id, '${collection}', ${index + 1}, (seq - 1) >> ${shift}, count(*)
          from ${collection} group by 1, 4`,
      ),
    ),
  ),

  '004-ordered-changes': toMigration(
    'delete from appointment_changes',
    'alter table appointment_changes add column created_ms integer not null default 0',
    'delete from client_changes',
    'alter table client_changes add column created_ms integer not null default 0',
    "alter table client_changes add column last_name_key text not null default ''",
    'update collections set changes_since = version',
  ),

  '005-idempotency-keys': toMigration(
    `create table idempotency_keys (seq integer primary key, ${account}, key text not null, request text not null,
      record_id text, answer text, kept_ms integer not null, unique (account_id, key))`,
    'create index idempotency_keys_record on idempotency_keys (account_id, record_id)',
  ),

  '006-payments': toMigration(
    `create table payments (${recordColumns}, client_id text, appointment_id text, stylist_id text,
      status text not null, ${recordKeys})`,
    ...createIndexes('payments', [
      'created_ms',
      'updated_ms',
      'client_id',
      'appointment_id',
      'stylist_id',
      'status',
    ]),
    `create table payment_changes (${changeColumns}, client_id text, appointment_id text, stylist_id text,
      status text not null, created_ms integer not null, updated_ms integer not null, ${changeKey}) without rowid`,
    `insert into collections (account_id, name, version, last_seq, total, changes_since)
      select id, 'payments', 0, 0, 0, 0 from accounts`,
  ),

  '007-webhooks': toMigration(
    `create table webhooks (${recordColumns}, active integer not null, events text not null, secret text not null,
      former_secret text, former_secret_until_ms integer, ${recordKeys})`,
    `create table events (seq integer primary key, id text not null, ${account}, type text not null, client_id text,
      created_ms integer not null, body text)`,
    'create index events_client on events (account_id, client_id) where client_id is not null',
    `create table deliveries (seq integer primary key, id text not null unique, ${account}, webhook_id text not null,
      event_seq integer not null, type text not null, status text not null, attempts integer not null,
      next_ms integer, leased_until_ms integer not null default 0, created_ms integer not null,
      updated_ms integer not null)`,
    'create unique index deliveries_webhook on deliveries (webhook_id, event_seq)',
    // Due deliveries by webhook: thousands of a dead one are skipped, not read.
    'create index deliveries_due on deliveries (webhook_id, attempts, next_ms) where next_ms is not null',
    `create index deliveries_leased on deliveries (webhook_id, leased_until_ms) where leased_until_ms > 0`,
    `create table delivery_attempts (delivery_id text not null, number integer not null, at_ms integer not null,
      status_code integer, error text, duration_ms integer not null, primary key (delivery_id, number)) without rowid`,
    `insert into collections (account_id, name, version, last_seq, total, changes_since)
      select id, 'webhooks', 0, 0, 0, 0 from accounts`,
  ),

  // Filters are counted again when their collection has changed.
  '008-no-changes': toMigration(
    'drop table appointment_changes',
    'drop table client_changes',
    'drop table payment_changes',
    'alter table collections drop column changes_since',
  ),

  // The search of clients: its text ignores accents and has phone numbers, and trigrams lead to it.
  '009-client-search': {
    async up(database: Kysely<unknown>) {
      await execute(
        database,
        // A row number that copies keep, which the index refers to.
        `create table new_clients (row integer primary key, ${recordColumns}, last_name_key text not null, email text,
          phone_digits text, search text not null, unique (account_id, seq), unique (account_id, id))`,
        `insert into new_clients (account_id, seq, id, created_ms, updated_ms, record, last_name_key, email,
            phone_digits, search)
          select account_id, seq, id, created_ms, updated_ms, record, last_name_key, email, phone_digits, ''
          from clients order by account_id, seq`,
        'drop table clients',
        'alter table new_clients rename to clients',
      );
      await foldSearchTexts(database);
      await execute(
        database,
        ...createIndexes('clients', ['created_ms', 'updated_ms', 'last_name_key', 'email', 'phone_digits']),
        ...createSearchIndex(),
      );
    },
  },

  '010-merged-clients': toMigration(
    `create table merged_clients (seq integer primary key, ${account}, id text not null, into_id text not null,
      merged_ms integer not null, archive text)`,
    'create index merged_clients_id on merged_clients (account_id, id)',
    'create index merged_clients_into on merged_clients (account_id, into_id)',
    'create index merged_clients_time on merged_clients (merged_ms) where archive is not null',
  ),

  // Texts that are too short or too common for the search index are found without reading the records.
  '011-search-texts': toMigration(...createIndexes('clients', ['search'])),

  '012-working-hours': toMigration(
    "update stylists set record = json_insert(record, '$.working_hours', null)",
  ),
};

/** Fills `clients.search` from the records. */
async function foldSearchTexts(database: Kysely<unknown>): Promise<void> {
  for (let last = 0; ; ) {
    const { rows } = await sql<{ row: number; record: string }>`
      select row, record from clients where row > ${last} order by row limit 1000`.execute(database);
    for (const { row, record } of rows) {
      const { first_name, last_name, email, phone } = Object(JSON.parse(record));
      const text = toSearchText(toFullNames(first_name ?? '', last_name ?? ''), email ?? '', phone ?? '');
      await sql`update clients set search = ${text} where row = ${row}`.execute(database);
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.row;
  }
}
