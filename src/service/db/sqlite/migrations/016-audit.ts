import { toMigration } from './statements.ts';

/** The audit log. The triggers make it append-only: entries go only behind a checkpoint. */
export const auditMigration = toMigration(
  `create table audit_entries (account_id text not null, seq integer not null, id text not null,
    at_ms integer not null, action text not null, resource text not null, record_id text, client_id text,
    former_client_id text, actor_type text not null, actor_id text, actor_name text, via_type text, via_id text,
    via_name text, address text, request_id text, changes text, values_digest text, hash text not null,
    primary key (account_id, seq))`,
  `create index audit_entries_refused on audit_entries (account_id, at_ms) where action = 'access.refused'`,
  `create table audit_values (account_id text not null, seq integer not null, salt text not null,
    body text not null, primary key (account_id, seq)) without rowid`,
  `create table audit_links (account_id text not null, target text not null, seq integer not null,
    primary key (account_id, target, seq)) without rowid`,
  `create table audit_hours (account_id text not null, hour integer not null, first_seq integer not null,
    last_seq integer not null, primary key (account_id, hour)) without rowid`,
  'create table audit_indexed (account_id text not null primary key, seq integer not null)',
  `create table audit_checkpoints (account_id text not null primary key, seq integer not null, hash text not null)`,
  `create table audit_settings (account_id text not null primary key references accounts (id),
    kept_days integer not null)`,
  `create trigger audit_entries_unchanged before update on audit_entries begin
    select raise(abort, 'the audit log is append-only');
  end`,
  `create trigger audit_entries_kept before delete on audit_entries
    when old.seq > coalesce((select seq from audit_checkpoints where account_id = old.account_id), 0) begin
    select raise(abort, 'the audit log is append-only');
  end`,
  `create trigger audit_values_unchanged before update on audit_values begin
    select raise(abort, 'the audit log is append-only');
  end`,
);
