import type { Engine } from './engine.ts';

/** A statement that both engines understand when it is rendered for them, or the statements of one engine alone. */
export type Statement = string | Partial<Record<Engine['kind'], readonly string[]>>;

const account = 'account_id text not null references accounts (id)';
const user = 'user_id text not null references users (id)';
export const recordColumns = `${account}, seq bigint not null, id text not null, created_ms bigint not null,
  updated_ms bigint not null, record text not null`;
export const recordKeys = 'primary key (account_id, seq), unique (account_id, id)';
const clientColumns = `${recordColumns}, last_name_key text not null, email text, phone_digits text,
  search text not null`;

const accountTables = [
  `create table accounts (id text not null primary key, name text not null, plan text not null,
    hourly_limit bigint, created_at text not null, sandbox smallint not null default 0,
    requires_second_factor smallint not null default 0)`,
  `create table api_keys (${account}, id text not null primary key, hash text not null unique, name text not null,
    role text not null, scopes text, stylist_id text, expires_at text, revoked_at text, created_at text not null,
    prefix text, created_by text, allowed_addresses text, last_used_ms bigint, replaced_by text,
    lifetime_ms bigint, created_with text)`,
  'create index api_keys_account on api_keys (account_id, id)',
  'create index api_keys_created_with on api_keys (account_id, created_with) where created_with is not null',
  `create table rate_windows (${account}, window_start bigint not null, granted bigint not null,
    primary key (account_id, window_start))`,
  `create table collections (${account}, name text not null, version bigint not null, last_seq bigint not null,
    total bigint not null, bytes bigint not null default 0, primary key (account_id, name))`,
];

const recordTables: readonly Statement[] = [
  {
    // A row number that copies keep, which the search index refers to.
    sqlite: [
      `create table clients (row integer primary key, ${clientColumns}, unique (account_id, seq),
        unique (account_id, id))`,
    ],
    postgres: [`create table clients (${clientColumns}, ${recordKeys})`],
  },
  ...createIndexes('clients', ['created_ms', 'updated_ms', 'last_name_key', 'email', 'phone_digits']),
  `create table appointments (${recordColumns}, client_id text not null, stylist_id text not null,
    status text not null, start_ms bigint not null, end_ms bigint not null, ${recordKeys})`,
  ...createIndexes('appointments', ['created_ms', 'updated_ms', 'start_ms', 'client_id', 'stylist_id']),
  ...createIndexes('appointments', ['stylist_id, start_ms', 'status']),
  `create table stylists (${recordColumns}, active smallint not null, ${recordKeys})`,
  `create table payments (${recordColumns}, client_id text, appointment_id text, stylist_id text,
    status text not null, ${recordKeys})`,
  ...createIndexes('payments', ['created_ms', 'updated_ms', 'client_id', 'appointment_id', 'stylist_id']),
  ...createIndexes('payments', ['status']),
  `create table webhooks (${recordColumns}, active smallint not null, events text not null, secret text not null,
    former_secret text, former_secret_until_ms bigint, ${recordKeys})`,
];

const eventTables = [
  `create table events (${account}, seq bigint not null, id text not null, type text not null, client_id text,
    former_client_id text, created_ms bigint not null, body text, stored_bytes bigint not null,
    primary key (account_id, seq))`,
  'create index events_client on events (account_id, client_id) where client_id is not null',
  `create index events_former_client on events (account_id, former_client_id)
    where former_client_id is not null`,
  `create table deliveries (${account}, event_seq bigint not null, webhook_id text not null, id text not null,
    type text not null, status text not null, attempts integer not null, next_ms bigint,
    leased_until_ms bigint not null default 0, created_ms bigint not null, updated_ms bigint not null,
    primary key (account_id, event_seq, webhook_id), unique (account_id, id)) without rowid`,
  'create index deliveries_webhook on deliveries (account_id, webhook_id, event_seq)',
  // Due deliveries by webhook: thousands of a dead one are skipped, not read.
  `create index deliveries_due on deliveries (account_id, webhook_id, attempts, next_ms)
    where next_ms is not null`,
  `create index deliveries_leased on deliveries (account_id, webhook_id, leased_until_ms)
    where leased_until_ms > 0`,
  `create table delivery_attempts (account_id text not null, event_seq bigint not null, webhook_id text not null,
    number integer not null, at_ms bigint not null, status_code integer, error text, duration_ms bigint not null,
    response text, primary key (account_id, event_seq, webhook_id, number)) without rowid`,
  `create table idempotency_keys (${account}, key text not null, request text not null, record_id text,
    client_id text, answer text, kept_ms bigint not null, primary key (account_id, key))`,
  'create index idempotency_keys_kept on idempotency_keys (account_id, kept_ms)',
  `create index idempotency_keys_client on idempotency_keys (account_id, client_id)
    where client_id is not null`,
  // Results of redeliveries, which may hold texts of any client.
  `create index idempotency_keys_redelivery on idempotency_keys (account_id)
    where record_id >= 'dlv_' and record_id < 'dlv\`'`,
  `create table merged_clients (${account}, seq bigint not null, id text not null, into_id text not null,
    merged_ms bigint not null, archive text, primary key (account_id, seq))`,
  'create index merged_clients_id on merged_clients (account_id, id)',
  'create index merged_clients_into on merged_clients (account_id, into_id)',
  'create index merged_clients_time on merged_clients (merged_ms) where archive is not null',
  `create table erasures (account_id text not null, id text not null, erased_ms bigint not null,
    primary key (account_id, id))`,
];

