import { identifierPrefixes } from '../../contract/identifiers.ts';
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
  const { account_id, key, request, record_id, answer, kept_ms } = record;
  const [row] = await tx.run<{ seq: number }>(
    `insert or replace into idempotency_keys (account_id, key, request, record_id, answer, kept_ms)
      values (?, ?, ?, ?, ?, ?) returning seq`,
    [account_id, key, request, record_id, answer, kept_ms],
  );
  if ((row?.seq ?? 0) % cleanupInterval === 0) {
    // The oldest records come first, so a few rows show whether any has expired.
    const text = `delete from idempotency_keys where kept_ms < ?
      and seq in (select seq from idempotency_keys order by seq limit ${maxDeleted})`;
    await tx.run(text, [expiredBeforeMs]);
  }
}

/** Erases a client's personal data from saved results; the keys stay used. */
export async function eraseIdempotencyRecords(
  tx: Writer,
  { accountId, clientId, sinceMs = 0 }: ErasedClient,
): Promise<void> {
  const text = `update idempotency_keys set answer = null
    where account_id = ? and record_id = ? and kept_ms >= ?`;
  await tx.run(text, [accountId, clientId, sinceMs]);
  // Results of redeliveries stay, without the event.
  const deliveries = `update idempotency_keys set answer = json_set(answer, '$.event', null)
    where account_id = ? and record_id glob '${identifierPrefixes.delivery}*'
      and kept_ms >= ? and json_extract(answer, '$.event.data.object.id') = ?`;
  await tx.run(deliveries, [accountId, sinceMs, clientId]);
}
