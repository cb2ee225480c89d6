import { CompiledQuery } from 'kysely';
import type { Reader, Writer } from '../engine.ts';
import type { CollectionName } from '../tables.ts';

/** Whether the account has a record of this identifier. */
export async function hasRecord(
  tx: Writer,
  collection: CollectionName,
  { accountId, id }: { accountId: string; id: string },
): Promise<boolean> {
  const text = `select 1 from ${collection} where account_id = ? and id = ?`;
  const rows = await tx.run(text, [accountId, id]);
  return rows.length > 0;
}

/** One record's JSON text as it is answered, and its place; undefined where the account has no such record. */
export async function readRecord(
  reader: Reader,
  collection: CollectionName,
  { accountId, id }: { accountId: string; id: string },
): Promise<{ seq: number; record: string } | undefined> {
  const text = `select seq, record from ${collection} where account_id = ? and id = ?`;
  const { rows } = await reader.executeQuery<{ seq: number; record: string }>(
    CompiledQuery.raw(text, [accountId, id]),
  );
  return rows[0];
}
