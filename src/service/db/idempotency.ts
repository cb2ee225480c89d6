import { identifierPrefixes } from '../../contract/identifiers.ts';
import type { Database } from './database.ts';
import type { Writer } from './engine.ts';
import type { ErasedClient } from './events.ts';
import type { Tables } from './tables.ts';

export type IdempotencyRecord = Omit<Tables['idempotency_keys'], 'seq'>;

/** Every 16th record deletes up to 32 expired ones, so that the table stays bounded and most writes pay nothing. */
const cleanupInterval = 16;
const maxDeleted = 32;

/** The result saved under a key since a time; undefined when there is none. */
export async function readIdempotencyRecord(
  tx: Writer,
  { accountId, key, sinceMs }: { accountId: string; key: string; sinceMs: number },
): Promise<IdempotencyRecord | undefined> {
  const text = 'select * from idempotency_keys where account_id = ? and key = ? and kept_ms >= ?';
  const [record] = await tx.run<IdempotencyRecord>(text, [accountId, key, sinceMs]);
  return record;
}

/** Saves a result under its key, replacing an older one, and now and then deletes records from before a time. */
export async function saveIdempotencyRecord(
  tx: Writer,
  record: IdempotencyRecord,
  expiredBeforeMs: number,
): Promise<void> {
  const { account_id, key, request, record_id, client_id, answer, kept_ms } = record;
  const [row] = await tx.run<{ seq: number }>(
    `insert or replace into idempotency_keys (account_id, key, request, record_id, client_id, answer, kept_ms)
      values (?, ?, ?, ?, ?, ?, ?) returning seq`,
    [account_id, key, request, record_id, client_id, answer, kept_ms],
  );
  if ((row?.seq ?? 0) % cleanupInterval === 0) {
    await deleteExpired(tx, expiredBeforeMs);
  }
}

/** A saved result with the personal data of a client. */
export type PersonalResult = Pick<Tables['idempotency_keys'], 'seq' | 'record_id'> & {
  readonly answer: string;
};

/** The saved results with personal data of a client, and those of redeliveries that may have some. */
export function readResultsOfClient(
  tx: Writer,
  { accountId, clientId, sinceMs = 0 }: ErasedClient,
): Promise<PersonalResult[]> {
  const select = 'select seq, record_id, answer from idempotency_keys where account_id = ? and kept_ms >= ?';
  // An event can have texts of two clients.
  const text = `${select} and client_id = ? and answer is not null
    union ${select} and record_id like '${identifierPrefixes.delivery}%' and answer like ?`;
  const scope = [accountId, sinceMs];
  return tx.run<PersonalResult>(text, [...scope, clientId, ...scope, `%"${clientId}"%`]);
}

/** Replaces a saved result; the key stays used. */
export async function replaceResult(
  tx: Writer,
  { seq, answer }: { seq: number; answer: string | null },
): Promise<void> {
  await tx.run('update idempotency_keys set answer = ? where seq = ?', [answer, seq]);
}

/** Deletes some results from before a time. Returns whether there may be more. */
export async function deleteExpiredResults(
  { reader, transaction }: Pick<Database, 'reader' | 'transaction'>,
  expiredBeforeMs: number,
): Promise<boolean> {
  // The oldest come first, so one row shows whether any has expired.
  const first = 'select kept_ms from idempotency_keys order by seq limit 1';
  const [oldest] = await reader.run<{ kept_ms: number }>(first, []);
  if (oldest === undefined || oldest.kept_ms >= expiredBeforeMs) return false;
  return transaction('rows', (tx) => deleteExpired(tx, expiredBeforeMs));
}

async function deleteExpired(tx: Writer, expiredBeforeMs: number): Promise<boolean> {
  const text = `delete from idempotency_keys where kept_ms < ?
    and seq in (select seq from idempotency_keys order by seq limit ${maxDeleted}) returning seq`;
  return (await tx.run(text, [expiredBeforeMs])).length === maxDeleted;
}
