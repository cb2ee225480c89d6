import { CompiledQuery } from 'kysely';
import type { Writer } from './engine.ts';
import type { Tables } from './tables.ts';

export type KeptAnswer = Omit<Tables['idempotency_keys'], 'seq'>;

/** Old answers that go with each new one: two, so that there is an end to them. */
const droppedTogether = 2;

/** What was answered to a key since a moment; undefined when nothing was. */
export async function readKeptAnswer(
  tx: Writer,
  { accountId, key, sinceMs }: { accountId: string; key: string; sinceMs: number },
): Promise<KeptAnswer | undefined> {
  const text = 'select * from idempotency_keys where account_id = ? and key = ? and kept_ms >= ?';
  const { rows } = await tx.executeQuery<KeptAnswer>(CompiledQuery.raw(text, [accountId, key, sinceMs]));
  return rows[0];
}

/** Keeps an answer in place of one that the key had before, and drops some from before a moment. */
export async function keepAnswer(tx: Writer, answer: KeptAnswer, droppedBeforeMs: number): Promise<void> {
  await tx.executeQuery(
    CompiledQuery.raw(
      `delete from idempotency_keys where kept_ms < ?
        and seq in (select seq from idempotency_keys order by seq limit ${droppedTogether})`,
      [droppedBeforeMs],
    ),
  );
  const { account_id, key, request, record_id, answer: text, kept_ms } = answer;
  await tx.executeQuery(
    CompiledQuery.raw(
      `insert or replace into idempotency_keys (account_id, key, request, record_id, answer, kept_ms)
        values (?, ?, ?, ?, ?, ?)`,
      [account_id, key, request, record_id, text, kept_ms],
    ),
  );
}

/** Forgets what was answered of a record; that the keys were used stays known. */
export async function eraseAnswers(
  tx: Writer,
  { accountId, recordId }: { accountId: string; recordId: string },
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ answer: null })
    .where('account_id', '=', accountId)
    .where('record_id', '=', recordId)
    .execute();
}
