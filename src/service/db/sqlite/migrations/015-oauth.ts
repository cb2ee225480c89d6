import { toMigration } from './statements.ts';

/** OAuth clients, grants and tokens. */
export const oauthMigration = toMigration(
  `create table oauth_clients (id text not null primary key, account_id text not null references accounts (id),
    name text not null, secret_hash text, flows text not null, redirect_uris text not null, scopes text not null,
    role text, created_by text, created_ms integer not null)`,
  'create index oauth_clients_account on oauth_clients (account_id, created_ms)',
  `create table oauth_grants (id text not null primary key, account_id text not null references accounts (id),
    user_id text not null, client_id text not null, scopes text not null, address text,
    created_ms integer not null, used_ms integer not null, expires_ms integer not null, revoked_ms integer)`,
  'create index oauth_grants_member on oauth_grants (account_id, user_id)',
  'create index oauth_grants_expiry on oauth_grants (expires_ms)',
  'create index oauth_grants_client on oauth_grants (client_id)',
  `create table oauth_tokens (hash text not null primary key, model text not null, client_id text, grant_id text,
    scopes text, generation integer, user_code_hash text, created_ms integer not null, expires_ms integer not null,
    consumed_ms integer, payload text not null) without rowid`,
  'create index oauth_tokens_grant on oauth_tokens (grant_id, model, generation) where grant_id is not null',
  'create index oauth_tokens_client on oauth_tokens (client_id)',
  'create unique index oauth_tokens_user_code on oauth_tokens (user_code_hash) where user_code_hash is not null',
  'create index oauth_tokens_expiry on oauth_tokens (expires_ms)',
);
