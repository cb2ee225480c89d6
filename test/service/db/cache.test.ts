import { describe, expect, it } from 'vitest';
import { createCache } from '../../../src/service/db/cache.ts';
import type { Database } from '../../../src/service/db/database.ts';
import { openTestDatabase } from '../../support/database.ts';

/** Asks a database's memory for a name, and answers how often it had to be read so far. */
function createAsking({ cache }: Pick<Database, 'cache'>) {
  let reads = 0;
  return (name: string) => cache(name, async () => ++reads);
}

function addAccount(database: Database, id: string): Promise<unknown> {
  const account = { id, name: id, plan: 'pro' as const, hourly_limit: null, created_at: '2026' };
  return database.transaction((tx) => tx.insertInto('accounts').values(account).execute());
}

describe('what a database remembers', () => {
  it('is read once, as long as nobody writes', async () => {
    await using store = await openTestDatabase();
    const ask = createAsking(store.database);
    expect([await ask('a'), await ask('b'), await ask('a'), await ask('b')]).toEqual([1, 2, 1, 2]);
  });

  it.each(['its own', 'another'])('is read again after %s process has written', async (process) => {
    await using store = await openTestDatabase();
    const writing = process === 'another' ? await store.openAgain() : store.database;
    const ask = createAsking(store.database);
    const seen = [];
    for (const id of ['acc_1', 'acc_2']) {
      seen.push(await ask('a'), await ask('a'));
      await addAccount(writing, id);
    }
    expect([...seen, await ask('a')]).toEqual([1, 1, 2, 2, 3]);
  });

  it('is not what was read before a write that somebody else has noticed meanwhile', async () => {
    let mark = 1;
    const cache = createCache(() => mark);
    const slow = Promise.withResolvers<string>();
    const first = cache('a', () => slow.promise);
    mark = 2;
    await cache('b', async () => 'something else');
    slow.resolve('old');
    expect(await first).toBe('old');
    expect(await cache('a', async () => 'new')).toBe('new');
  });

  it('is never that something is missing', async () => {
    const cache = createCache(() => 1);
    expect(await cache('a', async () => undefined)).toBeUndefined();
    expect(await cache('a', async () => 'found')).toBe('found');
  });
});
