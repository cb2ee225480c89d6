import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { insertErasure, readPendingErasures } from '../../../../src/service/db/records/removed-clients.ts';
import {
  compactAfterErasures,
  compactBeforeClose,
  compactNow,
  compactWhenQuiet,
} from '../../../../src/service/domain/clean-up.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { createRandomNumbers } from '../../../support/random-numbers.ts';

const names = Array.from({ length: 800 }, (_, index) => `<person ${index}>`);

/** Rows that grow and shrink, so that SQLite moves them between pages; then some are deleted. */
async function fillAndDelete({ database }: TestDatabase): Promise<void> {
  const random = createRandomNumbers(1);
  const toBody = (seq: number, most: number) => names[seq] + 'x'.repeat(Math.floor(random() * most));
  await database.transaction('service', async (tx) => {
    await tx.run(
      `insert into accounts (id, name, plan, created_at) values ('acc_1', 'Salon', 'pro', '2026-01-01')`,
      [],
    );
    const insert = `insert into events (seq, id, account_id, type, created_ms, body, stored_bytes)
      values (?, '', 'acc_1', 'webhook.test', 0, ?, 0)`;
    for (const seq of names.keys()) await tx.run(insert, [seq, toBody(seq, 600)]);
    for (let step = 0; step < names.length; step++) {
      const seq = Math.floor(random() * names.length);
      await tx.run('update events set body = ? where seq = ?', [
        toBody(seq, step % 9 === 0 ? 5000 : 700),
        seq,
      ]);
    }
    await tx.run('delete from events where seq % 4 = 0', []);
    await insertErasure(tx, { account_id: 'acc_1', id: 'cli_1', erased_ms: 0 });
  });
  await database.purge();
}

/** Deleted names that the files still contain. */
function findDeleted({ file }: TestDatabase): string[] {
  const content = ['', '-wal'].map((suffix) => readFileSync(file + suffix).toString('latin1')).join();
  return names.filter((name, seq) => seq % 4 === 0 && content.includes(name));
}

describe('a compaction', () => {
  it('removes the copies that SQLite leaves of moved rows', async () => {
    await using store = await openTestDatabase();
    await fillAndDelete(store);
    expect(await compactAfterErasures(store.database)).toBe(true);
    expect(findDeleted(store)).toEqual([]);
    const [left] = await store.database.reader.run('select count(*) as count from events', []);
    expect(left).toEqual({ count: 600 });
    expect(await readPendingErasures(store.database.reader)).toEqual([]);
  });

  it('waits until no more erasures follow, ten minutes at most', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    const minuteMs = 60_000;
    const isPending = async () => (await readPendingErasures(database.reader)).length > 0;
    for (const erasedMs of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((minutes) => minutes * minuteMs)) {
      await database.transaction('service', (tx) =>
        insertErasure(tx, { account_id: 'acc_1', id: 'cli_1', erased_ms: erasedMs }),
      );
      await compactWhenQuiet(database, erasedMs + minuteMs - 1);
      expect(await isPending()).toBe(true);
    }
    await compactWhenQuiet(database, 10 * minuteMs - 1);
    expect(await isPending()).toBe(true);
    await compactWhenQuiet(database, 10 * minuteMs);
    expect(await isPending()).toBe(false);
    await database.transaction('service', (tx) =>
      insertErasure(tx, { account_id: 'acc_1', id: 'cli_1', erased_ms: 20 * minuteMs }),
    );
    await compactWhenQuiet(database, 21 * minuteMs);
    expect(await isPending()).toBe(false);
  });

  it('is repeated later while another process reads', async () => {
    await using store = await openTestDatabase();
    await fillAndDelete(store);
    const other = new DatabaseSync(store.file);
    other.exec('begin');
    other.prepare('select count(*) from events').get();
    expect(await compactAfterErasures(store.database)).toBe(false);
    expect(await readPendingErasures(store.database.reader)).toHaveLength(1);
    other.exec('commit');
    other.close();
    expect(await compactAfterErasures(store.database)).toBe(true);
    expect(findDeleted(store)).toEqual([]);
  });

  it('of a large database is left to the operator', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    await database.transaction('service', (tx) =>
      insertErasure(tx, { account_id: 'acc_1', id: 'cli_1', erased_ms: 0 }),
    );
    const large = { ...database, readBytes: async () => 2 ** 30 + 1 };
    expect(await compactWhenQuiet(large, 3_600_000)).toBe(false);
    await compactBeforeClose(large);
    expect(await readPendingErasures(database.reader)).toHaveLength(1);
    expect(await compactNow(large)).toEqual({ bytes: 2 ** 30 + 1 });
    expect(await readPendingErasures(database.reader)).toEqual([]);
    expect(await compactWhenQuiet(large, 3_600_000)).toBe(true);
  });

  it('leaves a database without erasures alone', async () => {
    await using store = await openTestDatabase();
    const compact = () => Promise.reject(new Error('The database was rewritten.'));
    expect(await compactAfterErasures({ ...store.database, compact })).toBe(true);
  });
});
