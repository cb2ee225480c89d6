import type { SalonService } from '../../../contract/salon-service.ts';
import { type Reader, readColumn, readFirst, type Writer } from '../engine.ts';
import type { CollectionKey } from '../pages.ts';
import {
  type CollectionName,
  collections,
  type DerivedRow,
  type NewRow,
  type RecordRows,
} from '../record-rows.ts';
import { type SqlValue, toInsert, toMatch, toUpdate } from '../rows.ts';

/** Larger batches gain nothing measurable. */
const rowsPerInsert = 50;

export interface RecordKey {
  readonly accountId: string;
  readonly id: string;
}

/** Columns to change; the others keep their value. */
type RowChange<Name extends CollectionName> = Partial<NewRow<Name>> &
  Pick<RecordRows[Name], 'account_id' | 'id'>;

/** Creates the empty collections of a new account. */
export async function insertCollections(tx: Writer, accountId: string): Promise<void> {
  const rows = collections.map((collection) => toEmpty({ accountId, collection }));
  await tx.run(...toInsert('collections', rows));
}

function toEmpty({ accountId, collection }: CollectionKey) {
  return { account_id: accountId, name: collection, version: 0, last_seq: 0, total: 0, bytes: 0 };
}

export async function hasRecord(reader: Reader, collection: CollectionName, { accountId, id }: RecordKey) {
  const text = `select 1 from ${collection} where account_id = ? and id = ?`;
  return (await readFirst(reader, text, [accountId, id])) !== undefined;
}

/** The row of a record; undefined when the account has no such record. */
export function readRecord(reader: Reader, collection: CollectionName, { accountId, id }: RecordKey) {
  const text = `select * from ${collection} where account_id = ? and id = ?`;
  return readFirst<StoredRecord>(reader, text, [accountId, id]);
}

interface StoredRecord {
  readonly seq: number;
  readonly record: string;
  /** Of an appointment or a payment. */
  readonly stylist_id?: string | null;
}

/** Adds a record at the end of its account's collection. Raises the version. The end may have been read already. */
export async function insertRecord<Name extends CollectionName>(
  tx: Writer,
  collection: Name,
  row: NewRow<Name>,
  end?: CollectionEnd,
): Promise<void> {
  const change = { positions: 1, records: 1, added: Buffer.byteLength(row.record) };
  const seq = await raiseVersion(tx, { accountId: row.account_id, collection }, change, end);
  await insertRows(tx, collection, [{ ...row, seq }]);
}

/** Adds `count` records with the same columns at the end of a collection. Raises the version once. */
export async function insertRecords<Name extends CollectionName>(
  tx: Writer,
  key: CollectionKey & { readonly collection: Name },
  { count, rows }: { count: number; rows: Iterable<NewRow<Name>> },
): Promise<void> {
  if (count === 0) return;
  const first = await reservePositions(tx, key, count);
  const positioned = Iterator.from(rows).map((row, index) => ({ ...row, seq: first + index }));
  await addBytes(tx, key, { added: await insertRows(tx, key.collection, positioned) });
}

/** Inserts rows with reserved positions. All have the same columns. Returns the bytes of their records. */
export async function insertRows(
  tx: Writer,
  collection: CollectionName,
  rows: Iterable<object>,
): Promise<number> {
  let batch: Record<string, SqlValue>[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row as Record<string, SqlValue>);
    if ('record' in row) bytes += Buffer.byteLength(String(row.record));
    if (batch.length === rowsPerInsert) {
      await tx.run(...toInsert(collection, batch));
      batch = [];
    }
  }
  if (batch.length > 0) await tx.run(...toInsert(collection, batch));
  return bytes;
}

/** Reserves positions for new records at the end of a collection and returns the first. Raises the version. */
export async function reservePositions(tx: Writer, key: CollectionKey, count: number): Promise<number> {
  const lastSeq = await raiseVersion(tx, key, { positions: count, records: count, added: 0 });
  return lastSeq - count + 1;
}

