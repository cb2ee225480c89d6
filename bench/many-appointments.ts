import type { Database } from '../src/service/db/database.ts';
import { deleteRecord, reservePositions } from '../src/service/db/records/records.ts';

const collection = 'appointments';
const perTransaction = 100_000;
const removedPerTransaction = 1000;

/** Adds many simple appointments of normal length, generated inside SQLite for speed. */
export async function addMany(database: Database, accountId: string, count: number): Promise<void> {
  for (let added = 0; added < count; added += perTransaction) {
    const some = Math.min(perTransaction, count - added);
    await database.transaction('service', async (tx) => {
      const first = await reservePositions(tx, { accountId, collection }, some);
      await tx.run(insert, [first, first + some - 1, accountId]);
    });
  }
}

/** Deletes one of every `step` appointments, starting at the given positions. */
export async function removeSome(
  database: Database,
  accountId: string,
  { first, step, count }: { first: number; step: number; count: number },
): Promise<void> {
  for (let removed = 0; removed < count; removed += removedPerTransaction) {
    await database.transaction('service', async (tx) => {
      for (let index = removed; index < Math.min(count, removed + removedPerTransaction); index++) {
        await deleteRecord(tx, { accountId, collection }, first + index * step);
      }
    });
  }
}

// Times grow with the position and other values repeat, so that every index grows at its end.
const insert = `
  with recursive places(seq) as (select ?1 union all select seq + 1 from places where seq < ?2)
  insert into appointments (account_id, seq, id, created_ms, updated_ms, client_id, stylist_id, status,
    start_ms, end_ms, record)
  select ?3, seq, printf('apt_%026d', seq), 1000 * seq, 1000 * seq, printf('cli_%026d', seq / 1000),
    printf('sty_%026d', seq % 60), 'confirmed', 60000 * seq, 60000 * seq + 2700000,
    printf('{"id":"apt_%026d","client_id":"cli_%026d","stylist_id":"sty_%026d","service":"Cut and finish","start_time":"2027-01-01T10:00:00Z","duration":45,"status":"confirmed","notes":null,"cancellation_reason":null,"created_at":"2026-01-01T10:00:00.000Z","updated_at":"2026-01-01T10:00:00.000Z"}',
      seq, seq / 1000, seq % 60)
  from places`;
