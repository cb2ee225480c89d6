import type { Insertable } from 'kysely';
import type { Reader, Writer } from '../engine.ts';
import type { CollectionName, NewRow, Tables } from '../tables.ts';
import { type CollectionKey, countIn, countOut } from './blocks.ts';
import { dropChanges, dropOldChanges, noteChange } from './changes.ts';
import { insertRows } from './insert-rows.ts';
import { updateRow } from './update-row.ts';

const names = [
  'clients',
  'appointments',
  'stylists',
  'payments',
  'webhooks',
] as const satisfies readonly CollectionName[];

/** Makes a new account's lists, all empty. */
export async function createCollections(tx: Writer, accountId: string): Promise<void> {
  await tx
    .insertInto('collections')
    .values(
      names.map((name) => ({
        account_id: accountId,
        name,
        version: 0,
        last_seq: 0,
        total: 0,
        changes_since: 0,
      })),
    )
    .execute();
}

/**
 * Makes room for many new records at a list's end and answers the place of the first one. Raises the version.
 * They are not noted one by one: every filter is counted anew.
 */
export async function reservePositions(tx: Writer, place: CollectionKey, count = 1): Promise<number> {
  const { version, last_seq } = await raiseVersion(tx, place, { places: count, records: count });
  const first = last_seq - count + 1;
  await countIn(tx, place, { first, count });
  await dropChanges(tx, place, version);
  return first;
}

/** What a record's row is changed by: the columns that are there. */
type ChangedRow<Name extends CollectionName> = Partial<NewRow<Name>> &
  Pick<Tables[Name], 'account_id' | 'id'>;

/** Puts one new record at its account's list's end. Raises the version. */
export async function insertRecord<Name extends CollectionName>(
  tx: Writer,
  collection: Name,
  row: NewRow<Name>,
): Promise<void> {
  const place = { accountId: row.account_id, collection };
  const { version, last_seq: seq } = await raiseVersion(tx, place, { places: 1, records: 1 });
  await countIn(tx, place, { first: seq, count: 1 });
  await insertRows(tx, collection, [{ ...row, seq } as Insertable<Tables[Name]>]);
  await noteChange(tx, place, { version, gain: 1, seq });
}

/** Changes records of one account that exist, in the columns that their rows have. Raises the version once for all. */
export async function updateRecords<Name extends CollectionName>(
  tx: Writer,
  collection: Name,
  rows: readonly ChangedRow<Name>[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) {
    return;
  }
  const place = { accountId: first.account_id, collection };
  const { version } = await raiseVersion(tx, place, { places: 0, records: 0 });
  for (const row of rows) {
    await noteChange(tx, place, { version, gain: -1, id: row.id });
    await updateRow(tx, collection, row);
    await noteChange(tx, place, { version, gain: 1, id: row.id });
  }
}

/** Takes one record out of a list: the row, and what is counted of it. Raises the version. */
export async function deleteRecord(tx: Writer, place: CollectionKey, seq: number): Promise<void> {
  const { version } = await raiseVersion(tx, place, { places: 0, records: -1 });
  if (place.collection === 'clients') {
    // Whoever is erased is not to be found among the changes either.
    await dropChanges(tx, place, version);
  } else {
    await noteChange(tx, place, { version, gain: -1, seq });
  }
  await tx
    .deleteFrom(place.collection)
    .where('account_id', '=', place.accountId)
    .where('seq', '=', seq)
    .execute();
  await countOut(tx, place, seq);
}

/** Comes first in every change, so that what is noted of it carries a version that nobody has read yet. */
async function raiseVersion(
  tx: Writer,
  place: CollectionKey,
  { places, records }: { places: number; records: number },
): Promise<{ version: number; last_seq: number }> {
  const text = `update collections
    set version = version + 1, last_seq = last_seq + ?, total = total + ? where account_id = ? and name = ?
    returning version, last_seq`;
  const values = [places, records, place.accountId, place.collection];
  const [head] = await tx.run<{ version: number; last_seq: number }>(text, values);
  if (head === undefined) {
    throw new Error(`The account ${place.accountId} has no list of ${place.collection}.`);
  }
  await dropOldChanges(tx, place, head.version);
  return head;
}

/** How many records of each list an account ever had; places are never given twice. */
export async function readLastPositions(
  reader: Reader,
  accountId: string,
): Promise<Record<CollectionName, number>> {
  const rows = await reader
    .selectFrom('collections')
    .select(['name', 'last_seq'])
    .where('account_id', '=', accountId)
    .execute();
  const last = { clients: 0, appointments: 0, stylists: 0, payments: 0, webhooks: 0 };
  for (const { name, last_seq } of rows) {
    last[name] = last_seq;
  }
  return last;
}
