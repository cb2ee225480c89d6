import { toMigration } from './statements.ts';

const account = 'account_id text not null references accounts (id)';

/** Bytes of the records of a collection. */
const recordBytes = ['clients', 'appointments', 'stylists', 'payments', 'webhooks'].map(
  (name) => `update collections set bytes = coalesce(
      (select sum(octet_length(record)) from ${name} as r where r.account_id = collections.account_id), 0)
    where name = '${name}'`,
);

const auditIsUnchanged = `create trigger audit_entries_unchanged before update on audit_entries begin
    select raise(abort, 'the audit log is append-only');
  end`;

/**
 * Keys that begin with the account, so that a database can be divided by accounts, and positions that count within an
 * account. Running totals of what an account stores. Positions of existing rows stay.
 */
export const accountKeysMigration = toMigration(
  'alter table collections add column bytes integer not null default 0',
  ...recordBytes,

  'drop index events_client',
  'drop index events_former_client',
  'alter table events rename to former_events',
  `create table events (${account}, seq integer not null, id text not null, type text not null, client_id text,
    former_client_id text, created_ms integer not null, body text, stored_bytes integer not null,
    primary key (account_id, seq))`,
  `insert into events
    select account_id, seq, id, type, client_id, former_client_id, created_ms, body,
      sum(coalesce(octet_length(body), 0)) over (partition by account_id order by seq)
    from former_events order by account_id, seq`,
  'drop table former_events',
  'create index events_client on events (account_id, client_id) where client_id is not null',
  `create index events_former_client on events (account_id, former_client_id)
    where former_client_id is not null`,

  'alter table delivery_attempts rename to former_attempts',
  `create table delivery_attempts (account_id text not null, event_seq integer not null, webhook_id text not null,
    number integer not null, at_ms integer not null, status_code integer, error text, duration_ms integer not null,
    primary key (account_id, event_seq, webhook_id, number)) without rowid`,
  `insert into delivery_attempts
    select account_id, event_seq, webhook_id, number, at_ms, status_code, error, duration_ms
    from former_attempts join deliveries on deliveries.id = delivery_id`,
  'drop table former_attempts',

  'drop index deliveries_webhook',
  'drop index deliveries_due',
  'drop index deliveries_leased',
  'alter table deliveries rename to former_deliveries',
  `create table deliveries (${account}, event_seq integer not null, webhook_id text not null, id text not null,
    type text not null, status text not null, attempts integer not null, next_ms integer,
    leased_until_ms integer not null default 0, created_ms integer not null, updated_ms integer not null,
    primary key (account_id, event_seq, webhook_id), unique (account_id, id)) without rowid`,
  `insert into deliveries
    select account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms,
      updated_ms
    from former_deliveries`,
  'drop table former_deliveries',
  'create index deliveries_webhook on deliveries (account_id, webhook_id, event_seq)',
  // Due deliveries by webhook: thousands of a dead one are skipped, not read.
  `create index deliveries_due on deliveries (account_id, webhook_id, attempts, next_ms)
    where next_ms is not null`,
  `create index deliveries_leased on deliveries (account_id, webhook_id, leased_until_ms)
    where leased_until_ms > 0`,

  'drop index idempotency_keys_record',
  'drop index idempotency_keys_client',
  'alter table idempotency_keys rename to former_keys',
  `create table idempotency_keys (${account}, key text not null, request text not null, record_id text,
    client_id text, answer text, kept_ms integer not null, primary key (account_id, key))`,
  `insert into idempotency_keys
    select account_id, key, request, record_id, client_id, answer, kept_ms from former_keys`,
  'drop table former_keys',
  'create index idempotency_keys_kept on idempotency_keys (account_id, kept_ms)',
  `create index idempotency_keys_client on idempotency_keys (account_id, client_id)
    where client_id is not null`,
  // Results of redeliveries, which may hold texts of any client.
  `create index idempotency_keys_redelivery on idempotency_keys (account_id)
    where record_id >= 'dlv_' and record_id < 'dlv\`'`,

  'drop index merged_clients_id',
  'drop index merged_clients_into',
  'drop index merged_clients_time',
  'alter table merged_clients rename to former_merged',
  `create table merged_clients (${account}, seq integer not null, id text not null, into_id text not null,
    merged_ms integer not null, archive text, primary key (account_id, seq))`,
  `insert into merged_clients select account_id, seq, id, into_id, merged_ms, archive from former_merged`,
  'drop table former_merged',
  'create index merged_clients_id on merged_clients (account_id, id)',
  'create index merged_clients_into on merged_clients (account_id, into_id)',
  'create index merged_clients_time on merged_clients (merged_ms) where archive is not null',

  'alter table erasures rename to former_erasures',
  `create table erasures (account_id text not null, id text not null, erased_ms integer not null,
    primary key (account_id, id))`,
  `insert into erasures select 'service', 'ers_' || seq, erased_ms from former_erasures`,
  'drop table former_erasures',

  'alter table audit_entries add column stored_bytes integer not null default 0',
  'drop trigger audit_entries_unchanged',
  `update audit_entries set stored_bytes = sums.bytes
    from (select e.account_id, e.seq, sum(coalesce(octet_length(changes), 0) + coalesce(octet_length(body), 0))
        over (partition by e.account_id order by e.seq) as bytes
      from audit_entries as e left join audit_values as v on v.account_id = e.account_id and v.seq = e.seq) as sums
    where sums.account_id = audit_entries.account_id and sums.seq = audit_entries.seq`,
  auditIsUnchanged,
);
