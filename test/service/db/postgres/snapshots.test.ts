import { expect, it } from 'vitest';
import type { Database } from '../../../../src/service/db/database.ts';
import { toInsert } from '../../../../src/service/db/rows.ts';
import { openTestDatabase, plainAccount } from '../../../support/database.ts';

const insertAccount = ({ transaction }: Database, id: string) =>
  transaction('service', (tx) => tx.run(...toInsert('accounts', [{ id, name: 'One', ...plainAccount }])));

it('a snapshot does not change while others write, and is of no use once it is closed', async () => {
  await using store = await openTestDatabase();
  const { database } = store;
  const snapshot = await database.openSnapshot('acc_1');
  const read = () => snapshot.run('select id from accounts', []);
  expect(await read()).toEqual([]);
  await insertAccount(database, 'acc_1');
  expect(await read()).toEqual([]);
  await snapshot.close();
  await expect(read()).rejects.toThrow('closed');
  expect(await database.reader.run('select id from accounts', [])).toEqual([{ id: 'acc_1' }]);
});

it('an open snapshot does not keep the database from closing', async () => {
  await using store = await openTestDatabase();
  const snapshot = await store.database.openSnapshot('acc_1');
  const reading = snapshot.run('select pg_sleep(60)', []);
  await Promise.all([store.database.close(), expect(reading).rejects.toThrow()]);
  await expect(snapshot.run('select 1', [])).rejects.toThrow('closed');
  await snapshot.close();
});
