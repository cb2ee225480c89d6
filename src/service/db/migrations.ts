import { baseline, createIndexes, recordColumns, recordKeys, type Statement } from './schema.ts';

export type Migrations = Readonly<Record<string, readonly Statement[]>>;

/**
 * In order; each begins with a unique number. They are written once for both engines, run while programs of the version
 * before still work on the database, and are never changed once released. The first one is the oldest state that a
 * database can have.
 */
export const migrations: Migrations = {
  '025-baseline': baseline,
  '026-audit-indexes': [
    ...['audit_links', 'audit_hours', 'audit_indexed'].map((table) => `drop table ${table}`),
    ...['actor_id', 'via_id', 'record_id', 'client_id', 'former_client_id'].map(
      (column) => `create index audit_entries_${column} on audit_entries (account_id, ${column}, seq)
        where ${column} is not null`,
    ),
    'create index audit_entries_at_ms on audit_entries (account_id, at_ms, seq)',
  ],
  '027-secret-expiry': ['alter table oauth_clients add column secret_expires_at text'],
  // One JSON text, because nothing is looked up by it.
  '028-salon-settings': ['alter table accounts add column settings text'],
  '029-blocked-times': [
    `create table blocked_times (${recordColumns}, stylist_id text, start_ms bigint not null,
      end_ms bigint not null, ${recordKeys})`,
    ...createIndexes('blocked_times', ['created_ms', 'updated_ms', 'start_ms', 'stylist_id, end_ms']),
    `insert into collections (account_id, name, version, last_seq, total)
      select id, 'blocked_times', 0, 0, 0 from accounts`,
  ],
  '030-services': [
    `create table services (${recordColumns}, name_key text not null, active smallint not null, price bigint,
      ${recordKeys})`,
    ...createIndexes('services', ['created_ms', 'updated_ms']),
    'create unique index services_name_key on services (account_id, name_key)',
    `insert into collections (account_id, name, version, last_seq, total)
      select id, 'services', 0, 0, 0 from accounts`,
  ],
  '031-prices': [
    'alter table appointments add column payment text',
    // As many payments as a salon has: the index finds those of each appointment.
    {
      sqlite: addPaidAmounts("json_extract(p.record, '$.$1')"),
      postgres: addPaidAmounts("(p.record::json ->> '$1')"),
    },
    `update collections set version = version + 1, bytes = (select coalesce(sum(octet_length(record)), 0)
      from appointments as a where a.account_id = collections.account_id) where name = 'appointments'`,
    `create index appointments_payment_status_seq on appointments (account_id, payment, status, seq)
      where payment is not null`,
  ],
  // Texts are folded when the database is opened: SQL cannot.
  '032-folded-names': ['clients', 'services'].flatMap((table) => [
    `alter table ${table} add column folded_ms bigint`,
    `create index ${table}_outdated on ${table} (account_id, seq) where coalesce(folded_ms, -1) <> updated_ms`,
  ]),
  '033-waitlist': [
    `create table waitlist_entries (${recordColumns}, client_id text not null, stylist_id text,
      status text not null, start_ms bigint not null, end_ms bigint not null, ${recordKeys})`,
    ...createIndexes('waitlist_entries', ['created_ms', 'updated_ms', 'start_ms', 'end_ms', 'client_id']),
    `insert into collections (account_id, name, version, last_seq, total)
      select id, 'waitlist_entries', 0, 0, 0 from accounts`,
  ],
  '034-request-counts': [
    `create table request_counts (account_id text not null references accounts (id), window_start bigint not null,
      credential_id text not null, requests bigint not null, last_ms bigint not null,
      primary key (account_id, window_start, credential_id)) without rowid`,
  ],
};

/** Appends what payments have paid to the texts of appointments; null for several currencies. */
function addPaidAmounts(member: string): string[] {
  const read = (name: string) => member.replace('$1', name);
  const [amount, tip, refunded] = ['amount', 'tip_amount', 'refunded_amount'].map(
    (name) => `cast(${read(name)} as bigint)`,
  );
  return [
    `update appointments set record = substr(record, 1, length(record) - 1) || ',"price":null,"paid_amount":' || (
      select case when count(distinct ${read('currency')}) > 1 then 'null'
        else cast(coalesce(sum(case when ${refunded} > ${tip} then ${amount} + ${tip} - ${refunded} else ${amount} end), 0)
          as text) end
      from payments as p where p.account_id = appointments.account_id and p.appointment_id = appointments.id
        and p.status = 'completed') || '}'`,
  ];
}

/**
 * The number of the oldest migration whose programs can work on the schema of this one. Raise it with a change that they
 * cannot work with, at the earliest one release after the change that they have to know.
 */
export const minimumVersion = '026';
