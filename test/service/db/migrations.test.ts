import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/service/db/database.ts';
import { migrate } from '../../../src/service/db/migrate.ts';
import { type Migrations, migrations, minimumVersion } from '../../../src/service/db/migrations.ts';
import { createMigrationTarget as createPostgresTarget } from '../../../src/service/db/postgres/migrate.ts';
import { createMigrationTarget as createSqliteTarget } from '../../../src/service/db/sqlite/engine.ts';
import { listAppointments } from '../../../src/service/domain/appointments.ts';
import { verifyAuditLog } from '../../../src/service/domain/audit-verification.ts';
import { listClients } from '../../../src/service/domain/clients.ts';
import { backupDatabase, copySalon, restoreDatabase } from '../../../src/service/maintenance/backup.ts';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import {
  changeDatabase,
  createBaselineDatabase,
  createBaselineFile,
  createEmptyDatabase,
  createTestFolder,
  openTestDatabase,
  type TestDatabase,
} from '../../support/database.ts';
import { openFormer, searchFirstNames } from '../../support/former-salon.ts';
import { isPostgres } from '../../support/postgres.ts';
import { openTestSalon } from '../../support/salon.ts';

const environment = { env: {}, random: (size: number) => new Uint8Array(size) };
const migrationsTable = isPostgres ? 'salon_migrations' : 'kysely_migration';