const identityTables = [
  `create table users (id text not null primary key, email text not null, email_key text not null unique,
    name text not null, password_hash text not null, totp_secret text, totp_step bigint, verified_at text,
    created_at text not null)`,
  `create table memberships (${account}, ${user}, role text not null, stylist_id text,
    created_at text not null, ended_at text, primary key (account_id, user_id))`,
  'create index memberships_user on memberships (user_id, account_id)',
  'create index memberships_stylist on memberships (account_id, stylist_id) where stylist_id is not null',
  `create table sessions (hash text not null primary key, id text not null unique, ${user}, ${account},
    created_ms bigint not null, last_used_ms bigint not null, expires_ms bigint not null,
    authenticated_ms bigint not null, address text, user_agent text,
    has_second_factor smallint not null default 0)`,
  'create index sessions_user on sessions (user_id, account_id)',
  'create index sessions_expiry on sessions (expires_ms)',
  `create table one_time_links (hash text not null primary key, id text not null unique, kind text not null,
    account_id text references accounts (id), user_id text references users (id), email text not null,
    email_key text not null, role text, stylist_id text, creator_id text, is_mailed smallint not null,
    removes_second_factor smallint not null, created_ms bigint not null, expires_ms bigint not null,
    used_ms bigint)`,
  'create index one_time_links_account on one_time_links (account_id, email_key)',
  'create index one_time_links_user on one_time_links (user_id)',
  'create table used_tickets (hash text not null primary key, expires_ms bigint not null)',
  'create index used_tickets_expiry on used_tickets (expires_ms)',
  'create table attempt_limits (key text not null primary key, until_ms bigint not null)',
  'create index attempt_limits_until on attempt_limits (until_ms)',
  `create table passkeys (id text not null primary key, ${user}, name text not null, public_key text not null,
    counter bigint not null, transports text not null, created_at text not null, last_used_at text)`,
  'create index passkeys_user on passkeys (user_id)',
  `create table recovery_codes (${user}, hash text not null, primary key (user_id, hash))`,
];

const oauthTables = [
  `create table oauth_clients (id text not null primary key, ${account}, name text not null, secret_hash text,
    flows text not null, redirect_uris text not null, scopes text not null, role text, created_by text,
    created_ms bigint not null, secret_by text)`,
  'create index oauth_clients_account on oauth_clients (account_id, created_ms)',
  `create table oauth_grants (id text not null primary key, ${account}, user_id text not null,
    client_id text not null, scopes text not null, address text, created_ms bigint not null,
    used_ms bigint not null, expires_ms bigint not null, revoked_ms bigint)`,
  'create index oauth_grants_member on oauth_grants (account_id, user_id)',
  'create index oauth_grants_expiry on oauth_grants (expires_ms)',
  'create index oauth_grants_client on oauth_grants (client_id)',
  `create table oauth_tokens (hash text not null primary key, model text not null, client_id text, grant_id text,
    scopes text, generation bigint, user_code_hash text, created_ms bigint not null, expires_ms bigint not null,
    consumed_ms bigint, payload text not null) without rowid`,
  'create index oauth_tokens_grant on oauth_tokens (grant_id, model, generation) where grant_id is not null',
  'create index oauth_tokens_client on oauth_tokens (client_id)',
  `create unique index oauth_tokens_user_code on oauth_tokens (user_code_hash)
    where user_code_hash is not null`,
  'create index oauth_tokens_expiry on oauth_tokens (expires_ms)',
];

