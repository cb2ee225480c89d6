import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/service/db/database.ts';
import type { ListPageRequest, Order } from '../../../../src/service/db/pages.ts';
import type { Condition } from '../../../../src/service/db/rows.ts';
import { createReadThreads } from '../../../../src/service/db/sqlite/read-threads.ts';
import { createTestFolder } from '../../../support/database.ts';
import { addManyAppointments } from '../../../support/many-appointments.ts';
import { openTestSalon } from '../../../support/salon.ts';

const collection = 'appointments';
/** Longer than what is read on the event loop. */
const listLength = 2500;

const start: Order = { column: 'start_ms', descending: true };

function toRequest(accountId: string, change: Partial<ListPageRequest> = {}): ListPageRequest {
  return { accountId, collection, conditions: [], order: start, from: { offset: 0 }, limit: 200, ...change };
}

const countText = 'select count(*) as count from appointments where account_id = ?';

describe('reads of long lists', () => {
  it('are right with filters, orders, offsets and cursors', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    await addManyAppointments(database, accountId, listLength);
    const conditions: readonly Condition[] = [{ column: 'stylist_id', is: '=', value: 'a' }];
    const all = Array.from({ length: listLength }, (_, index) => index);
    const expected = all.filter((index) => index % 3 === 0).sort((a, b) => (b % 7) - (a % 7) || a - b);
    const read: number[] = [];
    for (let from: ListPageRequest['from'] = { offset: 400 }; ; ) {
      const page = await database.readPage(toRequest(accountId, { conditions, from }));
      expect(page).toMatchObject({ total: expected.length, version: 1 });
      read.push(...JSON.parse(page.dataJson.toString()));
      if (page.last === null) break;
      from = { after: page.last };
    }
    expect(read).toEqual(expected.slice(400));
  });

  it('leave the event loop to others', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    await addManyAppointments(database, accountId, listLength);
    const settled: string[] = [];
    const page = database.readPage(toRequest(accountId)).then(() => settled.push('page'));
    await database.reader.run(countText, [accountId]).then(() => settled.push('other'));
    await page;
    expect(settled).toEqual(['other', 'page']);
  });

  it('see every change that was committed before', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    await addManyAppointments(database, accountId, listLength);
    const before = await database.readPage(toRequest(accountId));
    await addManyAppointments(database, (await salon.openNeighbour()).accountId, 1);
    expect(await database.readPage(toRequest(accountId))).toEqual(before);
    const id = await salon.addAppointment();
    const after = await database.readPage(toRequest(accountId, { limit: 1 }));
    expect(after.total).toBe(listLength + 1);
    expect(JSON.parse(after.dataJson.toString())).toMatchObject([{ id }]);
  });

  it('refuse to write', async () => {
    await using salon = await openTestSalon();
    const scan = salon.store.database.scan(salon.accountId);
    expect(await scan.run('select id from accounts', [])).toEqual([{ id: salon.accountId }]);
    await expect(scan.run('delete from stylists', [])).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'The database is read-only.',
    });
    await expect(scan.run('select missing', [])).rejects.toThrow('no such column: missing');
  });

  it('are refused after the database is closed', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    await database.scan(salon.accountId).run('select 1', []);
    await database.close();
    const refused = { code: 'service_unavailable' };
    await expect(database.scan(salon.accountId).run('select 1', [])).rejects.toMatchObject(refused);
    await expect(database.openSnapshot(salon.accountId)).rejects.toMatchObject(refused);
  });

  it('fail alone if their thread ends', async () => {
    using folder = createTestFolder();
    const threads = createReadThreads(join(folder.path, 'missing.db'));
    for (let round = 0; round < 3; round++) {
      const reads = ['acc_1', 'acc_2'].map((id) => threads.toReader(id).run('select 1', []));
      expect(await Promise.allSettled(reads)).toMatchObject([
        { status: 'rejected', reason: { code: 'service_unavailable' } },
        { status: 'rejected', reason: { code: 'service_unavailable' } },
      ]);
    }
    await threads.close();
  });
});

describe('a snapshot', () => {
  it('sees one moment while others write', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    await addManyAppointments(database, accountId, 2);
    const snapshot = await database.openSnapshot(accountId);
    await salon.addAppointment();
    expect(await snapshot.run(countText, [accountId])).toEqual([{ count: 2 }]);
    expect(await snapshot.readPage(toRequest(accountId))).toMatchObject({ total: 2, version: 1 });
    expect(await database.reader.run(countText, [accountId])).toEqual([{ count: 3 }]);
    await snapshot.close();
    await snapshot.close();
    await expect(snapshot.run(countText, [accountId])).rejects.toThrow('closed');
  });

  it('hands over bytes', async () => {
    await using salon = await openTestSalon();
    const snapshot = await salon.store.database.openSnapshot(salon.accountId);
    const rows = await snapshot.run("select cast('salón' as blob) as bytes, 1 as number, null as absent", []);
    expect(rows).toEqual([{ bytes: new Uint8Array(Buffer.from('salón')), number: 1, absent: null }]);
    await snapshot.close();
  });

  it('is refused when too many are open, until one is closed', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    const open = Array.from({ length: 16 }, () => database.openSnapshot(accountId));
    const [first] = await Promise.all(open);
    await expect(database.openSnapshot(accountId)).rejects.toMatchObject({ code: 'service_unavailable' });
    await first?.close();
    const another = await database.openSnapshot(accountId);
    expect(await another.run('select 1 as one', [])).toEqual([{ one: 1 }]);
  });
});

describe('a service for one command', () => {
  it('reads without a thread, with the same guarantees', async () => {
    await using salon = await openTestSalon();
    const { accountId, store } = salon;
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    process.on('worker', count);
    await using database = await openDatabase(store.file, { readsHere: true });
    await addManyAppointments(database, accountId, listLength);
    const snapshot = await database.openSnapshot(accountId);
    await salon.addAppointment();
    expect(await snapshot.run(countText, [accountId])).toEqual([{ count: listLength }]);
    expect(await snapshot.readPage(toRequest(accountId))).toMatchObject({ total: listLength });
    expect(await database.readPage(toRequest(accountId))).toMatchObject({ total: listLength + 1 });
    await snapshot.close();
    await expect(snapshot.run(countText, [accountId])).rejects.toThrow('closed');
    await expect(database.scan(accountId).run('delete from stylists', [])).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'The database is read-only.',
    });
    process.off('worker', count);
    expect(threads).toBe(0);
  });
});
