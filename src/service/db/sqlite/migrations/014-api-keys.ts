import { toMigration } from './statements.ts';

/** Creators, last use and address lists of API keys, and sandbox accounts. */
export const apiKeysMigration = toMigration(
  'alter table accounts add column sandbox integer not null default 0',
  'alter table api_keys add column prefix text',
  'alter table api_keys add column created_by text',
  'alter table api_keys add column allowed_addresses text',
  'alter table api_keys add column last_used_ms integer',
  'alter table api_keys add column replaced_by text',
  // A later roll gives the new key the same lifetime.
  'alter table api_keys add column lifetime_ms integer',
  `update api_keys set lifetime_ms = cast(round((julianday(expires_at) - julianday(created_at)) * 86400000) as integer)
    where expires_at is not null`,
  'create index api_keys_account on api_keys (account_id, id)',
);
