import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, it } from 'vitest';
import { copyDatabase, openDatabase } from '../../../../src/service/db/database.ts';
import { insertRecord } from '../../../../src/service/db/records.ts';
import { createDialect } from '../../../../src/service/db/sqlite/dialect.ts';
import { migrations } from '../../../../src/service/db/sqlite/migrations/migrations.ts';
import { createStatements } from '../../../../src/service/db/sqlite/statements.ts';
import { createTestFolder } from '../../../support/database.ts';

/** Creates a database as version 0.1.0 left it: one account with one client and its change. */
async function createEarlierDatabase(file: string): Promise<void> {
  writeFileSync(file, '', { mode: 0o600 });
  const sqlite = new DatabaseSync(file);
  sqlite.exec(`pragma application_id = ${0x73616c6e}`);
  const db = new Kysely<unknown>({ dialect: createDialect(sqlite, createStatements(sqlite)) });
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  }).migrateTo('007-webhooks');
  expect(error).toBeUndefined();
  sqlite.exec(`
    insert into accounts values ('acc_1', 'One', 'pro', null, '2026');
    insert into collections values ('acc_1', 'clients', 1, 1, 1, 0);
    insert into blocks select 'acc_1', 'clients', value, 0, 1 from json_each('[1, 2, 3, 4]');
    insert into clients values ('acc_1', 1, 'cli_1', 0, 0, '"first"', '', 'a@example.com', null, '');
    insert into client_changes (account_id, version, seq, gain, search, updated_ms) values ('acc_1', 1, 1, 1, '', 0)`);
  await db.destroy();
}

it('opens a database of version 0.1.0 with its records', async () => {
  using folder = createTestFolder();
  const file = join(folder.path, 'salon.db');
  await createEarlierDatabase(file);
  await using database = await openDatabase(file);
  const row = { account_id: 'acc_1', id: 'cli_2', created_ms: 0, updated_ms: 0, record: '"second"' };
  const found = { last_name_key: '', email: 'a@example.com', phone_digits: null, search: '' };
  await database.transaction('service', (tx) => insertRecord(tx, 'clients', { ...row, ...found }));
  for (const conditions of [[], [{ column: 'email', is: '=', value: 'a@example.com' } as const]]) {
    const page = await database.readPage({
      accountId: 'acc_1',
      collection: 'clients',
      conditions,
      order: { column: 'seq', descending: false },
      from: { offset: 0 },
      limit: 5,
    });
    expect(JSON.parse(page.dataJson.toString())).toEqual(['first', 'second']);
    expect(page).toMatchObject({ total: 2, version: 2, last: null });
  }
});

it('finds the clients of version 0.1.0 without accents and by national phone number', async () => {
  using folder = createTestFolder();
  const file = join(folder.path, 'salon.db');
  await createEarlierDatabase(file);
  using sqlite = new DatabaseSync(file);
  sqlite.exec(`insert into clients values ('acc_1', 2, 'cli_2', 0, 0,
    '{"first_name":"Zoë","last_name":null,"phone":"+442079460018"}', '', null, null, 'zoë')`);
  await using database = await openDatabase(file);
  for (const contains of ['zoe', '02079460018']) {
    const { total } = await database.readPage({
      accountId: 'acc_1',
      collection: 'clients',
      conditions: [{ column: 'search', contains }],
      order: { column: 'seq', descending: false },
      from: { offset: 0 },
      limit: 5,
    });
    expect(total).toBe(1);
  }
});

it('backs up a database of version 0.1.0 without migrating it', async () => {
  using folder = createTestFolder();
  const file = join(folder.path, 'salon.db');
  await createEarlierDatabase(file);
  await copyDatabase(file, join(folder.path, 'copy.db'), { isCopy: true, verify: async () => {} });
  for (const name of ['salon.db', 'copy.db']) {
    using sqlite = new DatabaseSync(join(folder.path, name), { readOnly: true });
    expect(sqlite.prepare('select count(*) as count from client_changes').get()).toEqual({ count: 1 });
  }
});

