import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, it } from 'vitest';
import { openDatabase, readSnapshot, transferDatabase } from '../../../src/service/db/database.ts';
import { minimumVersion } from '../../../src/service/db/schema-version.ts';
import { createDialect } from '../../../src/service/db/sqlite/dialect.ts';
import { migrations } from '../../../src/service/db/sqlite/migrations/migrations.ts';
import { createStatements } from '../../../src/service/db/sqlite/statements.ts';
import { copySalon } from '../../../src/service/maintenance/backup.ts';
import { createEmptyDatabase, createTestFolder } from '../../support/database.ts';
import { isPostgres } from '../../support/postgres.ts';

type Row = Record<string, string | number | null>;
type Tables = Record<string, readonly Row[]>;

const accounts = ['acc_1', 'acc_2'];
const collectionNames = ['clients', 'appointments', 'stylists', 'payments', 'webhooks', 'other'];
const rowsPerTable = 12;
/** Columns whose values other tables refer to. */
const references: Readonly<Record<string, (row: number) => Row[string]>> = {
  account_id: (row) => accounts[row % 2] ?? null,
  user_id: (row) => `users.id.${row}`,
  delivery_id: (row) => `deliveries.id.${row % 7}`,
};
/** States that are moved or counted differently. */
const states: Readonly<Record<string, (row: number) => Row[string]>> = {
  'accounts.id': (row) => accounts[row] ?? null,
  'collections.name': (row) => collectionNames[row >> 1] ?? null,
  'deliveries.status': (row) => ['pending', 'pending', 'delivered', 'failed', 'cancelled'][row % 5] ?? null,
  'deliveries.next_ms': (row) => (row % 5 < 2 ? row : null),
  'deliveries.leased_until_ms': (row) => (row % 5 === 1 ? row : 0),
  'events.body': (row) => (row % 4 === 3 ? null : 'Zoë'.repeat(row)),
  'idempotency_keys.answer': (row) => (row % 3 === 0 ? null : `{"id":"${row}"}`),
  'merged_clients.archive': (row) => (row % 3 === 0 ? null : 'é'.repeat(row)),
  'audit_entries.changes': (row) => (row % 3 === 0 ? null : `["é${row}"]`),
};

/** Creates the tables of the version before account keys, and fills them. */
async function createEarlierDatabase<Result>(
  file: string,
  fill: (sqlite: DatabaseSync) => Result,
): Promise<Result> {
  writeFileSync(file, '', { mode: 0o600 });
  const sqlite = new DatabaseSync(file);
  sqlite.exec(`pragma application_id = ${0x73616c6e}`);
  const db = new Kysely<unknown>({ dialect: createDialect(sqlite, createStatements(sqlite)) });
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider }).migrateTo('017-erasure');
  expect(error).toBeUndefined();
  const result = fill(sqlite);
  await db.destroy();
  return result;
}

/** Fills every table with rows whose values are all different, except for references and states. */
function fillAll(sqlite: DatabaseSync): Tables {
  const listed = sqlite
    .prepare("select name from sqlite_master where type = 'table' and name not glob 'client_search*'")
    .all();
  const names = listed.map(({ name }) => String(name)).filter((name) => !name.startsWith('kysely'));
  sqlite.exec('pragma foreign_keys = off');
  const filled = Object.fromEntries(names.map((name) => [name, fillTable(sqlite, name)]));
  expect(sqlite.prepare('pragma foreign_key_check').all()).toEqual([]);
  return filled;
}

function fillTable(sqlite: DatabaseSync, table: string): readonly Row[] {
  sqlite.exec(`delete from ${table}`);
  const columns = sqlite.prepare('select name, type, pk from pragma_table_info(?)').all(table);
  const insert = sqlite.prepare(`insert into ${table} values (${columns.map(() => '?').join(', ')})`);
  const keys = columns.filter(({ pk }) => pk !== 0).map(({ name }) => name);
  const isOnePerAccount = table === 'accounts' || (keys.length === 1 && keys[0] === 'account_id');
  return Array.from({ length: isOnePerAccount ? accounts.length : rowsPerTable }, (_, index) => {
    const entries = columns.map(({ name, type }, place): [string, string | number | null] => {
      const key = `${table}.${name}`;
      const value = states[key] ?? references[String(name)];
      if (value !== undefined) return [String(name), value(index)];
      return [String(name), type === 'INTEGER' ? place * 100 + index : `${key}.${index}`];
    });
    insert.run(...entries.map(([, value]) => value));
    return Object.fromEntries(entries);
  });
}