describe('a database of the baseline', () => {
  it('is opened with its lists, its search and its audit log, and takes new records', async () => {
    await using salon = await openTestSalon(await openTestDatabase(createBaselineDatabase));
    const former = await openFormer(salon);
    expect(await searchFirstNames(former, 'zoe o’hara')).toEqual(['Zoë']);
    expect(await searchFirstNames(former, '79460018')).toEqual(['Zoë']);
    expect(await searchFirstNames(former, 'کریم')).toEqual(['كريم']);
    expect((await listClients(former, {})).total).toBe(2);
    const { dataJson } = await listAppointments(former, { per_page: 1 });
    expect(JSON.parse(String(dataJson))).toEqual([expect.objectContaining({ notes: "Mia's chair" })]);
    const { chains } = await verifyAuditLog(salon.store.database.reader);
    expect(chains.map(({ entries, faults }) => [entries > 0, faults])).toEqual(chains.map(() => [true, []]));
    await salon.addAppointment();
    expect(await searchFirstNames(salon.as(), 'ada')).toEqual(['Ada']);
    const checks = await checkDatabase(salon.store.location);
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('knows what is paid of its appointments', async () => {
    const payments = [
      ['first', 4500, 500, 0, 'EUR', 'completed'],
      ['tip refunded', 4500, 500, 500, 'EUR', 'completed'],
      ['part refunded', 4500, 500, 700, 'EUR', 'completed'],
      ['pending', 4500, 0, 0, 'EUR', 'pending'],
      ['two currencies', 4500, 0, 0, 'EUR', 'completed'],
      ['two currencies', 4500, 0, 0, 'USD', 'completed'],
      ['twice', 1000, 0, 0, 'EUR', 'completed'],
      ['twice', 2000, 0, 0, 'EUR', 'completed'],
    ] as const;
    const names = ['none', ...new Set(payments.map(([name]) => name))];
    const addAppointment = (name: string, index: number) =>
      `insert into appointments select account_id, ${index + 2}, '${name}', created_ms, created_ms + 9,
        '{"id":"${name}","status":"completed","notes":"Zoë 🪮 \\u0000","client_id":"' || client_id || '",'
        || '"stylist_id":"' || stylist_id || '","start_time":"2026-12-01T09:00:00Z","duration":60,'
        || '"created_at":"2026-11-21T12:00:00.000Z","updated_at":"2026-11-21T12:00:00.009Z"}',
        client_id, stylist_id, 'completed', start_ms, end_ms from appointments where seq = 1;`;
    const addPayment = (payment: (typeof payments)[number], index: number) => {
      const [appointment_id, amount, tip_amount, refunded_amount, currency, status] = payment;
      const at = '2026-11-21T12:00:00.000Z';
      const record = {
        ...{ id: `p${index}`, client_id: null, appointment_id, amount, currency, tip_amount, status },
        ...{ refunded_amount, created_at: at, updated_at: at },
      };
      return `insert into payments select account_id, ${index + 2}, 'p${index}', created_ms, created_ms,
        '${JSON.stringify(record)}', null, '${appointment_id}', null, '${status}' from payments where seq = 1;`;
    };
    const recount = (table: string, count: number) =>
      `update collections set last_seq = ${count + 1}, total = ${count + 1}, bytes = (select sum(octet_length(record))
        from ${table}) where name = '${table}' and total = 1;`;
    const make = async (file: string) => {
      const made = await createBaselineDatabase(file);
      const added = [...names.map(addAppointment), ...payments.map(addPayment)];
      const counters = [recount('appointments', names.length), recount('payments', payments.length)];
      await changeDatabase(made.location, [...added, ...counters].join('\n'));
      return made;
    };
    await using store = await openTestDatabase(make);
    const rows = await store.database.reader.run<{ record: string; payment: string | null }>(
      'select record, payment from appointments order by seq',
      [],
    );
    const found = rows.map(({ record }) => JSON.parse(record));
    expect(found.slice(1).map(({ id, paid_amount }) => [id, paid_amount])).toEqual([
      ...[
        ['none', 0],
        ['first', 4500],
        ['tip refunded', 4500],
        ['part refunded', 4300],
        ['pending', 0],
      ],
      ...[
        ['two currencies', null],
        ['twice', 3000],
      ],
    ]);
    expect(found[1]).toMatchObject({ notes: 'Zoë 🪮 \0', price: null });
    expect(Object.keys(found[0]).slice(-2)).toEqual(['price', 'paid_amount']);
    expect(rows.every(({ payment }) => payment === null)).toBe(true);
    const checks = await checkDatabase(store.location);
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('can be restored from a backup', async () => {
    using folder = createTestFolder();
    const file = join(folder.path, 'backup.db');
    createBaselineFile(file);
    await using empty = isPostgres ? await createEmptyDatabase('unused') : undefined;
    const target = empty?.location ?? join(folder.path, 'restored.db');
    expect(await restoreDatabase(file, target, environment)).toMatchObject({ accounts: 2, unreadable: 1 });
    expect((await checkDatabase(target)).every(({ status }) => status === 'passed')).toBe(true);
  });

  it('gets the same tables, columns and indexes as a new one', async () => {
    await using adopted = await openTestDatabase(createBaselineDatabase);
    await using created = await openTestDatabase();
    expect(await describeSchema(adopted)).toEqual(await describeSchema(created));
  });

  it('is migrated further, and opened again', async () => {
    await using store = await openTestDatabase(createBaselineDatabase);
    const later: Migrations = {
      '901-less': ['drop table used_tickets', 'create index accounts_plan on accounts (plan)'],
    };
    await Promise.all([1, 2, 3].map(() => migrateAs(store, later)));
    expect((await readDone(store)).at(-1)).toBe('901-less');
    const { reader } = await store.openAgain();
    expect(await reader.run("select 1 from accounts where plan = 'pro'", [])).toHaveLength(2);
  });
});

/** The name of an integer type differs, but not its meaning; the tables of migrations are left out. */
async function describeSchema({ database }: TestDatabase): Promise<unknown> {
  const texts = isPostgres
    ? [
        `select table_name, ordinal_position, column_name, data_type, collation_name, is_nullable, column_default
          from information_schema.columns where table_schema = 'public' and table_name <> 'salon_migrations'
          order by 1, 2`,
        `select tablename, indexname, indexdef from pg_indexes
          where schemaname = 'public' and tablename <> 'salon_migrations' order by 1, 2`,
      ]
    : [
        `select t.name, t.type, t.wr, t.strict, c.cid, c.name as column,
            case when c.type like '%int%' then 'integer' else lower(c.type) end as kind, c."notnull", c.dflt_value, c.pk
          from pragma_table_list as t join pragma_table_info(t.name) as c
          where t.name not like '%_migration%' and t.name not like 'sqlite_%' order by 1, 5`,
        `select t.name, i.name as "index", i."unique", i.origin, i.partial, c.seqno, c.name as column, c.desc
          from pragma_table_list as t join pragma_index_list(t.name) as i join pragma_index_xinfo(i.name) as c
          where t.name not like '%_migration%' order by 1, 2, 6`,
        `select t.name, f."table", f."from", f."to" from pragma_table_list as t
          join pragma_foreign_key_list(t.name) as f order by 1, 2, 3`,
        `select name, replace(replace(sql, char(10), ''), ' ', '') as text from sqlite_schema
          where type in ('trigger', 'index') and sql is not null order by 1`,
      ];
  return Promise.all(texts.map((text) => database.reader.run(text, [])));
}

describe('a database from before the baseline', () => {
  const refusal = {
    code: 'usage',
    message: expect.stringContaining('was written by a version of salon that is no longer supported.'),
    hint: expect.stringContaining('start with a new database'),
  };

  it('is refused by everything, and stays as it is', async () => {
    using folder = createTestFolder();
    const file = join(folder.path, 'salon.db');
    const target = join(folder.path, 'target.db');
    await using earlier = await createBaselineDatabase(file);
    const { location } = earlier;
    const remove = `delete from ${migrationsTable} where name >= '025'`;
    await changeDatabase(location, isPostgres ? remove : `${remove}; pragma user_version = 1`);
    const before = isPostgres ? undefined : readFileSync(file);
    for (const act of [
      () => openDatabase(location),
      () => checkDatabase(location),
      () => backupDatabase(isPostgres ? location : file, target, {}),
      () => copySalon(location, target, environment),
    ]) {
      await expect(act()).rejects.toMatchObject(refusal);
    }
    if (before !== undefined) {
      await expect(restoreDatabase(file, target, environment)).rejects.toMatchObject(refusal);
      expect(readFileSync(file).equals(before)).toBe(true);
    }
    await changeDatabase(
      location,
      `insert into ${migrationsTable} select '025-again', ${isPostgres ? 'now()' : "'2026'"}`,
    );
    await (await openDatabase(location)).close();
  });
});

/** What a later version of the program would do at its start. */
async function migrateAs({ location, file }: TestDatabase, later: Migrations): Promise<void> {
  const known = { ...migrations, ...later };
  if (!isPostgres) {
    using writing = new DatabaseSync(file);
    return await migrate(createSqliteTarget(writing, file), known);
  }
  const client = new pg.Client({ connectionString: location, ssl: false });
  await client.connect();
  try {
    await migrate(createPostgresTarget(client, 'The database'), known);
  } finally {
    await client.end();
  }
}

async function readDone({ database }: TestDatabase): Promise<string[]> {
  const text = 'select name from salon_migrations order by name';
  return (await database.reader.run<{ name: string }>(text, [])).map(({ name }) => name);
}

describe('a migration', () => {
  it('runs once, although several processes start at the same time', async () => {
    await using store = await openTestDatabase();
    const later: Migrations = {
      '901-column': ["alter table accounts add column added_by_test text not null default 'red'"],
      '902-engine': [
        { sqlite: ['create table of_sqlite (id text)'], postgres: ['create table of_postgres (id text)'] },
        'create index accounts_added_by_test on accounts (added_by_test)',
      ],
    };
    await Promise.all([1, 2, 3].map(() => migrateAs(store, later)));
    expect(await readDone(store)).toEqual([...Object.keys(migrations), '901-column', '902-engine']);
    await store.database.reader.run(`select id from of_${store.database.kind}`, []);
  });

  it('that fails leaves nothing behind, and can run again', async () => {
    await using store = await openTestDatabase();
    const half = 'create table half (id bigint)';
    const broken: Migrations = { '901-whole': ['select 1'], '902-broken': [half, 'select no_such_column'] };
    await expect(migrateAs(store, broken)).rejects.toThrow('no_such_column');
    // A server keeps the migrations before it; a file is migrated completely or not at all.
    const before = [...Object.keys(migrations), ...(isPostgres ? ['901-whole'] : [])];
    expect(await readDone(store)).toEqual(before);
    await migrateAs(store, { ...broken, '902-broken': [half] });
    expect(await readDone(store)).toEqual([...Object.keys(migrations), '901-whole', '902-broken']);
  });

  it('has a number of its own, and none asks for a newer version than there is', () => {
    const numbers = Object.keys(migrations).map((name) => name.slice(0, 3));
    expect(numbers).toEqual([...new Set(numbers)].toSorted());
    expect(numbers).toContain(minimumVersion);
  });
});