/** The chain of the service itself has no account. */
const auditTables = [
  `create table audit_entries (account_id text not null, seq bigint not null, id text not null,
    at_ms bigint not null, action text not null, resource text not null, record_id text, client_id text,
    former_client_id text, actor_type text not null, actor_id text, actor_name text, via_type text, via_id text,
    via_name text, address text, request_id text, changes text, values_digest text, hash text not null,
    stored_bytes bigint not null default 0, primary key (account_id, seq))`,
  `create index audit_entries_refused on audit_entries (account_id, at_ms) where action = 'access.refused'`,
  `create table audit_values (account_id text not null, seq bigint not null, salt text not null,
    body text not null, primary key (account_id, seq)) without rowid`,
  `create table audit_links (account_id text not null, target text not null, seq bigint not null,
    primary key (account_id, target, seq)) without rowid`,
  `create table audit_hours (account_id text not null, hour bigint not null, first_seq bigint not null,
    last_seq bigint not null, primary key (account_id, hour)) without rowid`,
  'create table audit_indexed (account_id text not null primary key, seq bigint not null)',
  'create table audit_checkpoints (account_id text not null primary key, seq bigint not null, hash text not null)',
  `create table audit_settings (account_id text not null primary key references accounts (id),
    kept_days bigint not null)`,
];

const removeText = `insert into client_search (client_search, rowid, search) values ('delete', old.row, old.search)`;
const addText = 'insert into client_search (rowid, search) values (new.row, new.search)';

const sqliteParts = [
  // Texts that are too short or too common for the search index are found without reading the records.
  ...createIndexes('clients', ['search']),
  // The index holds which trigrams a text has, not where, so rows are checked again. An erased client's are removed from the
  // file, not only marked.
  `create virtual table client_search using fts5 (search, content = 'clients', content_rowid = 'row',
    tokenize = 'trigram', detail = none)`,
  "insert into client_search (client_search, rank) values ('secure-delete', 1)",
  `create trigger client_added after insert on clients begin ${addText}; end`,
  `create trigger client_removed after delete on clients begin ${removeText}; end`,
  `create trigger client_changed after update of search on clients when old.search <> new.search
    begin ${removeText}; ${addText}; end`,
  // The audit log is append-only: entries go only behind a checkpoint.
  ...['audit_entries', 'audit_values'].map(
    (table) => `create trigger ${table}_unchanged before update on ${table} begin
      select raise(abort, 'the audit log is append-only');
    end`,
  ),
  `create trigger audit_entries_kept before delete on audit_entries
    when old.seq > coalesce((select seq from audit_checkpoints where account_id = old.account_id), 0) begin
    select raise(abort, 'the audit log is append-only');
  end`,
];

const postgresParts = [
  // One row, locked by transactions on what belongs to no single account.
  'create table service_lock (id smallint not null primary key)',
  'insert into service_lock (id) values (1)',
];

/**
 * The tables of the first release. Keys of salon data begin with the account, so that a database can be divided by
 * accounts.
 */
export const baseline: readonly Statement[] = [
  ...accountTables,
  ...identityTables,
  ...recordTables,
  ...eventTables,
  ...oauthTables,
  ...auditTables,
  'create table database_settings (name text not null primary key, value text not null)',
  { sqlite: sqliteParts, postgres: postgresParts },
];

/** Every index starts with the account and ends with `seq`, so that filter, order and cursor are one range. */
export function createIndexes(table: string, columns: readonly string[]): string[] {
  return columns.map(
    (column) =>
      `create index ${table}_${column.replace(', ', '_')}_seq on ${table} (account_id, ${column}, seq)`,
  );
}

/**
 * The statements of one engine. PostgreSQL compares texts by code point, as SQLite does, and has no foreign keys, which
 * distributed databases lack or make slow.
 */
export function renderStatements(statements: readonly Statement[], kind: Engine['kind']): readonly string[] {
  return statements.flatMap((statement) => {
    const texts = typeof statement === 'string' ? [statement] : (statement[kind] ?? []);
    return kind === 'sqlite' ? texts : texts.map(toPostgres);
  });
}

function toPostgres(text: string): string {
  if (!/^(?:create|alter) table /.test(text)) return text;
  return text
    .replaceAll(/ text(?=[ ,)]|$)/g, ' text collate "C"')
    .replaceAll(/ references \w+ \(id\)/g, '')
    .replace(/ without rowid$/, '');
}
