import { describe, expect, it } from 'vitest';
import { toInsert } from '../../../src/service/db/rows.ts';
import { addAccount, countAccounts, openTestDatabase, plainAccount } from '../../support/database.ts';

const account = { id: 'acc_1', name: 'One', ...plainAccount } as const;

describe('a database', () => {
  it('can be closed twice', async () => {
    await using store = await openTestDatabase();
    await store.database.close();
    await expect(store.database.close()).resolves.toBeUndefined();
  });
});

describe('a transaction', () => {
  it('is invisible to the reader until it commits, and does not block it', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    await database.transaction('service', async (tx) => {
      await tx.run(...toInsert('accounts', [account]));
      expect(await countAccounts(database)).toBe(0);
    });
    expect(await countAccounts(database)).toBe(1);
  });

  it('rolls back when its body throws', async () => {
    await using store = await openTestDatabase();
    const failing = store.database.transaction('service', async (tx) => {
      await tx.run(...toInsert('accounts', [account]));
      throw new Error('failed on purpose');
    });
    await expect(failing).rejects.toThrow('failed on purpose');
    expect(await countAccounts(store.database)).toBe(0);
  });

  it('waits for other transactions, of other processes too', async () => {
    await using store = await openTestDatabase();
    const other = await store.openAgain();
    const ids = Array.from({ length: 20 }, (_, index) => `acc_${index}`);
    await Promise.all(ids.map((id, index) => addAccount(index % 2 === 0 ? store.database : other, id)));
    expect(await countAccounts(store.database)).toBe(20);
    expect(await countAccounts(other)).toBe(20);
  });

  it('finishes before the database closes', async () => {
    await using store = await openTestDatabase();
    const adding = addAccount(store.database, 'acc_1');
    await store.database.close();
    await adding;
    expect(await countAccounts(await store.openAgain())).toBe(1);
  });

  it('reports a duplicate key', async () => {
    await using store = await openTestDatabase();
    await addAccount(store.database, 'acc_1');
    await expect(addAccount(store.database, 'acc_1')).rejects.toMatchObject({
      code: 'conflict',
      cause: expect.any(Error),
    });
  });
});

describe('a value with a NUL character', () => {
  it('is looked up and found to be missing', async () => {
    await using store = await openTestDatabase();
    const rows = await store.database.reader.run('select 1 from accounts where id = ?', ['a\0']);
    expect(rows).toEqual([]);
  });
});
