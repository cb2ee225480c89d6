import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/service/db/database.ts';
import { toInsert } from '../../../../src/service/db/rows.ts';
import { assertSafeVersion } from '../../../../src/service/db/sqlite/salon-file.ts';
import {
  addAccount,
  countAccounts,
  createTestFolder,
  openTestDatabase,
  plainAccount,
} from '../../../support/database.ts';

const account = { id: 'acc_1', name: 'One', ...plainAccount } as const;

const newerMigration = "insert into salon_migrations (name) values ('999-later')";

describe('opening a database', () => {
  it('creates a file that only its owner can read', async () => {
    using folder = createTestFolder();
    const file = join(folder.path, 'salon.db');
    await using _database = await openDatabase(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('accepts a bare path', async () => {
    using folder = createTestFolder();
    await using database = await openDatabase(join(folder.path, 'bare.db'));
    expect(await countAccounts(database)).toBe(0);
  });

  it.each(['mysql:salon', 'sqlite:', '', 'sqlite::memory:'])('refuses the location %j', async (location) => {
    await expect(openDatabase(location)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(JSON.stringify(location)),
      hint: expect.stringContaining('sqlite:salon.db'),
    });
  });

  it('names the missing folder', async () => {
    using folder = createTestFolder();
    await expect(openDatabase(`sqlite:${folder.path}/none/salon.db`)).rejects.toMatchObject({
      code: 'usage',
      message: `The folder ${folder.path}/none does not exist.`,
    });
  });

  it('refuses a folder', async () => {
    using folder = createTestFolder();
    mkdirSync(join(folder.path, 'salon.db'));
    await expect(openDatabase(`sqlite:${folder.path}/salon.db`)).rejects.toMatchObject({ code: 'usage' });
  });

  it.each([
    ['short', 'not a database'],
    ['long', 'x'.repeat(10_000)],
  ])('does not change a %s file that is not a database', async (_, text) => {
    using folder = createTestFolder();
    const file = join(folder.path, 'notes.txt');
    writeFileSync(file, text);
    await expect(openDatabase(`sqlite:${file}`)).rejects.toMatchObject({
      code: 'usage',
      message: `${file} is not a database.`,
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('does not change the database of another program', async () => {
    using folder = createTestFolder();
    const file = join(folder.path, 'other.db');
    const other = new DatabaseSync(file);
    other.exec('create table things (id integer)');
    other.close();
    const before = readFileSync(file);
    await expect(openDatabase(`sqlite:${file}`)).rejects.toMatchObject({
      code: 'usage',
      message: `${file} belongs to another program.`,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each(['salon.db', 'salon.db-wal'])('is refused when every user has access to %s', async (name) => {
    using folder = createTestFolder();
    const file = join(folder.path, 'salon.db');
    await using database = await openDatabase(`sqlite:${file}`);
    chmodSync(join(folder.path, name), 0o666);
    await expect(openDatabase(`sqlite:${file}`)).rejects.toMatchObject({
      code: 'usage',
      message: `${join(folder.path, name)} contains personal data, and every user has access to it (mode 666).`,
      hint: `Run: chmod o= ${file} ${file}-wal ${file}-shm`,
    });
    chmodSync(join(folder.path, name), 0o640);
    await using again = await openDatabase(`sqlite:${file}`);
    expect(await countAccounts(again)).toBe(await countAccounts(database));
  });

  it.each(['3.51.2', '3.50.4', '2.99.99'])('is refused with SQLite %s', (version) => {
    expect(() => assertSafeVersion(version)).toThrow(`SQLite ${version} can damage a database`);
  });

  it.each(['3.51.3', '3.52.0', '3.100.0', '4.0.0', undefined])('is accepted with SQLite %s', (version) => {
    expect(() => assertSafeVersion(version)).not.toThrow();
  });

  it.each([
    ['a higher minimum', "update database_settings set value = '999' where name = 'minimum_version'"],
    ['no word about older programs', 'delete from database_settings'],
  ])('refuses a database of a newer version with %s', async (_title, statement) => {
    await using store = await openTestDatabase();
    const raw = new DatabaseSync(store.file);
    raw.exec(newerMigration);
    raw.exec(statement);
    raw.close();
    await expect(store.openAgain()).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('newer version of salon'),
    });
  });

  it('accepts a database of a newer version that this one can work with', async () => {
    await using store = await openTestDatabase();
    const raw = new DatabaseSync(store.file);
    raw.exec(newerMigration);
    raw.close();
    expect(await countAccounts(await store.openAgain())).toBe(0);
  });

  it('succeeds when many processes open a new file at once', async () => {
    using folder = createTestFolder();
    const location = `sqlite:${join(folder.path, 'salon.db')}`;
    const databases = await Promise.all(Array.from({ length: 5 }, () => openDatabase(location)));
    expect(await Promise.all(databases.map(countAccounts))).toEqual([0, 0, 0, 0, 0]);
    await Promise.all(databases.map((database) => database.close()));
  });
});

describe('a transaction', () => {
  it('reports a full disk and rolls back', async () => {
    await using store = await openTestDatabase();
    const filling = store.database.transaction('service', async (tx) => {
      await tx.run('pragma max_page_count = 60', []);
      await tx.run(...toInsert('accounts', [{ ...account, name: 'x'.repeat(1_000_000) }]));
    });
    await expect(filling).rejects.toMatchObject({
      code: 'service_unavailable',
      retryable: true,
      message: 'The disk that holds the database is full.',
    });
    expect(await countAccounts(store.database)).toBe(0);
  });
});

describe('a purge', () => {
  it('waits for readers and writers, and leaves an empty log', async () => {
    await using store = await openTestDatabase();
    const { database, file } = store;
    await addAccount(database, 'acc_1');
    const reading = new DatabaseSync(file, { readOnly: true });
    reading.exec('begin');
    reading.prepare('select count(*) from accounts').get();
    await addAccount(database, 'acc_2');
    const purging = database.purge();
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    reading.exec('commit');
    reading.close();
    await purging;
    expect(statSync(`${file}-wal`).size).toBe(0);
    let purgingWithin: Promise<boolean> | undefined;
    await database.transaction('service', async (tx) => {
      await tx.run("update accounts set name = 'Two'", []);
      purgingWithin = database.purge();
    });
    await purgingWithin;
    expect(statSync(`${file}-wal`).size).toBe(0);
    expect(await countAccounts(database)).toBe(2);
  });
});
