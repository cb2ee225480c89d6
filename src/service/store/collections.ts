import { sql } from 'kysely';
import { countIn, countOut, type Place } from './blocks.ts';
import type { Reader, Writer } from './engine.ts';
import type { CollectionName } from './tables.ts';

const names = ['clients', 'appointments', 'stylists'] as const satisfies readonly CollectionName[];

/** Makes a new account's lists, all empty. */
export async function createCollections(tx: Writer, accountId: string): Promise<void> {
  await tx
    .insertInto('collections')
    .values(names.map((name) => ({ account_id: accountId, name, version: 0, last_seq: 0, total: 0 })))
    .execute();
}

/** Makes room for new records at a list's end and answers the place of the first one. Raises the version. */
export async function growCollection(tx: Writer, place: Place, count = 1): Promise<number> {
  const { last_seq } = await tx
    .updateTable('collections')
    .set({ version: sql`version + 1`, last_seq: sql`last_seq + ${count}`, total: sql`total + ${count}` })
    .where('account_id', '=', place.accountId)
    .where('name', '=', place.collection)
    .returning('last_seq')
    .executeTakeFirstOrThrow();
  const first = last_seq - count + 1;
  await countIn(tx, place, { first, count });
  return first;
}

/** Takes one record out of a list: the row, and what is counted of it. Raises the version. */
export async function removeRecord(tx: Writer, place: Place, seq: number): Promise<void> {
  await tx
    .deleteFrom(place.collection)
    .where('account_id', '=', place.accountId)
    .where('seq', '=', seq)
    .execute();
  await countOut(tx, place, seq);
  await tx
    .updateTable('collections')
    .set({ version: sql`version + 1`, total: sql`total - 1` })
    .where('account_id', '=', place.accountId)
    .where('name', '=', place.collection)
    .execute();
}

/** Raises a list's version: some of its records were changed in this transaction. */
export async function touchCollection(tx: Writer, { accountId, collection }: Place): Promise<void> {
  await tx
    .updateTable('collections')
    .set({ version: sql`version + 1` })
    .where('account_id', '=', accountId)
    .where('name', '=', collection)
    .execute();
}

/** How many records of each list an account ever had; places are never given twice. */
export async function readLastPlaces(
  reader: Reader,
  accountId: string,
): Promise<Record<CollectionName, number>> {
  const rows = await reader
    .selectFrom('collections')
    .select(['name', 'last_seq'])
    .where('account_id', '=', accountId)
    .execute();
  const last = { clients: 0, appointments: 0, stylists: 0 };
  for (const { name, last_seq } of rows) {
    last[name] = last_seq;
  }
  return last;
}
