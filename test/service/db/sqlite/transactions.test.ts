import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/service/db/database.ts';
import type { Writer } from '../../../../src/service/db/engine.ts';
import { toInsert } from '../../../../src/service/db/rows.ts';
import { openTestDatabase, plainAccount } from '../../../support/database.ts';

async function insertAccount(tx: Writer, id: string): Promise<string> {
  await tx.run(...toInsert('accounts', [{ id, name: id, ...plainAccount }]));
  return id;
}

async function readIds({ reader }: Database): Promise<string[]> {
  const rows = await reader.run<{ id: string }>('select id from accounts order by id', []);
  return rows.map(({ id }) => id);
}

describe('transactions that arrive together', () => {
  it('fail independently: one that throws rolls back only its own changes', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    const results = await Promise.allSettled(
      ['acc_1', 'acc_2', 'acc_3'].map((id) =>
        database.transaction('service', async (tx) => {
          await insertAccount(tx, id);
          if (id === 'acc_2') throw new Error('failed on purpose');
          return id;
        }),
      ),
    );
    expect(results).toEqual([
      { status: 'fulfilled', value: 'acc_1' },
      { status: 'rejected', reason: new Error('failed on purpose') },
      { status: 'fulfilled', value: 'acc_3' },
    ]);
    expect(await readIds(database)).toEqual(['acc_1', 'acc_3']);
  });

  it('see the changes of earlier ones, except rolled back ones', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    const first = database.transaction('service', (tx) => insertAccount(tx, 'acc_1'));
    const again = database.transaction('service', (tx) => insertAccount(tx, 'acc_1'));
    const seen = database.transaction('service', (tx) => tx.run('select id from accounts', []));
    expect(await first).toBe('acc_1');
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
    expect(await seen).toEqual([{ id: 'acc_1' }]);
  });

  it('settle only after the commit, rejections too', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    const other = await store.openAgain();
    const seen: string[][] = [];
    const look = async () => {
      seen.push(await readIds(other));
    };
    await Promise.all([
      database.transaction('service', (tx) => insertAccount(tx, 'acc_1')).then(look),
      database.transaction('service', async () => Promise.reject(new Error('no'))).catch(look),
      database.transaction('service', (tx) => insertAccount(tx, 'acc_2')).then(look),
    ]);
    for (const ids of seen) expect(ids).toContain('acc_1');
    expect(seen.at(-1)).toEqual(['acc_1', 'acc_2']);
  });

  it('of accounts take turns, however many one of them has', async () => {
    await using store = await openTestDatabase();
    const order: string[] = [];
    const write = (accountId: string) =>
      store.database.transaction({ accountId }, async () => void order.push(accountId));
    await Promise.all(['busy', 'busy', 'busy', 'busy', 'other'].map(write));
    expect(order).toEqual(['busy', 'busy', 'other', 'busy', 'busy']);
  });

  it('fail alone when their commit does', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    // A deferred foreign key fails at the commit only.
    const breaking = database.transaction('service', async (tx) => {
      await tx.run('pragma defer_foreign_keys = on', []);
      await tx.run("insert into collections values ('none', 'clients', 0, 0, 0, 0)", []);
    });
    const harmless = database.transaction('service', (tx) => insertAccount(tx, 'acc_1'));
    const results = await Promise.allSettled([breaking, harmless]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await readIds(database)).toEqual(['acc_1']);
  });

  it('report every lost change when the disk is full', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    await database.transaction('service', (tx) => tx.run('pragma max_page_count = 120', []));
    const ids = Array.from({ length: 40 }, (_, index) => `acc_${String(index).padStart(2, '0')}`);
    const results = await Promise.allSettled(
      ids.map((id) =>
        database.transaction('service', async (tx) => {
          await insertAccount(tx, id);
          await tx.run('update accounts set name = ? where id = ?', ['x'.repeat(20_000), id]);
          return id;
        }),
      ),
    );
    const acknowledged = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(await readIds(database)).toEqual(acknowledged);
    expect(results.find((one) => one.status === 'rejected')).toMatchObject({
      reason: { code: 'service_unavailable', retryable: true },
    });
  });

  it('let other processes write in between', async () => {
    await using store = await openTestDatabase();
    const databases = [store.database, await store.openAgain(), await store.openAgain()];
    const ids = Array.from({ length: 300 }, (_, index) => `acc_${String(index).padStart(3, '0')}`);
    await Promise.all(
      ids.map((id, index) => databases[index % 3]?.transaction('service', (tx) => insertAccount(tx, id))),
    );
    expect(await readIds(store.database)).toEqual(ids);
  });
});
