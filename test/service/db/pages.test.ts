import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/service/db/database.ts';
import { insertAccount } from '../../../src/service/db/identity/accounts.ts';
import type { CollectionPage } from '../../../src/service/db/pages.ts';
import {
  deleteRecord,
  insertRows,
  reservePositions,
  restoreRecord,
} from '../../../src/service/db/records/records.ts';
import { openTestDatabase, plainAccount } from '../../support/database.ts';
import { openTestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

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
      { numRuns: countBySpeed(25) },
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
    await insertAccount(tx, { id, name: id, ...plainAccount });
  });
}
