pragma application_id = 1935764590;
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE accounts (id text not null primary key, name text not null, plan text not null,
      hourly_limit integer, created_at text not null, sandbox integer not null default 0, requires_second_factor integer not null default 0);
CREATE TABLE api_keys (account_id text not null references accounts (id), id text not null primary key, hash text not null unique, name text not null,
      role text not null, scopes text, stylist_id text, expires_at text, revoked_at text, created_at text not null, prefix text, created_by text, allowed_addresses text, last_used_ms integer, replaced_by text, lifetime_ms integer, created_with text);
CREATE TABLE rate_windows (account_id text not null references accounts (id), window_start integer not null, granted integer not null,
      primary key (account_id, window_start));
CREATE TABLE collections (account_id text not null references accounts (id), name text not null, version integer not null, last_seq integer not null,
      total integer not null, bytes integer not null default 0, primary key (account_id, name));
CREATE TABLE appointments (account_id text not null references accounts (id), seq integer not null, id text not null, created_ms integer not null,
  updated_ms integer not null, record text not null, client_id text not null, stylist_id text not null,
      status text not null, start_ms integer not null, end_ms integer not null, primary key (account_id, seq), unique (account_id, id));
CREATE TABLE stylists (account_id text not null references accounts (id), seq integer not null, id text not null, created_ms integer not null,
  updated_ms integer not null, record text not null, active integer not null, primary key (account_id, seq), unique (account_id, id));
CREATE TABLE payments (account_id text not null references accounts (id), seq integer not null, id text not null, created_ms integer not null,
  updated_ms integer not null, record text not null, client_id text, appointment_id text, stylist_id text,
      status text not null, primary key (account_id, seq), unique (account_id, id));
CREATE TABLE webhooks (account_id text not null references accounts (id), seq integer not null, id text not null, created_ms integer not null,
  updated_ms integer not null, record text not null, active integer not null, events text not null, secret text not null,
      former_secret text, former_secret_until_ms integer, primary key (account_id, seq), unique (account_id, id));
CREATE TABLE "clients" (row integer primary key, account_id text not null references accounts (id), seq integer not null, id text not null, created_ms integer not null,
  updated_ms integer not null, record text not null, last_name_key text not null, email text,
          phone_digits text, search text not null, unique (account_id, seq), unique (account_id, id));
CREATE TABLE users (id text not null primary key, email text not null, email_key text not null unique,
    name text not null, password_hash text not null, totp_secret text, totp_step integer, verified_at text,
    created_at text not null);
CREATE TABLE memberships (account_id text not null references accounts (id), user_id text not null references users (id), role text not null, stylist_id text,
    created_at text not null, ended_at text, primary key (account_id, user_id));
CREATE TABLE sessions (hash text not null primary key, id text not null unique, user_id text not null references users (id), account_id text not null references accounts (id),
    created_ms integer not null, last_used_ms integer not null, expires_ms integer not null,
    authenticated_ms integer not null, address text, user_agent text, has_second_factor integer not null default 0);
CREATE TABLE one_time_links (hash text not null primary key, id text not null unique, kind text not null,
    account_id text references accounts (id), user_id text references users (id), email text not null,
    email_key text not null, role text, stylist_id text, creator_id text, is_mailed integer not null,
    removes_second_factor integer not null, created_ms integer not null, expires_ms integer not null,
    used_ms integer);
CREATE TABLE used_tickets (hash text not null primary key, expires_ms integer not null);
CREATE TABLE attempt_limits (key text not null primary key, until_ms integer not null);
CREATE TABLE passkeys (id text not null primary key, user_id text not null references users (id), name text not null, public_key text not null,
    counter integer not null, transports text not null, created_at text not null, last_used_at text);
CREATE TABLE recovery_codes (user_id text not null references users (id), hash text not null, primary key (user_id, hash));
CREATE TABLE oauth_clients (id text not null primary key, account_id text not null references accounts (id),
    name text not null, secret_hash text, flows text not null, redirect_uris text not null, scopes text not null,
    role text, created_by text, created_ms integer not null, secret_by text);
CREATE TABLE oauth_grants (id text not null primary key, account_id text not null references accounts (id),
    user_id text not null, client_id text not null, scopes text not null, address text,
    created_ms integer not null, used_ms integer not null, expires_ms integer not null, revoked_ms integer);
CREATE TABLE oauth_tokens (hash text not null primary key, model text not null, client_id text, grant_id text,
    scopes text, generation integer, user_code_hash text, created_ms integer not null, expires_ms integer not null,
    consumed_ms integer, payload text not null) without rowid;
CREATE TABLE audit_entries (account_id text not null, seq integer not null, id text not null,
    at_ms integer not null, action text not null, resource text not null, record_id text, client_id text,
    former_client_id text, actor_type text not null, actor_id text, actor_name text, via_type text, via_id text,
    via_name text, address text, request_id text, changes text, values_digest text, hash text not null, stored_bytes integer not null default 0,
    primary key (account_id, seq));
CREATE TABLE audit_values (account_id text not null, seq integer not null, salt text not null,
    body text not null, primary key (account_id, seq)) without rowid;
CREATE TABLE audit_links (account_id text not null, target text not null, seq integer not null,
    primary key (account_id, target, seq)) without rowid;
CREATE TABLE audit_hours (account_id text not null, hour integer not null, first_seq integer not null,
    last_seq integer not null, primary key (account_id, hour)) without rowid;
CREATE TABLE audit_indexed (account_id text not null primary key, seq integer not null);
CREATE TABLE audit_checkpoints (account_id text not null primary key, seq integer not null, hash text not null);
CREATE TABLE audit_settings (account_id text not null primary key references accounts (id),
    kept_days integer not null);
