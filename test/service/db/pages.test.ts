import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/service/db/database.ts';
import type { CollectionPage } from '../../../src/service/db/pages.ts';
import {
  deleteRecord,
  insertRows,
  reservePositions,
  restoreRecord,
} from '../../../src/service/db/records.ts';
import { openTestDatabase, plainAccount } from '../../support/database.ts';
import { openTestSalon } from '../../support/salon.ts';

const collection = 'stylists';

/** Adds records that contain their own position. */
async function addMany(database: Database, accountId: string, count: number): Promise<number[]> {
  return database.transaction('service', async (tx) => {
    const first = await reservePositions(tx, { accountId, collection }, count);
    const places = Array.from({ length: count }, (_, index) => first + index);
    await insertRows(
      tx,
      collection,
      places.map((seq) => toRow(accountId, seq)),
    );
    return places;
  });
}

function toRow(accountId: string, seq: number) {
  const times = { created_ms: 0, updated_ms: 0 };
  return {
    account_id: accountId,
    seq,
    id: `sty_${seq}`,
    ...times,
    active: 1 as const,
    record: String(seq),
  };
}

function remove(database: Database, accountId: string, places: readonly number[]): Promise<void> {
  return database.transaction('service', async (tx) => {
    for (const seq of places) {
      await deleteRecord(tx, { accountId, collection }, seq);
    }
  });
}

function read(
  database: Database,
  accountId: string,
  from: { offset: number; limit: number },
): Promise<CollectionPage> {
  return database.readPage({
    accountId,
    collection,
    conditions: [],
    order: { column: 'seq', descending: false },
    from: { offset: from.offset },
    limit: from.limit,
  });
}

describe('a page of a whole list', () => {
  it('holds the same rows as a slice of the list, after every insertion and deletion', async () => {
    await using store = await openTestDatabase();
    const { database } = store;
    let accounts = 0;
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 700 }) }),
      fc.record({ from: fc.double({ min: 0, max: 1, noNaN: true }), share: fc.constantFrom(0.01, 0.3, 1) }),
    );
    const page = fc.record({
      page: fc.integer({ min: 1, max: 60 }),
      perPage: fc.integer({ min: 1, max: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(page, { minLength: 5 }),
        async (steps, pages) => {
          accounts += 1;
          const accountId = `acc_${accounts}`;
          await openAccount(database, accountId);
          let live: number[] = [];
          for (const change of [undefined, ...steps]) {
            if (change !== undefined && 'add' in change) {
              live.push(...(await addMany(database, accountId, change.add)));
            } else if (change !== undefined) {
              const start = Math.floor(live.length * change.from);
              const gone = live.slice(start).filter((_, index) => index % Math.ceil(1 / change.share) === 0);
              await remove(database, accountId, gone);
              live = live.filter((seq) => !gone.includes(seq));
            }
            for (const { page, perPage } of pages) {
              const offset = (page - 1) * perPage;
              const { dataJson, total, last } = await read(database, accountId, { offset, limit: perPage });
              const expected = live.slice(offset, offset + perPage);
              expect(JSON.parse(dataJson.toString())).toEqual(expected);
              expect(total).toBe(live.length);
              expect(last?.seq).toBe(live.length > offset + perPage ? expected.at(-1) : undefined);
            }
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is the right one after a row was deleted and another one restored', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    await addMany(database, accountId, 200);
    await remove(database, accountId, [150]);
    await read(database, accountId, { offset: 100, limit: 1 });
    await remove(database, accountId, [5]);
    const { seq, ...row } = toRow(accountId, 150);
    await database.transaction({ accountId }, (tx) =>
      restoreRecord(tx, { accountId, collection }, { seq, row }),
    );
    const { dataJson } = await read(database, accountId, { offset: 100, limit: 2 });
    expect(JSON.parse(dataJson.toString())).toEqual([102, 103]);
  });

  it('is found across all levels of the row-count index, with empty blocks', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    const all = await addMany(database, accountId, 140_000);
    const gone = new Set([1, 2, ...all.slice(255, 1025), ...all.slice(65_000, 66_500), 131_072]);
    await remove(database, accountId, [...gone]);
    const live = all.filter((seq) => !gone.has(seq));
    const ends = [0, 254, 255, 256, 65_000, 65_535, 65_536, 131_070, live.length - 3, live.length];
    for (const offset of ends) {
      const { dataJson } = await read(database, accountId, { offset, limit: 5 });
      expect(JSON.parse(dataJson.toString())).toEqual(live.slice(offset, offset + 5));
    }
  });

  it('is found among millions of rows', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    const count = 2_200_000;
    // Only the parts that are read have rows; the row counts include all.
    const stretches = [0, 1_048_544, 1_100_000, 1_600_000, 2_097_120, count - 96];
    await database.transaction('service', async (tx) => {
      await reservePositions(tx, { accountId, collection }, count);
      const places = stretches.flatMap((start) =>
        Array.from({ length: 96 }, (_, index) => start + index + 1),
      );
      await insertRows(
        tx,
        collection,
        places.map((seq) => toRow(accountId, seq)),
      );
    });
    const gone = [3, 1_048_560, 1_048_577, 1_600_010];
    await remove(database, accountId, gone);
    for (const start of stretches) {
      const first = start + 40;
      const offset = first - 1 - gone.filter((seq) => seq < first).length;
      const { dataJson } = await read(database, accountId, { offset, limit: 3 });
      expect(JSON.parse(dataJson.toString())).toEqual([first, first + 1, first + 2]);
    }
  });

  it('is found after empty blocks that have no row count', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    const all = await addMany(database, accountId, 3000);
    await remove(database, accountId, all.slice(32, 2500));
    await database.transaction('service', (tx) => tx.deleteFrom('blocks').where('live', '=', 0).execute());
    const { dataJson } = await read(database, accountId, { offset: 30, limit: 5 });
    expect(JSON.parse(dataJson.toString())).toEqual([31, 32, 2501, 2502, 2503]);
    const { dataJson: later } = await read(database, accountId, { offset: 40, limit: 2 });
    expect(JSON.parse(later.toString())).toEqual([2509, 2510]);
  });

  it('is empty past the end', async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const { database } = salon.store;
    const [first] = await addMany(database, accountId, 3);
    for (const deleted of [[], [first ?? 0]]) {
      await remove(database, accountId, deleted);
      const page = await read(database, accountId, { offset: Number.MAX_SAFE_INTEGER, limit: 50 });
      expect(page).toMatchObject({ dataJson: Buffer.from('[]'), total: 3 - deleted.length, last: null });
    }
  });

  it("has the collection's version at the time of the read", async () => {
    await using salon = await openTestSalon();
    const { accountId } = salon;
    const other = await salon.store.openAgain();
    const before = (await read(other, accountId, { offset: 0, limit: 1 })).version;
    await addMany(salon.store.database, accountId, 1);
    await remove(salon.store.database, accountId, [1]);
    expect((await read(other, accountId, { offset: 0, limit: 1 })).version).toBe(before + 2);
  });
});

async function openAccount(database: Database, id: string): Promise<void> {
  await database.transaction('service', async (tx) => {
    await tx
      .insertInto('accounts')
      .values({ id, name: id, ...plainAccount })
      .execute();
    await tx
      .insertInto('collections')
      .values({ account_id: id, name: collection, version: 0, last_seq: 0, total: 0, bytes: 0 })
      .execute();
  });
}
