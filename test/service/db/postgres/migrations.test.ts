import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../../src/service/db/migrate.ts';
import { type Migrations, migrations } from '../../../../src/service/db/migrations.ts';
import { createMigrationTarget } from '../../../../src/service/db/postgres/migrate.ts';
import { toInsert } from '../../../../src/service/db/rows.ts';
import { addAccount, openTestDatabase, plainAccount, type TestDatabase } from '../../../support/database.ts';

/** What another version of the program would do at its start. */
async function migrateAs({ location }: TestDatabase, later: Migrations): Promise<void> {
  const client = new pg.Client({ connectionString: location, ssl: false });
  await client.connect();
  try {
    await migrate(createMigrationTarget(client, 'The database'), { ...migrations, ...later });
  } finally {
    await client.end();
  }
}

const addColumn: Migrations = {
  '901-column': ["alter table accounts add column colour text not null default 'red'"],
  '902-index': ['create index accounts_colour on accounts (colour)'],
};

describe('a migration', () => {
  it('runs while the version before reads and writes, and does not make it wait for a long transaction', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    const insert = (id: string) =>
      database.transaction('rows', (tx) =>
        tx.run(...toInsert('accounts', [{ id, name: 'One', ...plainAccount }])),
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
});