/** What the rows of an earlier version become: running totals of bytes, new columns, no row counts. */
function toCurrent({ deliveries = [], blocks: _, ...tables }: Tables): Tables {
  const { events = [], delivery_attempts = [], audit_entries = [], audit_values = [], ...same } = tables;
  const { idempotency_keys = [], collections = [], erasures = [], clients = [], oauth_clients = [] } = tables;
  const { accounts = [], sessions = [], api_keys = [] } = tables;
  const records: Tables = same;
  return {
    ...same,
    accounts: accounts.map((account) => ({ ...account, requires_second_factor: 0 })),
    sessions: sessions.map((session) => ({ ...session, has_second_factor: 0 })),
    api_keys: api_keys.map((key) => ({ ...key, created_with: null })),
    clients: clients.map(({ row: _, ...client }) => client),
    oauth_clients: oauth_clients.map((client) => ({ ...client, secret_by: null })),
    events: addTotals(events, ({ body }) => toBytes(body)),
    deliveries: deliveries.map(({ seq: _, ...delivery }) => delivery),
    delivery_attempts: delivery_attempts.map(({ delivery_id, ...attempt }) => {
      const of = deliveries.find(({ id }) => id === delivery_id) ?? {};
      const { account_id = null, event_seq = null, webhook_id = null } = of;
      return { account_id, event_seq, webhook_id, ...attempt, response: null };
    }),
    idempotency_keys: idempotency_keys.map(({ seq: _, ...key }) => key),
    erasures: erasures.map(({ seq, ...erasure }) => ({
      account_id: 'service',
      id: `ers_${seq}`,
      ...erasure,
    })),
    collections: collections.map((collection) => {
      const rows = records[String(collection['name'])] ?? [];
      const own = rows.filter(({ account_id }) => account_id === collection['account_id']);
      return { ...collection, bytes: own.reduce((sum, { record }) => sum + toBytes(record), 0) };
    }),
    audit_entries: addTotals(audit_entries, (entry) => {
      const values = audit_values.filter(
        ({ account_id, seq }) => account_id === entry['account_id'] && seq === entry['seq'],
      );
      return toBytes(entry['changes']) + values.reduce((sum, { body }) => sum + toBytes(body), 0);
    }),
    audit_values,
    database_settings: [{ name: 'minimum_version', value: minimumVersion }],
  };
}

function addTotals(rows: readonly Row[], measure: (row: Row) => number): Row[] {
  const totals = new Map<unknown, number>();
  return rows.map((row) => {
    const stored_bytes = (totals.get(row['account_id']) ?? 0) + measure(row);
    totals.set(row['account_id'], stored_bytes);
    return { ...row, stored_bytes };
  });
}

function toBytes(text: Row[string] | undefined): number {
  return Buffer.byteLength(String(text ?? ''));
}

/** Every row of a database, in any order. */
function readAll(location: string): Promise<Tables> {
  return readSnapshot(location, async ({ readTables, readRows }) => {
    const found: Record<string, readonly Row[]> = {};
    for (const table of (await readTables()).keys()) {
      if (/migration|service_lock|client_search/.test(table)) continue;
      const rows: Row[] = [];
      for await (const batch of readRows<Row>(`select * from ${table}`)) {
        for (const { row: _, ...values } of batch) rows.push(values);
      }
      found[table] = rows;
    }
    return found;
  });
}

/** A text for each row, sorted, so that neither the order of rows nor that of columns matters. */
function toComparable(tables: Tables): Record<string, readonly string[]> {
  const toText = (row: Row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.map(toText).toSorted()]),
  );
}

it('keeps every value of every table of the version before, when it is opened and when it is copied', async () => {
  using folder = createTestFolder();
  const file = join(folder.path, 'salon.db');
  const expected = toComparable(toCurrent(await createEarlierDatabase(file, fillAll)));
  await (await openDatabase(file)).close();
  expect(toComparable(await readAll(file))).toEqual(expected);

  await using empty = isPostgres ? await createEmptyDatabase(join(folder.path, 'unused')) : undefined;
  const target = empty?.location ?? join(folder.path, 'copy.db');
  const options = { isCopy: false, verify: async () => {} };
  await readSnapshot(file, (snapshot) => transferDatabase(snapshot, target, options));
  expect(toComparable(await readAll(target))).toEqual(expected);
});

it('copies a salon of the version before with equal versions, and sees that nobody changed it', async () => {
  using folder = createTestFolder();
  const file = join(folder.path, 'salon.db');
  await createEarlierDatabase(file, (sqlite) => {
    sqlite.exec("insert into accounts (id, name, plan, created_at) values ('acc_1', 'One', 'pro', '2026')");
    for (const [index, name] of collectionNames.slice(0, 5).entries()) {
      sqlite.prepare("insert into collections values ('acc_1', ?, ?, 0, 0)").run(name, 7 + index);
    }
  });
  await using empty = isPostgres ? await createEmptyDatabase(join(folder.path, 'unused')) : undefined;
  const target = empty?.location ?? join(folder.path, 'copy.db');
  const environment = { env: {}, random: (size: number) => new Uint8Array(size) };
  expect(await copySalon(file, target, environment)).toMatchObject({ accounts: 1, isOutdated: false });
  const { collections } = await readAll(target);
  expect(collections?.map(({ version }) => version).toSorted()).toEqual([10, 11, 7, 8, 9]);
});
