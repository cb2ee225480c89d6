import { type Reader, readColumn, readFirst, type Writer } from '../engine.ts';
import { toInsert, toUpsert } from '../rows.ts';
import type { RecordKey } from './records.ts';

/** A client that was merged into another. Without an archive, it only tells which records to erase together. */
export interface MergedClient {
  account_id: string;
  /** Position in the account's merges, from 1. */
  seq: number;
  id: string;
  into_id: string;
  merged_ms: number;
  /** What reverses the merge, as JSON; null once it was reversed or erased. */
  archive: string | null;
}

/** A merge that can still be reversed. */
export type ArchivedClient = MergedClient & { readonly archive: string };

/** Needs the account's lock. */
export async function insertMergedClient(tx: Writer, row: Omit<ArchivedClient, 'seq'>): Promise<void> {
  const text = 'select coalesce(max(seq), 0) + 1 from merged_clients where account_id = ?';
  const [seq = 1] = await readColumn<number>(tx, text, [row.account_id]);
  await tx.run(...toInsert('merged_clients', [{ ...row, seq }]));
}

/** The archive of a client, newest first if there are several; undefined for one that is not archived. */
export function readArchivedClient(reader: Reader, { accountId, id }: RecordKey) {
  const text = 'select * from merged_clients where account_id = ? and id = ? and archive is not null';
  return readFirst<ArchivedClient>(reader, text, [accountId, id]);
}

/** Every client ever merged into one, the latest first, with an archive or without. */
export function readClientsMergedInto(reader: Reader, { accountId, id }: RecordKey): Promise<MergedClient[]> {
  const text = `select * from merged_clients where account_id = ? and into_id = ? order by seq desc`;
  return reader.run<MergedClient>(text, [accountId, id]);
}

/** Every merge of a client into others. */
export function readMergesOf(reader: Reader, { accountId, id }: RecordKey): Promise<MergedClient[]> {
  return reader.run('select * from merged_clients where account_id = ? and id = ?', [accountId, id]);
}

export function readAccountsWithExpiredArchives(reader: Reader, beforeMs: number) {
  const text = 'select distinct account_id from merged_clients where archive is not null and merged_ms < ?';
  return readColumn<string>(reader, text, [beforeMs]);
}

/** Archives of an account from before a time, the oldest first. */
export function readExpiredArchives(
  reader: Reader,
  { accountId, beforeMs, limit }: { accountId: string; beforeMs: number; limit: number },
): Promise<ArchivedClient[]> {
  const text = `select * from merged_clients where account_id = ? and archive is not null and merged_ms < ?
    order by merged_ms limit ${limit}`;
  return reader.run<ArchivedClient>(text, [accountId, beforeMs]);
}

/** Changes what an archive holds, or with null forgets it; its row still tells who was merged into whom. */
export async function replaceArchive(
  tx: Writer,
  { account_id, seq }: Pick<MergedClient, 'account_id' | 'seq'>,
  archive: string | null,
): Promise<void> {
  const text = 'update merged_clients set archive = ? where account_id = ? and seq = ?';
  await tx.run(text, [archive, account_id, seq]);
}

/** An erased client whose remains may still be in the files of the database. */
export interface Erasure {
  readonly account_id: string;
  readonly id: string;
  readonly erased_ms: number;
}

export async function insertErasure(tx: Writer, erasure: Erasure): Promise<void> {
  await tx.run(...toUpsert('erasures', erasure, ['account_id', 'id']));
}

/** Erasures whose remains may still be in the files of the database, the oldest first. */
export function readPendingErasures(reader: Reader): Promise<Erasure[]> {
  return reader.run<Erasure>('select account_id, id, erased_ms from erasures order by erased_ms', []);
}

/** Deletes erasures, except those that were noted again since they were read. */
export async function deleteErasures(tx: Writer, erasures: readonly Erasure[]): Promise<void> {
  for (const { account_id, id, erased_ms } of erasures) {
    const text = 'delete from erasures where account_id = ? and id = ? and erased_ms = ?';
    await tx.run(text, [account_id, id, erased_ms]);
  }
}
