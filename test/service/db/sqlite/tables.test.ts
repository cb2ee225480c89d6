import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { migrations } from '../../../../src/service/db/migrations.ts';
import { references } from '../../../../src/service/maintenance/check-rows.ts';
import { openTestDatabase } from '../../../support/database.ts';

/** What databases have been given: a change of one of these reaches none of them. */
const released = {
  '025-baseline': '53b067823ae9e2ae',
  '026-audit-indexes': 'a2f6535bb4725e88',
  '027-secret-expiry': '13a251cbfa5cc5e0',
  '028-salon-settings': '2882a823d491a756',
  '029-blocked-times': '154357c742876055',
  '030-services': 'eb943c544393650c',
  '031-prices': 'cff19ee18ff0b702',
  '032-folded-names': '5104027732a548bf',
  '033-waitlist': '48af8997a53e9c62',
  '034-request-counts': 'e22a60f828ed172b',
};

/** Each table, and the row of docs/personal-data.md on what it keeps about people. */
const personal = {
  accounts: undefined,
  api_keys: 'passwords, API keys',
  appointments: 'clients, appointments, payments',
  attempt_limits: undefined,
  audit_checkpoints: undefined,
  audit_entries: 'audit log',
  audit_settings: undefined,
  audit_values: 'audit log',
  blocked_times: 'blocked times: reason, note',
  clients: 'clients, appointments, payments',
  collections: undefined,
  deliveries: 'events, deliveries, their attempts',
  delivery_attempts: 'events, deliveries, their attempts',
  erasures: undefined,
  events: 'events, deliveries, their attempts',
  idempotency_keys: 'saved results of requests',
  memberships: 'people: name, email, role',
  merged_clients: 'merged duplicates',
  oauth_clients: undefined,
  oauth_grants: 'connected apps: rights, address',
  oauth_tokens: 'tokens of apps',
  one_time_links: 'one-time links, their email address',
  passkeys: 'passkeys, recovery codes',
  payments: 'clients, appointments, payments',
  rate_windows: undefined,
  recovery_codes: 'passkeys, recovery codes',
  request_counts: undefined,
  services: undefined,
  sessions: 'sessions: address, browser',
  stylists: 'stylists: name, working hours',
  used_tickets: undefined,
  users: 'people: name, email, role',
  waitlist_entries: 'waiting list: who, when, note',
  webhooks: 'authenticator seeds, webhook secrets',
};

/** Columns that name no row, or one that may be gone. */
const mayBeGone = [
  'request_counts.credential_id',
  'one_time_links.stylist_id',
  'one_time_links.creator_id',
  'deliveries.webhook_id',
  'idempotency_keys.record_id',
  'merged_clients.into_id',
  'oauth_grants.client_id',
  'oauth_tokens.client_id',
  'oauth_tokens.grant_id',
  'audit_entries.record_id',
  'audit_entries.actor_id',
  'audit_entries.via_id',
  'audit_entries.request_id',
];

/** Columns that name a client; src/service/domain/client-erasure.ts empties what their tables keep. */
const ofClients = [
  'appointments.client_id',
  'payments.client_id',
  'events.client_id',
  'events.former_client_id',
  'idempotency_keys.client_id',
  'audit_entries.client_id',
  'audit_entries.former_client_id',
];

const store = await openTestDatabase();
afterAll(() => store[Symbol.asyncDispose]());
const columns = readColumns(store.location.slice('sqlite:'.length));

describe('a released migration', () => {
  it('is never changed', () => {
    const digests = Object.entries(migrations).map(([name, statements]) => [
      name,
      createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16),
    ]);
    expect(Object.fromEntries(digests)).toEqual(released);
  });
});

describe('a table', () => {
  it('is described in docs/personal-data.md if it keeps something about people', () => {
    expect([...new Set(columns.map(([table]) => table))].sort()).toEqual(Object.keys(personal));
    const guide = readFileSync('docs/personal-data.md', 'utf8');
    for (const row of Object.values(personal))
      if (row !== undefined) expect(guide.match(/^\| .*?(?= +\|)/gm)).toContain(`| ${row}`);
  });

  it('has references that "salon server check" follows, or that may be gone', () => {
    const checked = references.flatMap(({ from, columns: pairs }) =>
      pairs.map((pair) => `${from}.${pair.split('=')[0]}`),
    );
    const found = columns
      .filter(([, column]) => /_id$/.test(column) && !/^(?:account|user)_id$/.test(column))
      .map((names) => names.join('.'));
    expect(found.filter((name) => !checked.includes(name)).sort()).toEqual(
      [...mayBeGone, ...ofClients].sort(),
    );
  });
});

/** All tables with their columns, without those of the engine, of migrations and of the search index. */
function readColumns(file: string): readonly (readonly [table: string, column: string])[] {
  using database = new DatabaseSync(file, { readOnly: true });
  const query = `select t.name as "table", c.name as "column" from sqlite_master as t, pragma_table_info(t.name) as c
    where t.type = 'table' and t.name not like 'sqlite_%' and t.name not like 'client_search%'`;
  return database
    .prepare(query)
    .all()
    .map((row) => [String(row['table']), String(row['column'])] as const)
    .filter(([table]) => !['salon_migrations', 'database_settings', 'kysely_migration'].includes(table));
}
