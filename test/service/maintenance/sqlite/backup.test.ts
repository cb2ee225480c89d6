import { copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../../src/service/db/database.ts';
import { insertAccount } from '../../../../src/service/db/identity/accounts.ts';
import { backupDatabase } from '../../../../src/service/maintenance/backup.ts';
import { createTestFolder, openTestDatabase, plainAccount } from '../../../support/database.ts';

const copyDatabase = (file: string, copy: string) => backupDatabase(file, copy, {});

function addAccount(database: Database, id: string): Promise<unknown> {
  return database.transaction('service', (tx) => insertAccount(tx, { id, name: 'One', ...plainAccount }));
}

async function readVersion({ reader }: Database): Promise<number> {
  const [row] = await reader.run<{ version: number }>(
    "select version from collections where account_id = 'acc_1' and name = 'clients'",
    [],
  );
  return row?.version ?? Number.NaN;
}

function write(database: Database): Promise<unknown> {
  return database.transaction({ accountId: 'acc_1' }, (tx) =>
    tx.run("update collections set version = version + 1 where account_id = 'acc_1'", []),
  );
}

/** A database with one account, whose collections are at version 3. */
async function openWritten() {
  const store = await openTestDatabase();
  await addAccount(store.database, 'acc_1');
  for (let count = 0; count < 3; count += 1) await write(store.database);
  return store;
}

describe('a backup', () => {
  it('is a private file with the same records, alone in its folder', async () => {
    await using store = await openWritten();
    using folder = createTestFolder();
    const copy = join(folder.path, 'copy.db');
    await copyDatabase(store.file, copy);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(['copy.db']);
    await using restored = await openDatabase(`sqlite:${copy}`);
    expect(await restored.reader.run('select id from accounts', [])).toEqual([{ id: 'acc_1' }]);
  });

  it.each(['', '-wal', '-shm', '-journal'])(
    'never overwrites a file, or takes over one ending in %j',
    async (ending) => {
      await using store = await openTestDatabase();
      using folder = createTestFolder();
      const copy = join(folder.path, 'copy.db');
      writeFileSync(`${copy}${ending}`, 'kept');
      await expect(copyDatabase(store.file, copy)).rejects.toMatchObject({
        code: 'usage',
        message: `${copy}${ending} already exists.`,
      });
      expect(readdirSync(folder.path)).toEqual([`copy.db${ending}`]);
    },
  );

  it.each([
    ['an empty file', ''],
    ['a text', 'x'.repeat(10_000)],
  ])('of %s is refused and leaves no file', async (_, text) => {
    using folder = createTestFolder();
    const file = join(folder.path, 'salon.db');
    writeFileSync(file, text, { mode: 0o600 });
    await expect(copyDatabase(file, join(folder.path, 'copy.db'))).rejects.toMatchObject({ code: 'usage' });
    expect(readdirSync(folder.path)).toEqual(['salon.db']);
  });

  it('of a missing database is refused and creates nothing', async () => {
    using folder = createTestFolder();
    await expect(
      copyDatabase(join(folder.path, 'salon.db'), join(folder.path, 'copy.db')),
    ).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(/^No database /) });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('of a damaged database is refused and leaves no file', async () => {
    await using store = await openWritten();
    await store.database.close();
    using folder = createTestFolder();
    const copy = join(folder.path, 'copy.db');
    const raw = new DatabaseSync(store.file, { defensive: false });
    raw.exec('pragma writable_schema = on');
    raw.exec("update sqlite_schema set rootpage = 2 where name = 'collections'");
    raw.close();
    await expect(copyDatabase(store.file, copy)).rejects.toThrow();
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('a copy', () => {
  it('gives its collections versions that the original never had', async () => {
    await using store = await openWritten();
    using folder = createTestFolder();
    const [first, second] = ['first.db', 'second.db'].map((name) => join(folder.path, name)) as [
      string,
      string,
    ];
    await copyDatabase(store.file, first);
    copyFileSync(first, second);
    for (let count = 0; count < 100; count += 1) await write(store.database);
    const versionOfOriginal = await readVersion(store.database);

    const sinceMs = Date.now();
    await using copy = await openDatabase(first);
    const version = await readVersion(copy);
    expect(version).toBeGreaterThan(versionOfOriginal);
    expect(version).toBeGreaterThanOrEqual(sinceMs * 100);
    // Clients read versions of up to 15 digits.
    expect(String(version)).toHaveLength(15);
    await write(copy);
    expect(await readVersion(copy)).toBe(version + 1);
  });

  it('keeps its versions when it is opened again, by several processes at once', async () => {
    await using store = await openWritten();
    using folder = createTestFolder();
    const file = join(folder.path, 'copy.db');
    await copyDatabase(store.file, file);
    const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase(file)));
    const versions = await Promise.all(opened.map(readVersion));
    await Promise.all(opened.map((database) => database.close()));
    await using again = await openDatabase(file);
    expect(new Set([...versions, await readVersion(again)]).size).toBe(1);
  });

  it('of a copy that was never opened is one, too', async () => {
    await using store = await openWritten();
    using folder = createTestFolder();
    await copyDatabase(store.file, join(folder.path, 'first.db'));
    await copyDatabase(join(folder.path, 'first.db'), join(folder.path, 'second.db'));
    await using copy = await openDatabase(join(folder.path, 'second.db'));
    expect(await readVersion(copy)).toBeGreaterThan(1e14);
  });

  it('is refused beside the log of the database that it replaced, and both stay as they are', async () => {
    await using store = await openWritten();
    using folder = createTestFolder();
    const backup = join(folder.path, 'backup.db');
    await copyDatabase(store.file, backup);
    await write(store.database);
    const file = join(folder.path, 'salon.db');
    copyFileSync(`${store.file}-wal`, `${file}-wal`);
    copyFileSync(backup, file);
    for (const act of [() => openDatabase(file), () => copyDatabase(file, join(folder.path, 'other.db'))]) {
      await expect(act()).rejects.toMatchObject({
        code: 'usage',
        message: `${file}-wal belongs to another database than ${file}.`,
      });
    }
    expect(existsSync(`${file}-shm`)).toBe(false);
    expect(statSync(`${file}-wal`).size).toBe(statSync(`${store.file}-wal`).size);
    expect(statSync(file).size).toBe(statSync(backup).size);
  });

  it('keeps its own log after a crash', async () => {
    await using store = await openWritten();
    using folder = createTestFolder();
    const file = join(folder.path, 'salon.db');
    await copyDatabase(store.file, file);
    await using database = await openDatabase(file);
    await write(database);
    const version = await readVersion(database);
    // What a killed process leaves.
    const left = join(folder.path, 'left.db');
    copyFileSync(file, left);
    copyFileSync(`${file}-wal`, `${left}-wal`);
    await using again = await openDatabase(left);
    expect(await readVersion(again)).toBe(version);
  });
});