it('erases what an earlier version kept of deleted clients', async () => {
  using folder = createTestFolder();
  const file = join(folder.path, 'salon.db');
  await createEarlierDatabase(file);
  using sqlite = new DatabaseSync(file);
  const addAppointment =
    sqlite.prepare(`insert into appointments (account_id, seq, id, created_ms, updated_ms,
    record, client_id, stylist_id, status, start_ms, end_ms) values ('acc_1', ?, ?, 0, 0, ?, ?, 'sty_1', 'completed', 0, 0)`);
  const addEvent = sqlite.prepare(
    "insert into events (id, account_id, type, client_id, created_ms, body) values ('', 'acc_1', ?, null, 0, ?)",
  );
  const addResult = sqlite.prepare(
    "insert into idempotency_keys (account_id, key, request, record_id, answer, kept_ms) values ('acc_1', ?, '', ?, ?, 0)",
  );
  for (const [index, client_id] of ['cli_1', 'cli_gone'].entries()) {
    const record = {
      id: `apt_${index}`,
      client_id,
      notes: `of ${client_id}`,
      updated_at: '2026-01-01T00:00:00.000Z',
    };
    addAppointment.run(index, record.id, JSON.stringify(record), client_id);
    const data = { object: record, previous_attributes: { notes: `Formerly of ${client_id}` } };
    addEvent.run('booking.updated', JSON.stringify({ data }));
    addResult.run(record.id, record.id, JSON.stringify(record));
  }
  addResult.run('secret', 'whk_1', '{"id":"whk_1","secret":"whsec_plain"}');
  sqlite.exec("insert into collections values ('acc_1', 'appointments', 7, 2, 2, 0)");

  await using database = await openDatabase(file);
  const read = (text: string) => database.reader.run<Record<string, unknown>>(text, []);
  const rows = JSON.stringify([await read('select * from appointments'), await read('select * from events')]);
  expect(rows).not.toContain('of cli_gone');
  expect(rows.split('of cli_1')).toHaveLength(4);
  expect(await read('select id from appointments where updated_ms > 0')).toEqual([{ id: 'apt_1' }]);
  expect(await read("select version from collections where name = 'appointments'")).toEqual([{ version: 8 }]);
  expect(await read('select client_id, former_client_id from events')).toEqual([
    { client_id: 'cli_1', former_client_id: null },
    { client_id: 'cli_gone', former_client_id: null },
  ]);
  expect(await read('select key, client_id from idempotency_keys')).toEqual([
    { key: 'apt_0', client_id: 'cli_1' },
    { key: 'apt_1', client_id: 'cli_gone' },
  ]);
  expect(await read('select count(*) as count from erasures')).toEqual([{ count: 1 }]);
});

it('keeps the API keys of earlier versions, with the lifetime that their successors get', async () => {
  using folder = createTestFolder();
  const file = join(folder.path, 'salon.db');
  await createEarlierDatabase(file);
  using sqlite = new DatabaseSync(file);
  const insert = sqlite.prepare(
    "insert into api_keys (account_id, id, hash, name, role, expires_at, created_at) values ('acc_1', ?, ?, '', 'owner', ?, ?)",
  );
  const created = '2026-11-21T12:00:00.123Z';
  insert.run('key_1', 'a', '2026-12-21T12:00:00.000Z', created);
  insert.run('key_2', 'b', null, created);
  await using database = await openDatabase(file);
  const rows = await database.reader.selectFrom('api_keys').select('lifetime_ms').orderBy('id').execute();
  const lifetime = Date.parse('2026-12-21T12:00:00.000Z') - Date.parse(created);
  expect(rows).toEqual([{ lifetime_ms: lifetime }, { lifetime_ms: null }]);
});

it('finds clients in Persian spelling whose search text has Arabic letters from before', async () => {
  using folder = createTestFolder();
  const file = join(folder.path, 'salon.db');
  await createEarlierDatabase(file);
  {
    await using database = await openDatabase(file);
    const row = { account_id: 'acc_1', id: 'cli_2', created_ms: 0, updated_ms: 0, record: '{}' };
    const former = { last_name_key: '', email: null, phone_digits: null, search: 'كريم على\n\n' };
    await database.transaction('service', (tx) => insertRecord(tx, 'clients', { ...row, ...former }));
  }
  using sqlite = new DatabaseSync(file);
  sqlite.exec("delete from kysely_migration where name >= '024'; create table blocks (account_id text)");
  await using database = await openDatabase(file);
  for (const contains of ['کریم', 'علی', 'یم عل']) {
    const { total } = await database.readPage({
      accountId: 'acc_1',
      collection: 'clients',
      conditions: [{ column: 'search', contains }],
      order: { column: 'seq', descending: false },
      from: { offset: 0 },
      limit: 5,
    });
    expect(total).toBe(1);
  }
  // The trigram index has the new text, and only that.
  const match = sqlite.prepare('select count(*) as count from client_search where client_search match ?');
  expect([match.get('"کری"'), match.get('"كري"')]).toEqual([{ count: 1 }, { count: 0 }]);
});
