import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type Migrations, migrate, migrations } from '../../../../src/service/db/postgres/migrate.ts';
import { minimumVersion } from '../../../../src/service/db/schema-version.ts';
import { addAccount, openTestDatabase, plainAccount, type TestDatabase } from '../../../support/database.ts';

/** What another version of the program would do at its start. */
async function migrateAs({ location }: TestDatabase, later: Migrations): Promise<void> {
  const connect = () => new pg.Client({ connectionString: location, ssl: false }).connect();
  const client = await connect();
  try {
    await migrate({ client, name: 'The database', connect }, { ...migrations, ...later });
  } finally {
    await client.end();
  }
}

async function readDone({ database }: TestDatabase): Promise<string[]> {
  const rows = await database.reader.run<{ name: string }>(
    'select name from salon_migrations order by name',
    [],
  );
  return rows.map(({ name }) => name);
}

const addColumn: Migrations = {
  '901-column': { statements: ["alter table accounts add column colour text not null default 'red'"] },
  '902-index': {
    statements: ['create index concurrently if not exists accounts_colour on accounts (colour)'],
    isConcurrent: true,
  },
};

describe('a migration', () => {
  it('finds clients in Persian spelling whose search text has Arabic letters from before', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    await addAccount(database, 'acc_1');
    await database.transaction('rows', async (tx) => {
      await tx.run(
        `insert into clients (account_id, seq, id, created_ms, updated_ms, record, last_name_key, search)
          values ('acc_1', 1, 'cli_1', 0, 0, '{}', '', ?)`,
        ['كريـم على\n\n'],
      );
      await tx.run("delete from salon_migrations where name = '024-alike-letters'", []);
    });
    await migrateAs(store, {});
    const [found] = await database.reader.run<{ search: string }>('select search from clients', []);
    expect(found?.search).toBe('کریم علی\n\n');
  });

  it('runs once, although several processes start at the same time', async () => {
    await using store = await openTestDatabase();
    await Promise.all([1, 2, 3].map(() => migrateAs(store, addColumn)));
    expect(await readDone(store)).toEqual([
      '000-lock',
      ...Object.keys(migrations),
      '901-column',
      '902-index',
    ]);
  });

  it('runs while the version before reads and writes, and does not make it wait for a long transaction', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    const insert = (id: string) =>
      database.transaction('rows', (tx) =>
        tx
          .insertInto('accounts')
          .values({ id, name: 'One', ...plainAccount })
          .execute(),
      );
    await insert('acc_0');
    const long = Promise.withResolvers<void>();
    const holding = database.transaction('rows', async (tx) => {
      await tx.run('select id from accounts', []);
      await long.promise;
    });
    const migrating = migrateAs(store, addColumn);
    for (let count = 1; count <= 50; count += 1) await insert(`acc_${count}`);
    long.resolve();
    await Promise.all([holding, migrating]);
    await insert('acc_51');
    const rows = await database.reader.run("select id from accounts where colour = 'red'", []);
    expect(rows).toHaveLength(52);
  });

  it('that adds a column disturbs no statement of the version before, on any of its connections', async () => {
    await using store = await openTestDatabase();
    const { reader, transaction } = store.database;
    await addAccount(store.database, 'acc_1');
    const text = 'select * from accounts where id = ?';
    const readEverywhere = () =>
      Promise.all(
        Array.from({ length: 20 }, () => [
          reader.run<object>(text, ['acc_1']),
          transaction('rows', (tx) => tx.run<object>(text, ['acc_1'])),
        ]).flat(),
      );
    await readEverywhere();
    await readEverywhere();
    await migrateAs(store, addColumn);
    for (const [row] of await readEverywhere()) expect(row).toMatchObject({ id: 'acc_1', colour: 'red' });
  });

  it('that fails leaves nothing behind, and can run again', async () => {
    await using store = await openTestDatabase();
    const broken = {
      '901-broken': { statements: ['create table half (id bigint)', 'select no_such_column'] },
    };
    await expect(migrateAs(store, broken)).rejects.toThrow('no_such_column');
    expect(await store.database.reader.run("select to_regclass('half') as half", [])).toEqual([
      { half: null },
    ]);
    await migrateAs(store, { '901-broken': { statements: ['create table half (id bigint)'] } });
    expect(await readDone(store)).toContain('901-broken');
  });
});

it('does not ask for a newer version than there is', () => {
  expect(Object.keys(migrations).at(-1)?.slice(0, 3) ?? '').toSatisfy(
    (newest: string) => minimumVersion <= newest,
  );
});