CREATE TABLE events (account_id text not null references accounts (id), seq integer not null, id text not null, type text not null, client_id text,
    former_client_id text, created_ms integer not null, body text, stored_bytes integer not null,
    primary key (account_id, seq));
CREATE TABLE delivery_attempts (account_id text not null, event_seq integer not null, webhook_id text not null,
    number integer not null, at_ms integer not null, status_code integer, error text, duration_ms integer not null, response text,
    primary key (account_id, event_seq, webhook_id, number)) without rowid;
CREATE TABLE deliveries (account_id text not null references accounts (id), event_seq integer not null, webhook_id text not null, id text not null,
    type text not null, status text not null, attempts integer not null, next_ms integer,
    leased_until_ms integer not null default 0, created_ms integer not null, updated_ms integer not null,
    primary key (account_id, event_seq, webhook_id), unique (account_id, id)) without rowid;
CREATE TABLE idempotency_keys (account_id text not null references accounts (id), key text not null, request text not null, record_id text,
    client_id text, answer text, kept_ms integer not null, primary key (account_id, key));
CREATE TABLE merged_clients (account_id text not null references accounts (id), seq integer not null, id text not null, into_id text not null,
    merged_ms integer not null, archive text, primary key (account_id, seq));
CREATE TABLE erasures (account_id text not null, id text not null, erased_ms integer not null,
    primary key (account_id, id));
