import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/service/db/database.ts';
import type { Writer } from '../../../../src/service/db/engine.ts';
import { openTwoAccounts, type TestDatabase } from '../../../support/database.ts';

const lock = { accountId: 'acc_1' };

/** Reads and then writes, so that two at once would lose one. */
async function countUp(tx: Writer, id = 'acc_1'): Promise<number> {
  const [row] = await tx.run<{ days: number }>(
    'select kept_days as days from audit_settings where account_id = ?',
    [id],
  );
  const days = (row?.days ?? 0) + 1;
  await tx.run('update audit_settings set kept_days = ? where account_id = ?', [days, id]);
  return days;
}

async function readCount({ reader }: Database, id = 'acc_1'): Promise<number | undefined> {
  const [row] = await reader.run<{ days: number }>(
    'select kept_days as days from audit_settings where account_id = ?',
    [id],
  );
  return row?.days;
}

describe('transactions', () => {
  it('fail alone when they take too long', async () => {
    await using store = await openTwoAccounts();
    const { transaction } = store.database;
    const slow = transaction(lock, async (tx) => {
      await countUp(tx);
      await tx.run('set local statement_timeout = 50', []);
      await tx.run('select pg_sleep(60)', []);
    });
    const results = await Promise.allSettled([slow, transaction(lock, countUp), transaction(lock, countUp)]);
    const refusal = { code: 'service_unavailable', message: 'The database takes too long.' };
    expect(results).toMatchObject([{ reason: refusal }, { value: 1 }, { value: 2 }]);
  });

  it('of one account never overlap, in several processes', async () => {
    await using store = await openTwoAccounts();
    const databases = [store.database, await store.openAgain(), await store.openAgain()];
    const counts = await Promise.all(
      Array.from({ length: 150 }, (_, index) => databases[index % 3]?.transaction(lock, (tx) => countUp(tx))),
    );
    expect(counts.sort((left = 0, right = 0) => left - right)).toEqual(
      Array.from({ length: 150 }, (_, index) => index + 1),
    );
  });

  it('of different accounts do not wait for each other', async () => {
    await using store = await openTwoAccounts();
    await store.database.transaction(lock, async (tx) => {
      await countUp(tx);
      await store.database.transaction({ accountId: 'acc_2' }, (other) => countUp(other, 'acc_2'));
      expect(await readCount(store.database, 'acc_2')).toBe(1);
      expect(await readCount(store.database)).toBe(0);
    });
    expect(await readCount(store.database)).toBe(1);
  });

  it('of the service wait for accounts that they lock', async () => {
    await using store = await openTwoAccounts();
    const other = await store.openAgain();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? store.database.transaction(lock, (tx) => countUp(tx))
          : other.transaction('service', async (tx) => {
              await tx.lockAccount('acc_1');
              return countUp(tx);
            }),
      ),
    );
    expect(await readCount(other)).toBe(40);
  });

  it('lose only what fails, and only its error is reported', async () => {
    await using store = await openTwoAccounts();
    const { database } = store;
    const insert = "insert into used_tickets (hash, expires_ms) values ('once', 0)";
    const bodies = [
      (tx: Writer) => countUp(tx),
      async (tx: Writer) => {
        await countUp(tx);
        throw new Error('after a write');
      },
      async () => {
        throw new Error('before a write');
      },
      async (tx: Writer) => {
        // Both are under way before the second fails.
        await tx.run(insert, []);
        await tx.run(insert, []);
        return countUp(tx);
      },
      async (tx: Writer) => {
        await tx.run("update audit_settings set kept_days = 'many' where account_id = ?", ['acc_1']);
      },
      (tx: Writer) => countUp(tx),
    ];
    const results = await Promise.allSettled(bodies.map((body) => database.transaction<unknown>(lock, body)));
    expect(
      results.map((one) => (one.status === 'fulfilled' ? one.value : Object(one.reason).message)),
    ).toEqual([
      1,
      'after a write',
      'before a write',
      'A record with this key already exists.',
      expect.stringContaining('invalid input syntax'),
      2,
    ]);
    expect(await readCount(database)).toBe(2);
    expect(await database.reader.run('select hash from used_tickets', [])).toEqual([]);
  });

  it('run again after a deadlock', async () => {
    await using store = await openTwoAccounts();
    const both = ['acc_1', 'acc_2'];
    const meet = createMeeting();
    const update = async (tx: Writer, ids: readonly string[]) => {
      for (const id of ids) {
        await tx.run(
          'update audit_settings set kept_days = kept_days + 1 where account_id = ? returning kept_days',
          [id],
        );
        await meet();
      }
    };
    await Promise.all([
      store.database.transaction('rows', (tx) => update(tx, both)),
      store.database.transaction('rows', (tx) => update(tx, both.toReversed())),
    ]);
    expect([await readCount(store.database), await readCount(store.database, 'acc_2')]).toEqual([2, 2]);
  });

  it('run again when their connection is lost before the commit', async () => {
    await using store = await openTwoAccounts();
    let runs = 0;
    await store.database.transaction(lock, async (tx) => {
      runs += 1;
      await countUp(tx);
      if (runs === 1) await killConnection(store, tx);
      await countUp(tx);
    });
    expect([runs, await readCount(store.database)]).toEqual([2, 2]);
  });

  it('report an ended connection, and the next one works', async () => {
    await using store = await openTwoAccounts();
    const always = store.database.transaction(lock, async (tx) => {
      await killConnection(store, tx);
      await countUp(tx);
    });
    await expect(always).rejects.toMatchObject({ code: 'service_unavailable', retryable: true });
    expect(await store.database.transaction(lock, (tx) => countUp(tx))).toBe(1);
  });

  it('commit nothing when a write failed that nobody waited for', async () => {
    await using store = await openTwoAccounts();
    const failing = store.database.transaction(lock, async (tx) => {
      await countUp(tx);
      await tx.run('insert into used_tickets (hash, expires_ms) values (null, 0)', []);
    });
    await expect(failing).rejects.toThrow('null value');
    expect(await readCount(store.database)).toBe(0);
  });
});

/** Resolves when two have arrived, for the first time; after that at once. */
function createMeeting(): () => Promise<void> {
  let arrived = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  return async () => {
    arrived += 1;
    if (arrived >= 2) resolve();
    await promise;
  };
}

/** As an administrator or a failing server would. */
async function killConnection({ database }: TestDatabase, tx: Writer): Promise<void> {
  const [row] = await tx.run<{ pid: number }>('select pg_backend_pid() as pid', []);
  await database.reader.run('select pg_terminate_backend(?::int)', [row?.pid ?? 0]);
  await expect
    .poll(() => database.reader.run('select 1 from pg_stat_activity where pid = ?::int', [row?.pid ?? 0]))
    .toEqual([]);
}

it('reads again when an idle connection was lost', async () => {
  await using store = await openTwoAccounts();
  await store.database.reader.run('select 1', []);
  const other = await store.openAgain();
  await other.reader.run(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    [],
  );
  await delay(0);
  expect(await readCount(store.database)).toBe(0);
});
