import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, readSnapshot } from '../../../src/service/db/database.ts';
import { deleteClient } from '../../../src/service/domain/clients.ts';
import { createPayment } from '../../../src/service/domain/payments.ts';
import { createWebhook } from '../../../src/service/domain/webhooks.ts';
import { backupDatabase, copySalon, restoreDatabase } from '../../../src/service/maintenance/backup.ts';
import { checkDatabase } from '../../../src/service/maintenance/check.ts';
import { createEmptyDatabase, createTestFolder } from '../../support/database.ts';
import { isPostgres } from '../../support/postgres.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

let salon: TestSalon;
let folder: ReturnType<typeof createTestFolder>;
beforeEach(async () => {
  folder = createTestFolder();
  salon = await openTestSalon();
  const context = salon.as();
  await createWebhook(context, { url: 'https://shop.example/hook' });
  const appointment = await salon.addAppointment({ notes: 'Zoë’s “window” seat \u{1f488} \\ \t' });
  await createPayment(context, { appointment_id: appointment, amount: 500, currency: 'EUR', method: 'cash' });
  for (let count = 0; count < 40; count += 1) await salon.addClient({ first_name: `Ana ${count}` });
  await deleteClient(context, await salon.addClient(), { force: false });
  await salon.openNeighbour();
  return async () => {
    await salon[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
});

/** Every row of every table that both engines have, as text. */
async function readAll(location: string): Promise<Record<string, string[]>> {
  return readSnapshot(location, async ({ readTables, readRows }) => {
    const found: Record<string, string[]> = {};
    for (const table of (await readTables()).keys()) {
      if (/migration|service_lock|client_search/.test(table)) continue;
      const rows: string[] = [];
      for await (const batch of readRows<Record<string, unknown>>(`select * from ${table}`)) {
        for (const { row: _, ...values } of batch) {
          rows.push(JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1))));
        }
      }
      found[table] = rows.toSorted();
    }
    return found;
  });
}

function readVersions(rows: readonly string[] = []): (number | undefined)[] {
  return rows.map((row) => new Map<string, number>(JSON.parse(row)).get('version'));
}

/** Versions of a copy whose original may go on count milliseconds. */
function isNew(version: number | undefined): boolean {
  return version !== undefined && version > 1e14 && version < 1e15;
}

const environment = { env: {}, random: (size: number) => new Uint8Array(size) };

describe('a copy of a salon', () => {
  it('has every row, also after the way back', async () => {
    const { location } = salon.store;
    const before = await readAll(location);
    const file = join(folder.path, 'moved.db');
    const copied = await copySalon(location, file, environment);
    const rows = Object.values(before).flat().length;
    expect(copied).toMatchObject({ accounts: 2, rows, unreadable: 1, isOutdated: false });
    expect(await readAll(file)).toEqual(before);
    expect(readdirSync(folder.path)).toEqual(['moved.db']);

    await using back = isPostgres ? await createEmptyDatabase(join(folder.path, 'unused')) : undefined;
    const target = back?.location ?? join(folder.path, 'back.db');
    await copySalon(file, target, environment);
    expect(await readAll(target)).toEqual(before);
    expect((await checkDatabase(target)).every(({ status }) => status === 'passed')).toBe(true);
  });

  it('is never made over a salon', async () => {
    const file = join(folder.path, 'moved.db');
    await copySalon(salon.store.location, file, environment);
    const before = await readAll(salon.store.location);
    await expect(copySalon(file, salon.store.location, environment)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/already (?:exists|contains a salon)\.$/),
    });
    expect(await readAll(salon.store.location)).toEqual(before);
  });
});

describe('a backup of any engine', () => {
  it('can be restored, with versions that were never used', async () => {
    const file = join(folder.path, 'backup.db');
    await backupDatabase(salon.store.location, file, {});
    await using empty = isPostgres ? await createEmptyDatabase(join(folder.path, 'unused')) : undefined;
    const target = empty?.location ?? join(folder.path, 'restored.db');
    expect(await restoreDatabase(file, target, environment)).toMatchObject({ accounts: 2 });
    const { collections: formerVersions, ...before } = await readAll(salon.store.location);
    // A file raises its versions when it is first opened.
    await (await openDatabase(target)).close();
    const { collections, ...restored } = await readAll(target);
    expect(restored).toEqual(before);
    expect(collections).toHaveLength(formerVersions?.length ?? 0);
    expect(readVersions(collections).every(isNew)).toBe(true);
  });

  it('can be copied, with versions that its original has not given out', async () => {
    const file = join(folder.path, 'backup.db');
    await backupDatabase(salon.store.location, file, {});
    await using empty = isPostgres ? await createEmptyDatabase(join(folder.path, 'unused')) : undefined;
    const target = empty?.location ?? join(folder.path, 'copied.db');
    expect(await copySalon(file, target, environment)).toMatchObject({ accounts: 2, isOutdated: false });
    await (await openDatabase(target)).close();
    const { collections } = await readAll(target);
    expect(readVersions(collections).every(isNew)).toBe(true);
  });

  it('is made while others write, as of one moment', async () => {
    const file = join(folder.path, 'backup.db');
    const writing = Array.from({ length: 60 }, (_, index) => salon.addClient({ first_name: `New ${index}` }));
    await backupDatabase(salon.store.location, file, {});
    await Promise.all(writing);
    const results = await checkDatabase(file);
    expect(results.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