CREATE TABLE database_settings (name text not null primary key, value text not null);
insert into kysely_migration (name, timestamp) values ('001-first-tables', '2026-11-23T17:42:36.915Z');
insert into kysely_migration (name, timestamp) values ('002-changes', '2026-11-23T17:42:36.916Z');
insert into kysely_migration (name, timestamp) values ('003-smaller-blocks', '2026-11-23T17:42:36.917Z');
insert into kysely_migration (name, timestamp) values ('004-ordered-changes', '2026-11-23T17:42:36.918Z');
insert into kysely_migration (name, timestamp) values ('005-idempotency-keys', '2026-11-23T17:42:36.919Z');
insert into kysely_migration (name, timestamp) values ('006-payments', '2026-11-23T17:42:36.920Z');
insert into kysely_migration (name, timestamp) values ('007-webhooks', '2026-11-23T17:42:36.921Z');
insert into kysely_migration (name, timestamp) values ('008-no-changes', '2026-11-23T17:42:36.922Z');
insert into kysely_migration (name, timestamp) values ('009-client-search', '2026-11-23T17:42:36.923Z');
insert into kysely_migration (name, timestamp) values ('010-merged-clients', '2026-11-23T17:42:36.924Z');
insert into kysely_migration (name, timestamp) values ('011-search-texts', '2026-11-23T17:42:36.925Z');
insert into kysely_migration (name, timestamp) values ('012-working-hours', '2026-11-23T17:42:36.926Z');
insert into kysely_migration (name, timestamp) values ('013-identity', '2026-11-23T17:42:36.927Z');
insert into kysely_migration (name, timestamp) values ('014-api-keys', '2026-11-23T17:42:36.928Z');
insert into kysely_migration (name, timestamp) values ('015-oauth', '2026-11-23T17:42:36.929Z');
insert into kysely_migration (name, timestamp) values ('016-audit', '2026-11-23T17:42:36.930Z');
insert into kysely_migration (name, timestamp) values ('017-erasure', '2026-11-23T17:42:36.931Z');
insert into kysely_migration (name, timestamp) values ('018-account-keys', '2026-11-23T17:42:36.935Z');
insert into kysely_migration (name, timestamp) values ('019-database-settings', '2026-11-23T17:42:36.936Z');
insert into kysely_migration (name, timestamp) values ('020-secret-holders', '2026-11-23T17:42:36.937Z');
insert into kysely_migration (name, timestamp) values ('021-key-origins', '2026-11-23T17:42:36.938Z');
insert into kysely_migration (name, timestamp) values ('022-second-factors', '2026-11-23T17:42:36.939Z');
insert into kysely_migration (name, timestamp) values ('023-responses', '2026-11-23T17:42:36.940Z');
insert into kysely_migration (name, timestamp) values ('024-alike-letters', '2026-11-23T17:42:36.941Z');
insert into kysely_migration (name, timestamp) values ('025-no-row-counts', '2026-11-23T17:42:36.942Z');
insert into kysely_migration_lock (id, is_locked) values ('migration_lock', 0);
insert into accounts (id, name, plan, hourly_limit, created_at, sandbox, requires_second_factor) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'Test salon', 'pro', null, '2026-11-21T12:00:00.000Z', 0, 0);
insert into accounts (id, name, plan, hourly_limit, created_at, sandbox, requires_second_factor) values ('acc_01m7yzmhg00c5rcps4fy2212wv', 'Test salon', 'pro', null, '2026-11-21T12:00:00.000Z', 0, 0);
insert into api_keys (account_id, id, hash, name, role, scopes, stylist_id, expires_at, revoked_at, created_at, prefix, created_by, allowed_addresses, last_used_ms, replaced_by, lifetime_ms, created_with) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'key_1', 'hash_5', 'Till', 'owner', null, null, null, null, '2026-11-21T12:00:00.000Z', 'sk_1', 'usr_1', null, 5, null, null, null);
insert into rate_windows (account_id, window_start, granted) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 2);
insert into collections (account_id, name, version, last_seq, total, bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'clients', 6, 4, 2, 698);
insert into collections (account_id, name, version, last_seq, total, bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'appointments', 3, 1, 1, 346);
insert into collections (account_id, name, version, last_seq, total, bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'stylists', 1, 1, 1, 253);
insert into collections (account_id, name, version, last_seq, total, bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'payments', 2, 1, 1, 333);
insert into collections (account_id, name, version, last_seq, total, bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'webhooks', 1, 1, 1, 224);
insert into collections (account_id, name, version, last_seq, total, bytes) values ('acc_01m7yzmhg00c5rcps4fy2212wv', 'clients', 0, 0, 0, 0);
insert into collections (account_id, name, version, last_seq, total, bytes) values ('acc_01m7yzmhg00c5rcps4fy2212wv', 'appointments', 0, 0, 0, 0);
insert into collections (account_id, name, version, last_seq, total, bytes) values ('acc_01m7yzmhg00c5rcps4fy2212wv', 'stylists', 0, 0, 0, 0);
insert into collections (account_id, name, version, last_seq, total, bytes) values ('acc_01m7yzmhg00c5rcps4fy2212wv', 'payments', 0, 0, 0, 0);
insert into collections (account_id, name, version, last_seq, total, bytes) values ('acc_01m7yzmhg00c5rcps4fy2212wv', 'webhooks', 0, 0, 0, 0);
insert into appointments (account_id, seq, id, created_ms, updated_ms, record, client_id, stylist_id, status, start_ms, end_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 'apt_01m7yzmhg050dc1f5zrm7x7gam', 1795262400000, 1795262400002, '{"id":"apt_01m7yzmhg050dc1f5zrm7x7gam","client_id":"cli_01m7yzmhg01at42t30pn909xaq","stylist_id":"sty_01m7yzmhg0y2r1dct5t5cxdw7g","service":"Cut","start_time":"2026-12-01T09:00:00Z","duration":60,"status":"confirmed","notes":"Mia''s chair","cancellation_reason":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.002Z"}', 'cli_01m7yzmhg01at42t30pn909xaq', 'sty_01m7yzmhg0y2r1dct5t5cxdw7g', 'confirmed', 1796115600000, 1796119200000);
insert into stylists (account_id, seq, id, created_ms, updated_ms, record, active) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 'sty_01m7yzmhg0y2r1dct5t5cxdw7g', 1795262400000, 1795262400000, '{"first_name":"Sam","last_name":"Reed","display_name":"Sam","email":null,"phone":null,"active":true,"services":[],"working_hours":null,"id":"sty_01m7yzmhg0y2r1dct5t5cxdw7g","created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}', 1);
insert into payments (account_id, seq, id, created_ms, updated_ms, record, client_id, appointment_id, stylist_id, status) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 'pay_01m7yzmhg0mdxtv5261s8dttn5', 1795262400000, 1795262400001, '{"id":"pay_01m7yzmhg0mdxtv5261s8dttn5","client_id":"cli_01m7yzmhg01at42t30pn909xaq","appointment_id":"apt_01m7yzmhg050dc1f5zrm7x7gam","amount":500,"currency":"EUR","tip_amount":0,"method":"cash","status":"completed","refunded_amount":0,"reference":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.001Z"}', 'cli_01m7yzmhg01at42t30pn909xaq', 'apt_01m7yzmhg050dc1f5zrm7x7gam', 'sty_01m7yzmhg0y2r1dct5t5cxdw7g', 'completed');
insert into webhooks (account_id, seq, id, created_ms, updated_ms, record, active, events, secret, former_secret, former_secret_until_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 'whk_01m7yzmhg0npsphnfz7gestfmw', 1795262400000, 1795262400000, '{"id":"whk_01m7yzmhg0npsphnfz7gestfmw","url":"https://shop.example/hook","events":["*"],"description":null,"active":true,"disabled_reason":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}', 1, '["*"]', 'sealed:1:0614e406:njoagx0-O1Np2cNpbUcE1W0CS2KuM4rfn8KQMZpz_jAXnPtEWrg9q0ZyFd2EWtd6-IOUMW51bIKiDzTRGe98IRe9fib2XTfd7SxKDSJB', null, null);
insert into clients (row, account_id, seq, id, created_ms, updated_ms, record, last_name_key, email, phone_digits, search) values (1, 'acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 'cli_01m7yzmhg01at42t30pn909xaq', 1795262400000, 1795262400000, '{"id":"cli_01m7yzmhg01at42t30pn909xaq","first_name":"Zoë","last_name":"O’Hara","email":"zoe@example.com","phone":"+442079460018","birthday":null,"notes":null,"preferred_stylist_id":null,"tags":[],"email_marketing_consent":false,"sms_marketing_consent":false,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}', 'o’hara', 'zoe@example.com', '442079460018', 'zoe ohara
zoe@example.com
442079460018 02079460018');
insert into clients (row, account_id, seq, id, created_ms, updated_ms, record, last_name_key, email, phone_digits, search) values (3, 'acc_01m7yzmhg0thkrq5fb6f3qgky8', 3, 'cli_01m7yzmhg0hs4d3tfpgr2fdg0f', 1795262400000, 1795262400000, '{"id":"cli_01m7yzmhg0hs4d3tfpgr2fdg0f","first_name":"كريم","last_name":"على","email":null,"phone":null,"birthday":null,"notes":null,"preferred_stylist_id":null,"tags":[],"email_marketing_consent":false,"sms_marketing_consent":false,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}', 'على', null, null, 'کریم علی

');
insert into users (id, email, email_key, name, password_hash, totp_secret, totp_step, verified_at, created_at) values ('usr_1', 'Mia@example.com', 'mia@example.com', 'Mia', 'scrypt', null, null, '2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z');
insert into memberships (account_id, user_id, role, stylist_id, created_at, ended_at) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'usr_1', 'owner', null, '2026-11-21T12:00:00.000Z', null);
insert into sessions (hash, id, user_id, account_id, created_ms, last_used_ms, expires_ms, authenticated_ms, address, user_agent, has_second_factor) values ('hash_1', 'ses_1', 'usr_1', 'acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 2, 3, 4, '127.0.0.1', 'agent', 1);
insert into one_time_links (hash, id, kind, account_id, user_id, email, email_key, role, stylist_id, creator_id, is_mailed, removes_second_factor, created_ms, expires_ms, used_ms) values ('hash_2', 'inv_1', 'invitation', 'acc_01m7yzmhg0thkrq5fb6f3qgky8', null, 'a@example.com', 'a@example.com', 'manager', null, 'usr_1', 1, 0, 1, 2, null);
insert into used_tickets (hash, expires_ms) values ('hash_3', 1893456000000);
insert into attempt_limits (key, until_ms) values ('key_3', 1893456000000);
insert into passkeys (id, user_id, name, public_key, counter, transports, created_at, last_used_at) values ('psk_1', 'usr_1', 'Phone', 'public', 7, '[]', '2026-11-21T12:00:00.000Z', null);
insert into recovery_codes (user_id, hash) values ('usr_1', 'hash_4');
insert into oauth_clients (id, account_id, name, secret_hash, flows, redirect_uris, scopes, role, created_by, created_ms, secret_by) values ('app_1', 'acc_01m7yzmhg0thkrq5fb6f3qgky8', 'App', 'hash_6', '[]', '[]', '[]', null, 'usr_1', 1, 'usr_1');
insert into oauth_grants (id, account_id, user_id, client_id, scopes, address, created_ms, used_ms, expires_ms, revoked_ms) values ('grant_1', 'acc_01m7yzmhg0thkrq5fb6f3qgky8', 'usr_1', 'app_1', '[]', null, 1, 2, 3, null);
insert into oauth_tokens (hash, model, client_id, grant_id, scopes, generation, user_code_hash, created_ms, expires_ms, consumed_ms, payload) values ('hash_7', 'AccessToken', 'app_1', 'grant_1', '[]', 1, null, 1, 2, null, '{}');
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 'aud_01m7yzmhg08wg2ja35en6w8745', 1795262400000, 'account.created', 'account', 'acc_01m7yzmhg0thkrq5fb6f3qgky8', null, null, 'operator', null, null, null, null, null, null, null, '{"after":{"name":"Test salon","plan":"pro","hourly_limit":null,"sandbox":0,"created_at":"2026-11-21T12:00:00.000Z","requires_second_factor":0}}', null, 'gczBO78Y-mZ0kteVkMaPis7ritdgB3a78YfCva8ze7M', 143);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 2, 'aud_01m7yzmhg0as5smnfh3stnb93m', 1795262400000, 'webhook.created', 'webhook', 'whk_01m7yzmhg0npsphnfz7gestfmw', null, null, 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"after":{"url":"https://shop.example/hook","events":["*"],"description":null,"active":true,"disabled_reason":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}', null, 'KR323V8foZMOBJsukpqpVxI_bPGPEDhFNegFKd7QDFE', 339);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 3, 'aud_01m7yzmhg0wjs2x8qfcaadjf54', 1795262400000, 'client.created', 'client', 'cli_01m7yzmhg01at42t30pn909xaq', 'cli_01m7yzmhg01at42t30pn909xaq', null, 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"after":{"birthday":null,"notes":null,"preferred_stylist_id":null,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}', 'ZAzLjwyQk96950sfLQFT885oz4PgXigeWlXC7N-_L4w', 'JnWj7llPaOvY-lajuAt9HvK3jEpv0iptVUc1ok5d_uY', 682);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 4, 'aud_01m7yzmhg0qd5qgj0qm9r5ar5h', 1795262400000, 'client.created', 'client', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', null, 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"after":{"email":null,"phone":null,"birthday":null,"notes":null,"preferred_stylist_id":null,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}', '2rPhqJpWbJGwbBaiYc8icnrWzjrQQ_0Ng_zxIkjo8IA', 'EDtMjfbXJQ3kzvSqN9egfagRCqUC6VkZpytuyNtudO0', 997);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 5, 'aud_01m7yzmhg0v1qyv6kdgbqywbx7', 1795262400000, 'client.created', 'client', 'cli_01m7yzmhg0hs4d3tfpgr2fdg0f', 'cli_01m7yzmhg0hs4d3tfpgr2fdg0f', null, 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"after":{"email":null,"phone":null,"birthday":null,"notes":null,"preferred_stylist_id":null,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}', 'TixR7f6cUo7B5bZfWwn-xGqYpI7ZFzgnBCkSVK_iEK0', 'vuWjw0XjtW0tYDZUCkic9SH3uWX7uwb5su6hPSv2hXk', 1318);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 6, 'aud_01m7yzmhg036ykr5dd3hb7sk8z', 1795262400000, 'client.created', 'client', 'cli_01m7yzmhg076cdkmnhm55wtjwj', 'cli_01m7yzmhg076cdkmnhm55wtjwj', null, 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"after":{"last_name":null,"email":null,"phone":null,"birthday":null,"notes":null,"preferred_stylist_id":null,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}', 'gdHLQDfeFreN0pyNL9Susb1PxdhDmvzqR5EXvRDFwZc', 'n4Yh--rwMijC6JEseNqlu_nlCVR7TsAuOXTlwWarb8A', 1633);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 7, 'aud_01m7yzmhg0ztx22ym3v3t7ykk7', 1795262400000, 'appointment.created', 'appointment', 'apt_01m7yzmhg050dc1f5zrm7x7gam', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', null, 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"after":{"client_id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1","stylist_id":"sty_01m7yzmhg0y2r1dct5t5cxdw7g","service":"Cut","start_time":"2026-12-01T09:00:00Z","duration":60,"status":"confirmed","cancellation_reason":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}', 'HUnIISv8b5tnSvdWXXlaoS71qkB0LaGTkcBjYbZjeo0', 'ilC0AgUiNbmPtvaeaHUnlvsjgMLEnwRsWMCvWsLfQcc', 1975);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 8, 'aud_01m7yzmhg03wzag59hs6v9qfra', 1795262400000, 'appointment.updated', 'appointment', 'apt_01m7yzmhg050dc1f5zrm7x7gam', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', null, 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"before":{"updated_at":"2026-11-21T12:00:00.000Z"},"after":{"updated_at":"2026-11-21T12:00:00.001Z"}}', 'wu6Acss06x08nfEIhvl2iJpVvwzOeaSxE7Qpi1qdq0w', 'XeXoJHWHvTAMxfp9T-eHmV1XjGUya5yxmpMCkwXhcP4', 2156);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 9, 'aud_01m7yzmhg0mrpe4c9dmx3bsf9p', 1795262400000, 'payment.completed', 'payment', 'pay_01m7yzmhg0mdxtv5261s8dttn5', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', null, 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"after":{"client_id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1","appointment_id":"apt_01m7yzmhg050dc1f5zrm7x7gam","amount":500,"currency":"EUR","tip_amount":0,"method":"cash","status":"completed","refunded_amount":0,"reference":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}', null, '2rDi8Jc4rUkL369ce5NHpT18rYNDLlDNPcbmzRpeLpY', 2461);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 10, 'aud_01m7yzmhg0h6b0mwyz0xv0658m', 1795262400000, 'appointment.updated', 'appointment', 'apt_01m7yzmhg050dc1f5zrm7x7gam', 'cli_01m7yzmhg01at42t30pn909xaq', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"before":{"client_id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1","updated_at":"2026-11-21T12:00:00.001Z"},"after":{"client_id":"cli_01m7yzmhg01at42t30pn909xaq","updated_at":"2026-11-21T12:00:00.002Z"}}', null, 'MbpXLIqKlYRhTte-Z4Bez879iDn3s3s_Gl1n2qWXwTs', 2653);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 11, 'aud_01m7yzmhg0y5wd123gh3y3848w', 1795262400000, 'payment.updated', 'payment', 'pay_01m7yzmhg0mdxtv5261s8dttn5', 'cli_01m7yzmhg01at42t30pn909xaq', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"before":{"client_id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1","updated_at":"2026-11-21T12:00:00.000Z"},"after":{"client_id":"cli_01m7yzmhg01at42t30pn909xaq","updated_at":"2026-11-21T12:00:00.001Z"}}', null, 'o35VaBnhWAbawkZXtsGe9UsfCSstgnRL9-xqpnjj9l4', 2845);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 12, 'aud_01m7yzmhg0vr3m9w5hzrhvnskk', 1795262400000, 'client.merged', 'client', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', null, 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', '{"details":{"into":"cli_01m7yzmhg01at42t30pn909xaq"}}', null, 'PLYPz1V1be-gc_FmS6l61CD4TwazwqNrrEr9r_pFJQQ', 2898);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 13, 'aud_01m7yzmhg0gjqpxynm4n7fqfkz', 1795262400000, 'audit_values.erased', 'audit_values', 'cli_01m7yzmhg076cdkmnhm55wtjwj', null, null, 'service', null, null, null, null, null, null, null, '{"details":{"entries":1,"since":"1970-01-01T00:00:00.000Z"}}', null, 'fkfXUdeO0IqN6dkFjic9L7_Li8GqrKVukrpdm2EeHq4', 2958);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 14, 'aud_01m7yzmhg02qcdp42v7yz7frbk', 1795262400000, 'client.deleted', 'client', 'cli_01m7yzmhg076cdkmnhm55wtjwj', 'cli_01m7yzmhg076cdkmnhm55wtjwj', null, 'api_key', 'key_test', 'test', null, null, null, '127.0.0.1', 'req_test', null, null, 'D7jzg013L2WaHZ-zmzonPLU7Xh_qN6q3Xo1bkVE1MDE', 2958);
insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name, address, request_id, changes, values_digest, hash, stored_bytes) values ('acc_01m7yzmhg00c5rcps4fy2212wv', 1, 'aud_01m7yzmhg0y7y4hnj14p99jrdd', 1795262400000, 'account.created', 'account', 'acc_01m7yzmhg00c5rcps4fy2212wv', null, null, 'operator', null, null, null, null, null, null, null, '{"after":{"name":"Test salon","plan":"pro","hourly_limit":null,"sandbox":0,"created_at":"2026-11-21T12:00:00.000Z","requires_second_factor":0}}', null, 'lP8CmcIh5EfxTD8dUjUsL4hTf9iXHKlWHI-UyfXsWbA', 143);
insert into audit_values (account_id, seq, salt, body) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 3, 'SULu5A5ir2pw1r2YkG4mbw', '{"after":{"first_name":"Zoë","last_name":"O’Hara","email":"zoe@example.com","phone":"+442079460018","tags":[],"email_marketing_consent":false,"sms_marketing_consent":false}}');
insert into audit_values (account_id, seq, salt, body) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 4, 'C6sc1XXkCCCGtkACj2rp3A', '{"after":{"first_name":"Zoe","last_name":"OHara","tags":[],"email_marketing_consent":false,"sms_marketing_consent":false}}');
insert into audit_values (account_id, seq, salt, body) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 5, 'hiaNpdAcwzQaJU0bbmA8jQ', '{"after":{"first_name":"كريم","last_name":"على","tags":[],"email_marketing_consent":false,"sms_marketing_consent":false}}');
insert into audit_values (account_id, seq, salt, body) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 7, 'qSLUUXVx86QVKyW6UA1Ybw', '{"after":{"notes":"Window “seat”; \\ \t"}}');
insert into audit_values (account_id, seq, salt, body) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 8, 'q912Iw7lcPrEdycjrymORg', '{"before":{"notes":"Window “seat”; \\ \t"},"after":{"notes":"Mia''s chair"}}');
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 'evt_01m7yzmhg0ab9z1cdtgd0hhtx0', 'client.created', 'cli_01m7yzmhg01at42t30pn909xaq', null, 1795262400000, '{"id":"evt_01m7yzmhg0ab9z1cdtgd0hhtx0","type":"client.created","timestamp":"2026-11-21T12:00:00.000Z","api_version":"v1.0","data":{"resource":"client","object":{"id":"cli_01m7yzmhg01at42t30pn909xaq","first_name":"Zoë","last_name":"O’Hara","email":"zoe@example.com","phone":"+442079460018","birthday":null,"notes":null,"preferred_stylist_id":null,"tags":[],"email_marketing_consent":false,"sms_marketing_consent":false,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}}', 522);
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 2, 'evt_01m7yzmhg0p2rjazrhdxq01yem', 'client.created', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', null, 1795262400000, '{"id":"evt_01m7yzmhg0p2rjazrhdxq01yem","type":"client.created","timestamp":"2026-11-21T12:00:00.000Z","api_version":"v1.0","data":{"resource":"client","object":{"id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1","first_name":"Zoe","last_name":"OHara","email":null,"phone":null,"birthday":null,"notes":null,"preferred_stylist_id":null,"tags":[],"email_marketing_consent":false,"sms_marketing_consent":false,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}}', 1016);
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 3, 'evt_01m7yzmhg0yk6kbs5ntzj7vq9q', 'client.created', 'cli_01m7yzmhg0hs4d3tfpgr2fdg0f', null, 1795262400000, '{"id":"evt_01m7yzmhg0yk6kbs5ntzj7vq9q","type":"client.created","timestamp":"2026-11-21T12:00:00.000Z","api_version":"v1.0","data":{"resource":"client","object":{"id":"cli_01m7yzmhg0hs4d3tfpgr2fdg0f","first_name":"كريم","last_name":"على","email":null,"phone":null,"birthday":null,"notes":null,"preferred_stylist_id":null,"tags":[],"email_marketing_consent":false,"sms_marketing_consent":false,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}}', 1516);
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 4, 'evt_01m7yzmhg0tdwhavhtsf33de74', 'client.created', 'cli_01m7yzmhg076cdkmnhm55wtjwj', null, 1795262400000, null, 2010);
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 5, 'evt_01m7yzmhg0cq7karbk2y7yp0j5', 'booking.created', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', null, 1795262400000, '{"id":"evt_01m7yzmhg0cq7karbk2y7yp0j5","type":"booking.created","timestamp":"2026-11-21T12:00:00.000Z","api_version":"v1.0","data":{"resource":"appointment","object":{"id":"apt_01m7yzmhg050dc1f5zrm7x7gam","client_id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1","stylist_id":"sty_01m7yzmhg0y2r1dct5t5cxdw7g","service":"Cut","start_time":"2026-12-01T09:00:00Z","duration":60,"status":"confirmed","notes":"Window “seat”; \\ \t","cancellation_reason":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}}', 2537);
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 6, 'evt_01m7yzmhg0p153wa82szc25x04', 'booking.updated', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', null, 1795262400000, '{"id":"evt_01m7yzmhg0p153wa82szc25x04","type":"booking.updated","timestamp":"2026-11-21T12:00:00.000Z","api_version":"v1.0","data":{"resource":"appointment","object":{"id":"apt_01m7yzmhg050dc1f5zrm7x7gam","client_id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1","stylist_id":"sty_01m7yzmhg0y2r1dct5t5cxdw7g","service":"Cut","start_time":"2026-12-01T09:00:00Z","duration":60,"status":"confirmed","notes":"Mia''s chair","cancellation_reason":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.001Z"},"previous_attributes":{"notes":"Window “seat”; \\ \t"}}}', 3110);
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 7, 'evt_01m7yzmhg0pqqt7e4p1h8atzwn', 'payment.completed', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', null, 1795262400000, '{"id":"evt_01m7yzmhg0pqqt7e4p1h8atzwn","type":"payment.completed","timestamp":"2026-11-21T12:00:00.000Z","api_version":"v1.0","data":{"resource":"payment","object":{"id":"pay_01m7yzmhg0mdxtv5261s8dttn5","client_id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1","appointment_id":"apt_01m7yzmhg050dc1f5zrm7x7gam","amount":500,"currency":"EUR","tip_amount":0,"method":"cash","status":"completed","refunded_amount":0,"reference":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"}}}', 3609);
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 8, 'evt_01m7yzmhg0vh5d7r7venf3hzxy', 'booking.updated', 'cli_01m7yzmhg01at42t30pn909xaq', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', 1795262400000, '{"id":"evt_01m7yzmhg0vh5d7r7venf3hzxy","type":"booking.updated","timestamp":"2026-11-21T12:00:00.000Z","api_version":"v1.0","data":{"resource":"appointment","object":{"id":"apt_01m7yzmhg050dc1f5zrm7x7gam","client_id":"cli_01m7yzmhg01at42t30pn909xaq","stylist_id":"sty_01m7yzmhg0y2r1dct5t5cxdw7g","service":"Cut","start_time":"2026-12-01T09:00:00Z","duration":60,"status":"confirmed","notes":"Mia''s chair","cancellation_reason":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.002Z"},"previous_attributes":{"client_id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1"}}}', 4192);
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 9, 'evt_01m7yzmhg03ejc50qvsdzaw2kv', 'payment.updated', 'cli_01m7yzmhg01at42t30pn909xaq', 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', 1795262400000, '{"id":"evt_01m7yzmhg03ejc50qvsdzaw2kv","type":"payment.updated","timestamp":"2026-11-21T12:00:00.000Z","api_version":"v1.0","data":{"resource":"payment","object":{"id":"pay_01m7yzmhg0mdxtv5261s8dttn5","client_id":"cli_01m7yzmhg01at42t30pn909xaq","appointment_id":"apt_01m7yzmhg050dc1f5zrm7x7gam","amount":500,"currency":"EUR","tip_amount":0,"method":"cash","status":"completed","refunded_amount":0,"reference":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.001Z"},"previous_attributes":{"client_id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1"}}}', 4758);
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 10, 'evt_01m7yzmhg0k2mtyz8na5mx3ckt', 'client.deleted', null, null, 1795262400000, '{"id":"evt_01m7yzmhg0k2mtyz8na5mx3ckt","type":"client.deleted","timestamp":"2026-11-21T12:00:00.000Z","api_version":"v1.0","data":{"resource":"client","object":{"id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1","deleted":true}}}', 4974);
insert into events (account_id, seq, id, type, client_id, former_client_id, created_ms, body, stored_bytes) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 11, 'evt_01m7yzmhg0p9d3ezzgvft1y7tg', 'client.deleted', null, null, 1795262400000, '{"id":"evt_01m7yzmhg0p9d3ezzgvft1y7tg","type":"client.deleted","timestamp":"2026-11-21T12:00:00.000Z","api_version":"v1.0","data":{"resource":"client","object":{"id":"cli_01m7yzmhg076cdkmnhm55wtjwj","deleted":true}}}', 5190);
insert into delivery_attempts (account_id, event_seq, webhook_id, number, at_ms, status_code, error, duration_ms, response) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 'whk_01m7yzmhg0npsphnfz7gestfmw', 1, 2, 500, null, 3, 'no');
insert into delivery_attempts (account_id, event_seq, webhook_id, number, at_ms, status_code, error, duration_ms, response) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 4, 'whk_01m7yzmhg0npsphnfz7gestfmw', 1, 1795262400000, null, 'The client was erased.', 0, null);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg058tam2mf3gvjb0ng', 'client.created', 'pending', 0, 1795262400000, 0, 1795262400000, 1795262400000);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 2, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg0m41b3n8habwyy26y', 'client.created', 'pending', 0, 1795262400000, 0, 1795262400000, 1795262400000);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 3, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg0yy4kx5n4ddt84wby', 'client.created', 'pending', 0, 1795262400000, 0, 1795262400000, 1795262400000);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 4, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg0s9ys242ghey36dx0', 'client.created', 'failed', 0, null, 0, 1795262400000, 1795262400000);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 5, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg0rrgcyhbtfzpnpae3', 'booking.created', 'pending', 0, 1795262400000, 0, 1795262400000, 1795262400000);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 6, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg0ad09kn2vbatk5jxq', 'booking.updated', 'pending', 0, 1795262400000, 0, 1795262400000, 1795262400000);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 7, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg0jcvy4gf9vygkwrtk', 'payment.completed', 'pending', 0, 1795262400000, 0, 1795262400000, 1795262400000);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 8, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg0tj1xf6w7jhs6fvdb', 'booking.updated', 'pending', 0, 1795262400000, 0, 1795262400000, 1795262400000);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 9, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg0qyxs6by06tjajax0', 'payment.updated', 'pending', 0, 1795262400000, 0, 1795262400000, 1795262400000);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 10, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg0ap673atynfeyt0mz', 'client.deleted', 'pending', 0, 1795262400000, 0, 1795262400000, 1795262400000);
insert into deliveries (account_id, event_seq, webhook_id, id, type, status, attempts, next_ms, leased_until_ms, created_ms, updated_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 11, 'whk_01m7yzmhg0npsphnfz7gestfmw', 'dlv_01m7yzmhg05mw5fv9g1s2am48m', 'client.deleted', 'pending', 0, 1795262400000, 0, 1795262400000, 1795262400000);
insert into idempotency_keys (account_id, key, request, record_id, client_id, answer, kept_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'idem_1', 'digest', 'cli_01m7yzmhg01at42t30pn909xaq', 'cli_01m7yzmhg01at42t30pn909xaq', '{}', 1);
insert into merged_clients (account_id, seq, id, into_id, merged_ms, archive) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 1, 'cli_01m7yzmhg0nmbj7ynn0kehe1d1', 'cli_01m7yzmhg01at42t30pn909xaq', 1795262400000, '{"from":{"id":"cli_01m7yzmhg0nmbj7ynn0kehe1d1","first_name":"Zoe","last_name":"OHara","email":null,"phone":null,"birthday":null,"notes":null,"preferred_stylist_id":null,"tags":[],"email_marketing_consent":false,"sms_marketing_consent":false,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"},"seq":2,"before":{"id":"cli_01m7yzmhg01at42t30pn909xaq","first_name":"Zoë","last_name":"O’Hara","email":"zoe@example.com","phone":"+442079460018","birthday":null,"notes":null,"preferred_stylist_id":null,"tags":[],"email_marketing_consent":false,"sms_marketing_consent":false,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"},"after":{"id":"cli_01m7yzmhg01at42t30pn909xaq","first_name":"Zoë","last_name":"O’Hara","email":"zoe@example.com","phone":"+442079460018","birthday":null,"notes":null,"preferred_stylist_id":null,"tags":[],"email_marketing_consent":false,"sms_marketing_consent":false,"external_id":null,"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.000Z"},"appointments":["apt_01m7yzmhg050dc1f5zrm7x7gam"],"payments":["pay_01m7yzmhg0mdxtv5261s8dttn5"]}');
insert into erasures (account_id, id, erased_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'cli_01m7yzmhg076cdkmnhm55wtjwj', 1795262400000);
insert into erasures (account_id, id, erased_ms) values ('acc_01m7yzmhg0thkrq5fb6f3qgky8', 'ers_1', 1893456000000);
insert into database_settings (name, value) values ('minimum_version', '025');
CREATE INDEX appointments_created_ms_seq on appointments (account_id, created_ms, seq);
CREATE INDEX appointments_updated_ms_seq on appointments (account_id, updated_ms, seq);
CREATE INDEX appointments_start_ms_seq on appointments (account_id, start_ms, seq);
CREATE INDEX appointments_client_id_seq on appointments (account_id, client_id, seq);
CREATE INDEX appointments_stylist_id_seq on appointments (account_id, stylist_id, seq);
CREATE INDEX appointments_stylist_id_start_ms_seq on appointments (account_id, stylist_id, start_ms, seq);
CREATE INDEX appointments_status_seq on appointments (account_id, status, seq);
CREATE INDEX payments_created_ms_seq on payments (account_id, created_ms, seq);
CREATE INDEX payments_updated_ms_seq on payments (account_id, updated_ms, seq);
CREATE INDEX payments_client_id_seq on payments (account_id, client_id, seq);
CREATE INDEX payments_appointment_id_seq on payments (account_id, appointment_id, seq);
CREATE INDEX payments_stylist_id_seq on payments (account_id, stylist_id, seq);
CREATE INDEX payments_status_seq on payments (account_id, status, seq);
CREATE INDEX clients_created_ms_seq on clients (account_id, created_ms, seq);
CREATE INDEX clients_updated_ms_seq on clients (account_id, updated_ms, seq);
CREATE INDEX clients_last_name_key_seq on clients (account_id, last_name_key, seq);
CREATE INDEX clients_email_seq on clients (account_id, email, seq);
CREATE INDEX clients_phone_digits_seq on clients (account_id, phone_digits, seq);
CREATE INDEX clients_search_seq on clients (account_id, search, seq);
CREATE INDEX memberships_user on memberships (user_id, account_id);
CREATE INDEX memberships_stylist on memberships (account_id, stylist_id) where stylist_id is not null;
CREATE INDEX sessions_user on sessions (user_id, account_id);
CREATE INDEX sessions_expiry on sessions (expires_ms);
CREATE INDEX one_time_links_account on one_time_links (account_id, email_key);
CREATE INDEX one_time_links_user on one_time_links (user_id);
CREATE INDEX used_tickets_expiry on used_tickets (expires_ms);
CREATE INDEX attempt_limits_until on attempt_limits (until_ms);
CREATE INDEX passkeys_user on passkeys (user_id);
CREATE INDEX api_keys_account on api_keys (account_id, id);
CREATE INDEX oauth_clients_account on oauth_clients (account_id, created_ms);
CREATE INDEX oauth_grants_member on oauth_grants (account_id, user_id);
CREATE INDEX oauth_grants_expiry on oauth_grants (expires_ms);
CREATE INDEX oauth_grants_client on oauth_grants (client_id);
CREATE INDEX oauth_tokens_grant on oauth_tokens (grant_id, model, generation) where grant_id is not null;
CREATE INDEX oauth_tokens_client on oauth_tokens (client_id);
CREATE UNIQUE INDEX oauth_tokens_user_code on oauth_tokens (user_code_hash) where user_code_hash is not null;
CREATE INDEX oauth_tokens_expiry on oauth_tokens (expires_ms);
CREATE INDEX audit_entries_refused on audit_entries (account_id, at_ms) where action = 'access.refused';
CREATE INDEX events_client on events (account_id, client_id) where client_id is not null;
CREATE INDEX events_former_client on events (account_id, former_client_id)
    where former_client_id is not null;
CREATE INDEX deliveries_webhook on deliveries (account_id, webhook_id, event_seq);
CREATE INDEX deliveries_due on deliveries (account_id, webhook_id, attempts, next_ms)
    where next_ms is not null;
CREATE INDEX deliveries_leased on deliveries (account_id, webhook_id, leased_until_ms)
    where leased_until_ms > 0;
CREATE INDEX idempotency_keys_kept on idempotency_keys (account_id, kept_ms);
CREATE INDEX idempotency_keys_client on idempotency_keys (account_id, client_id)
    where client_id is not null;
CREATE INDEX idempotency_keys_redelivery on idempotency_keys (account_id)
    where record_id >= 'dlv_' and record_id < 'dlv`';
CREATE INDEX merged_clients_id on merged_clients (account_id, id);
CREATE INDEX merged_clients_into on merged_clients (account_id, into_id);
CREATE INDEX merged_clients_time on merged_clients (merged_ms) where archive is not null;
CREATE INDEX api_keys_created_with on api_keys (account_id, created_with) where created_with is not null;
CREATE VIRTUAL TABLE client_search using fts5 (search, content = 'clients', content_rowid = 'row',
      tokenize = 'trigram', detail = none);
insert into client_search (client_search, rank) values ('secure-delete', 1);
insert into client_search (client_search) values ('rebuild');
CREATE TRIGGER client_added after insert on clients begin insert into client_search (rowid, search) values (new.row, new.search); end;
CREATE TRIGGER client_removed after delete on clients begin insert into client_search (client_search, rowid, search) values ('delete', old.row, old.search); end;
CREATE TRIGGER client_changed after update of search on clients when old.search <> new.search
      begin insert into client_search (client_search, rowid, search) values ('delete', old.row, old.search); insert into client_search (rowid, search) values (new.row, new.search); end;
CREATE TRIGGER audit_entries_kept before delete on audit_entries
    when old.seq > coalesce((select seq from audit_checkpoints where account_id = old.account_id), 0) begin
    select raise(abort, 'the audit log is append-only');
  end;
CREATE TRIGGER audit_values_unchanged before update on audit_values begin
    select raise(abort, 'the audit log is append-only');
  end;
CREATE TRIGGER audit_entries_unchanged before update on audit_entries begin
    select raise(abort, 'the audit log is append-only');
  end;
