import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/service/db/database.ts';
import { copyDatabase, openDatabase } from '../../../../src/service/db/database.ts';
import { toInsert } from '../../../../src/service/db/rows.ts';
import {
  countAccounts,
  createTestFolder,
  openTestDatabase,
  plainAccount,
} from '../../../support/database.ts';

const refused = {
  code: 'service_unavailable',
  message: 'The database files were changed or removed by another program.',
};
/** It was written to files that may no longer be those of the database. */
const unknown = { ...refused, code: 'commit_unknown' };
// Windows does not let anybody replace or truncate an open file.
const isPosix = platform() !== 'win32';

function addAccounts(database: Database, names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ id: name, name, ...plainAccount }));
  return database.transaction('rows', async (tx) => {
    await tx.run(...toInsert('accounts', rows));
  });
}

/** Fills several pages, and moves them into the file. */
async function fill(database: Database): Promise<void> {
  await addAccounts(
    database,
    Array.from({ length: 500 }, (_, index) => `acc_${index}_${'x'.repeat(200)}`),
  );
  await database.purge();
}

const accidents: readonly (readonly [string, (file: string, backup: string) => void])[] = [
  ['removed', (file) => rmSync(file)],
  ['moved away', (file) => renameSync(file, `${file}.old`)],
  ['replaced', (file, backup) => renameSync(backup, file)],
  ['overwritten with a backup', (file, backup) => copyFileSync(backup, file)],
  ['overwritten with something else', (file) => writeFileSync(file, Buffer.alloc(2 ** 20, 1))],
  ['truncated', (file) => truncateSync(file)],
  ['cut off', (file) => truncateSync(file, statSync(file).size - 8192)],
  ['left without its log', (file) => rmSync(`${file}-wal`)],
];

/** Each waits seconds for a file that may only be incomplete: they wait together. */
describe.runIf(isPosix)('a database file in use', { concurrent: true }, () => {
  it.each(accidents)('that is %s takes no more changes', async (_, cause) => {
    await using store = await openTestDatabase();
    using folder = createTestFolder();
    const backup = join(folder.path, 'backup.db');
    await copyDatabase(store.file, backup, { givesNewVersions: true, verify: async () => {} });
    await fill(store.database);
    cause(store.file, backup);
    await expect(addAccounts(store.database, ['lost'])).rejects.toMatchObject(unknown);
    await expect(countAccounts(store.database)).rejects.toMatchObject(refused);
    await expect(store.database.purge()).rejects.toMatchObject(refused);
  });

  it.each(accidents)('that is %s is noticed without changes', async (_, cause) => {
    await using store = await openTestDatabase();
    using folder = createTestFolder();
    const backup = join(folder.path, 'backup.db');
    await copyDatabase(store.file, backup, { givesNewVersions: true, verify: async () => {} });
    await fill(store.database);
    cause(store.file, backup);
    await expect.poll(() => countAccounts(store.database).catch(({ code }) => code)).toBe(refused.code);
  });

  it('leaves a backup alone that was copied over it', async () => {
    await using store = await openTestDatabase();
    using folder = createTestFolder();
    const backup = join(folder.path, 'backup.db');
    await copyDatabase(store.file, backup, { givesNewVersions: true, verify: async () => {} });
    await fill(store.database);
    await addAccounts(store.database, ['in the log']);
    copyFileSync(backup, store.file);
    await expect(addAccounts(store.database, ['lost'])).rejects.toMatchObject(unknown);
    await store.database.close();
    expect(readFileSync(store.file).equals(readFileSync(backup))).toBe(true);
    await using restored = await openDatabase(store.file);
    expect(await countAccounts(restored)).toBe(0);
  });

  it('stays usable while processes write, purge and rewrite it', async () => {
    await using store = await openTestDatabase();
    const other = await store.openAgain();
    await fill(store.database);
    for (let round = 0; round < 4; round++) {
      await addAccounts(store.database, [`a${round}`]);
      await other.transaction('rows', (tx) => tx.run("delete from accounts where id > 'acc_2'", []));
      await addAccounts(other, [`b${round}`, `acc_3${round}`]);
      await store.database.compact();
      await store.database.purge();
      await fill(round % 2 === 0 ? other : store.database).catch(() => {});
      await addAccounts(other, [`c${round}`]);
    }
    expect(await countAccounts(store.database)).toBeGreaterThan(0);
  });
});

describe('opening a database', () => {
  it('refuses an empty file and leaves it as it is', async () => {
    using folder = createTestFolder();
    const file = join(folder.path, 'empty.db');
    writeFileSync(file, '', { mode: 0o600 });
    await expect(openDatabase(file)).rejects.toMatchObject({
      code: 'usage',
      message: `${file} is empty: it contains no salon.`,
    });
    expect(statSync(file).size).toBe(0);
  });

  it.runIf(isPosix)('refuses a named pipe at once', async () => {
    using folder = createTestFolder();
    const file = join(folder.path, 'pipe.db');
    execFileSync('mkfifo', ['-m', '600', file]);
    const message = `Cannot open the database ${file}: it is a named pipe.`;
    await expect(openDatabase(file)).rejects.toMatchObject({ code: 'usage', message });
    await expect(
      copyDatabase(file, `${file}.copy`, { givesNewVersions: true, verify: async () => {} }),
    ).rejects.toMatchObject({ code: 'usage' });
  });

  it('refuses to begin anew beside the log of a database that is gone', async () => {
    using folder = createTestFolder();
    const file = join(folder.path, 'salon.db');
    writeFileSync(`${file}-wal`, 'what was confirmed last', { mode: 0o600 });
    await expect(openDatabase(file)).rejects.toMatchObject({ code: 'usage' });
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(`${file}-wal`, 'utf8')).toBe('what was confirmed last');
  });
});
