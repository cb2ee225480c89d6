import { expect, it } from 'vitest';
import type { Database } from '../../../../src/service/db/database.ts';
import { toInsert } from '../../../../src/service/db/rows.ts';
import { openTestDatabase, plainAccount } from '../../../support/database.ts';

/** Waits until notifications arrive: then the data version stays the same. */
async function hear(database: Database): Promise<void> {
  const readTwice = () => new Set([database.readDataVersion(), database.readDataVersion()]);
  await expect.poll(() => readTwice().size).toBe(1);
}

const rename = (database: Database, name: string) =>
  database.transaction('service', (tx) => tx.run('update accounts set name = ?', [name]));

it('changes the data version of this and other processes when access changes', async () => {
  await using store = await openTestDatabase();
  const other = await store.openAgain();
  await Promise.all([hear(store.database), hear(other)]);
  const [own, others] = [store.database.readDataVersion(), other.readDataVersion()];
  await rename(store.database, 'x');
  expect(store.database.readDataVersion()).not.toBe(own);
  await expect.poll(() => other.readDataVersion()).not.toBe(others);
});

it('keeps the data version when only records change', async () => {
  await using store = await openTestDatabase();
  await hear(store.database);
  const before = store.database.readDataVersion();
  await store.database.transaction('rows', (tx) =>
    tx.run("insert into used_tickets (hash, expires_ms) values ('a', 0)", []),
  );
  expect(store.database.readDataVersion()).toBe(before);
});

it('trusts no data version while notifications cannot arrive, and recovers', async () => {
  await using store = await openTestDatabase();
  await hear(store.database);
  const kept = store.database.readDataVersion();
  await store.database.reader.run(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'notify%'`,
    [],
  );
  await expect.poll(() => store.database.readDataVersion()).not.toBe(kept);
  await hear(store.database);
});

it('tells listeners of this and other processes about deliveries, until they stop', async () => {
  await using store = await openTestDatabase();
  const other = await store.openAgain();
  const heard = { own: 0, other: 0, stopped: 0 };
  store.database.listen('deliveries', () => {
    heard.own += 1;
  });
  other.listen('deliveries', () => {
    heard.other += 1;
  });
  other.listen('deliveries', () => {
    heard.stopped += 1;
  })();
  await Promise.all([hear(store.database), hear(other)]);
  const before = { ...heard };
  await store.database.transaction('service', async (tx) => {
    await tx.run(...toInsert('accounts', [{ id: 'acc_1', name: 'One', ...plainAccount }]));
    await tx.run("delete from deliveries where account_id = 'acc_1'", []);
  });
  expect(heard.own).toBe(before.own + 1);
  await expect.poll(() => heard.other).toBeGreaterThan(before.other);
  expect(heard.stopped).toBe(0);
});
