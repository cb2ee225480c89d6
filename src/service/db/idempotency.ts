import { identifierPrefixes } from '../../contract/identifiers.ts';
import type { Writer } from './engine.ts';
import type { Tables } from './tables.ts';

export type IdempotencyRecord = Omit<Tables['idempotency_keys'], 'seq'>;

/** With every 16th answer up to 32 old ones go, so that there is an end to them and most writes do not pay for it. */
const keptBetween = 16;
const droppedTogether = 32;

/** What was answered to a key since a moment; undefined when nothing was. */
export async function readIdempotencyRecord(
  tx: Writer,
  { accountId, key, sinceMs }: { accountId: string; key: string; sinceMs: number },
): Promise<IdempotencyRecord | undefined> {
  const text = 'select * from idempotency_keys where account_id = ? and key = ? and kept_ms >= ?';
  const [kept] = await tx.run<IdempotencyRecord>(text, [accountId, key, sinceMs]);
  return kept;
}

/** Keeps an answer in place of one that the key had before, and now and then drops some from before a moment. */
export async function saveIdempotencyRecord(
  tx: Writer,
  answer: IdempotencyRecord,
  droppedBeforeMs: number,
): Promise<void> {
  const { account_id, key, request, record_id, answer: text, kept_ms } = answer;
  const [row] = await tx.run<{ seq: number }>(
    `insert or replace into idempotency_keys (account_id, key, request, record_id, answer, kept_ms)
      values (?, ?, ?, ?, ?, ?) returning seq`,
    [account_id, key, request, record_id, text, kept_ms],
  );
  if ((row?.seq ?? 0) % keptBetween === 0) {
    await dropOldAnswers(tx, droppedBeforeMs);
  }
}

/** Forgets what was answered of a client; that the keys were used stays known. */
export async function eraseIdempotencyRecords(
  tx: Writer,
  { accountId, clientId }: { accountId: string; clientId: string },
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ answer: null })
    .where('account_id', '=', accountId)
    .where('record_id', '=', clientId)
    .execute();
  // A delivery that was begun anew stays, and so does its answer but for the event in it.
  const text = `update idempotency_keys set answer = json_set(answer, '$.event', null)
    where account_id = ? and record_id glob '${identifierPrefixes.delivery}*'
      and json_extract(answer, '$.event.data.object.id') = ?`;
  await tx.run(text, [accountId, clientId]);
}

/** The oldest come first, so a few rows tell whether there are any to drop. */
async function dropOldAnswers(tx: Writer, beforeMs: number): Promise<void> {
  const text = `delete from idempotency_keys where kept_ms < ?
    and seq in (select seq from idempotency_keys order by seq limit ${droppedTogether})`;
  await tx.run(text, [beforeMs]);
}
