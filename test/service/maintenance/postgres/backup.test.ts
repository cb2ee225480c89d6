import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupDatabase } from '../../../../src/service/maintenance/backup.ts';
import { createTestFolder, openTestDatabase } from '../../../support/database.ts';

describe('a backup of a PostgreSQL database', () => {
  it('leaves out views, such as those of an extension', async () => {
    await using store = await openTestDatabase();
    using folder = createTestFolder();
    await store.database.reader.run('create view statistics as select count(*) as total from accounts', []);
    const file = join(folder.path, 'backup.db');
    await backupDatabase(store.location, file, {});
    expect(existsSync(file)).toBe(true);
  });

  it('of a newer version is refused, and names the column that would be missing', async () => {
    await using store = await openTestDatabase();
    using folder = createTestFolder();
    await store.database.reader.run('alter table accounts add column colour text', []);
    const file = join(folder.path, 'backup.db');
    await expect(backupDatabase(store.location, file, {})).rejects.toMatchObject({
      code: 'usage',
      message: 'The database has a column that this version does not know: accounts.colour.',
      hint: 'Update salon and try again.',
    });
    expect(existsSync(file)).toBe(false);
  });
});
