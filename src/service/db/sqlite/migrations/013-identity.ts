import { toMigration } from './statements.ts';

const account = 'account_id text not null references accounts (id)';
const user = 'user_id text not null references users (id)';

/** People, their memberships and sessions, and the ways they sign in. */
export const identityMigration = toMigration(
  `create table users (id text not null primary key, email text not null, email_key text not null unique,
    name text not null, password_hash text not null, totp_secret text, totp_step integer, verified_at text,
    created_at text not null)`,
  `create table memberships (${account}, ${user}, role text not null, stylist_id text,
    created_at text not null, ended_at text, primary key (account_id, user_id))`,
  'create index memberships_user on memberships (user_id, account_id)',
  'create index memberships_stylist on memberships (account_id, stylist_id) where stylist_id is not null',
  `create table sessions (hash text not null primary key, id text not null unique, ${user}, ${account},
    created_ms integer not null, last_used_ms integer not null, expires_ms integer not null,
    authenticated_ms integer not null, address text, user_agent text)`,
  'create index sessions_user on sessions (user_id, account_id)',
  'create index sessions_expiry on sessions (expires_ms)',
  `create table one_time_links (hash text not null primary key, id text not null unique, kind text not null,
    account_id text references accounts (id), user_id text references users (id), email text not null,
    email_key text not null, role text, stylist_id text, creator_id text, is_mailed integer not null,
    removes_second_factor integer not null, created_ms integer not null, expires_ms integer not null,
    used_ms integer)`,
  'create index one_time_links_account on one_time_links (account_id, email_key)',
  'create index one_time_links_user on one_time_links (user_id)',
  'create table used_tickets (hash text not null primary key, expires_ms integer not null)',
  'create index used_tickets_expiry on used_tickets (expires_ms)',
  `create table attempt_limits (key text not null primary key, until_ms integer not null)`,
  'create index attempt_limits_until on attempt_limits (until_ms)',
  `create table passkeys (id text not null primary key, ${user}, name text not null, public_key text not null,
    counter integer not null, transports text not null, created_at text not null, last_used_at text)`,
  'create index passkeys_user on passkeys (user_id)',
  `create table recovery_codes (${user}, hash text not null, primary key (user_id, hash))`,
);