/** Changes existing records of one account. Raises the version once. */
export async function updateRecords<Name extends CollectionName>(
  tx: Writer,
  collection: Name,
  rows: readonly (RowChange<Name> | DerivedRow<Name>)[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const key = { accountId: first.account_id, collection };
  const changed = rows.filter(({ record }) => record !== undefined);
  await raiseVersion(tx, key, { positions: 0, records: 0, ...toByteChange(changed.slice(0, maxFormer)) });
  for (let start = maxFormer; start < changed.length; start += maxFormer) {
    await addBytes(tx, key, toByteChange(changed.slice(start, start + maxFormer)));
  }
  for (const { account_id, id, ...columns } of rows) {
    await tx.run(...toUpdate(collection, columns as Record<string, SqlValue>, { account_id, id }));
  }
}

/** Bounds the number of values in a statement. */
const maxFormer = 500;

function toByteChange(rows: readonly { readonly id: string; readonly record?: string }[]): ByteChange {
  if (rows.length === 0) return { added: 0 };
  const added = rows.reduce((sum, { record = '' }) => sum + Buffer.byteLength(record), 0);
  return { added, former: { column: 'id', values: rows.map(({ id }) => id) } };
}

/** Puts a deleted record back at its former position. Raises the version. */
export async function restoreRecord<Name extends CollectionName>(
  tx: Writer,
  key: CollectionKey & { readonly collection: Name },
  { seq, row }: { seq: number; row: NewRow<Name> },
): Promise<void> {
  await raiseVersion(tx, key, { positions: 0, records: 1, added: Buffer.byteLength(row.record) });
  await insertRows(tx, key.collection, [{ ...row, seq }]);
}

/** The records whose columns have some values, as JSON texts, in creation order. */
export function readRecordTexts(
  reader: Reader,
  collection: CollectionName,
  where: Readonly<Record<string, SqlValue>> & { readonly account_id: string },
) {
  const [match, values] = toMatch(where);
  return readColumn<string>(reader, `select record from ${collection} where ${match} order by seq`, values);
}

/** Deletes the record at a position. Raises the version. */
export async function deleteRecord(tx: Writer, key: CollectionKey, seq: number): Promise<void> {
  const former = { column: 'seq', values: [seq] } as const;
  await raiseVersion(tx, key, { positions: 0, records: -1, added: 0, former });
  await tx.run(`delete from ${key.collection} where account_id = ? and seq = ?`, [key.accountId, seq]);
}

/** The last position given out in each collection of an account. Positions are never reused. */
export async function readLastPositions(
  reader: Reader,
  accountId: string,
): Promise<Record<CollectionName, number>> {
  const text = 'select name, last_seq from collections where account_id = ?';
  const rows = await reader.run<{ name: CollectionName; last_seq: number }>(text, [accountId]);
  const none = collections.map((name) => [name, 0]);
  return Object.fromEntries([...none, ...rows.map(({ name, last_seq }) => [name, last_seq])]);
}

interface ByteChange {
  readonly added: number;
  /** Finds the records as they are before the change. */
  readonly former?: { readonly column: 'seq' | 'id'; readonly values: readonly SqlValue[] };
}

function renderBytes(
  { accountId, collection }: CollectionKey,
  { added, former }: ByteChange,
): { text: string; values: SqlValue[] } {
  if (former === undefined) return { text: 'bytes = bytes + ?', values: [added] };
  const text = `bytes = bytes + ? - (select coalesce(sum(octet_length(record)), 0) from ${collection} as r
    where r.account_id = ? and r.${former.column} in (${former.values.map(() => '?').join(', ')}))`;
  return { text, values: [added, accountId, ...former.values] };
}

/** Counts the bytes of changed records. Comes before the records are changed. */
async function addBytes(tx: Writer, key: CollectionKey, change: ByteChange): Promise<void> {
  const { text, values } = renderBytes(key, change);
  const update = `update collections set ${text} where account_id = ? and name = ?`;
  await tx.run(update, [...values, key.accountId, key.collection]);
}

/** Where a collection of a locked account ends. */
interface CollectionEnd {
  readonly lastSeq: number;
}

/**
 * Raises the version of a collection with its counters, before its records are changed. Returns the last position. It
 * costs less if the end was read already.
 */
async function raiseVersion(
  tx: Writer,
  key: CollectionKey,
  { positions, records, ...change }: ByteChange & { positions: number; records: number },
  end?: CollectionEnd,
): Promise<number> {
  const bytes = renderBytes(key, change);
  const text = `update collections set version = version + 1, last_seq = last_seq + ?, total = total + ?,
    ${bytes.text} where account_id = ? and name = ?`;
  const values = [positions, records, ...bytes.values, key.accountId, key.collection];
  if (end !== undefined) {
    await tx.run(text, values);
    return end.lastSeq + positions;
  }
  const [row] = await tx.run<{ last_seq: number }>(`${text} returning last_seq`, values);
  if (row !== undefined) return row.last_seq;
  // An account that a process of the release before has created since lacks the newest collection.
  await tx.run(...toInsert('collections', [toEmpty(key)]));
  return raiseVersion(tx, key, { positions, records, ...change });
}

/** Undefined for a stylist that the account does not have. */
export type StylistStatus = 'active' | 'inactive' | undefined;

export async function readStylistStatus(
  reader: Reader,
  { accountId, id }: { accountId: string; id: string },
): Promise<StylistStatus> {
  const text = 'select active from stylists where account_id = ? and id = ?';
  const [active] = await readColumn<0 | 1>(reader, text, [accountId, id]);
  return toStylistStatus(active);
}

/** The status by the column `active`, which is missing without a stylist. */
export function toStylistStatus(active: 0 | 1 | null | undefined): StylistStatus {
  if (active === null || active === undefined) return undefined;
  return active === 1 ? 'active' : 'inactive';
}

/** The service with a folded name; undefined if there is none. */
export async function readServiceByName(
  reader: Reader,
  { accountId, nameKey }: { readonly accountId: string; readonly nameKey: string },
): Promise<SalonService | undefined> {
  const where = { account_id: accountId, name_key: nameKey };
  const [record] = await readRecordTexts(reader, 'services', where);
  return record === undefined ? undefined : JSON.parse(record);
}

/** Whether an account has a price, of a service or an appointment. */
export async function hasPrice(reader: Reader, accountId: string): Promise<boolean> {
  const text = `select 1 from services where account_id = ? and price is not null
    union all select 1 from appointments where account_id = ? and payment is not null limit 1`;
  return (await reader.run(text, [accountId, accountId])).length > 0;
}
