import { sql } from 'kysely';
import type { Reader } from './engine.ts';
import type { CollectionName } from './tables.ts';

/** One record's JSON text as it is answered, and its place; undefined where the account has no such record. */
export async function readRecord(
  reader: Reader,
  collection: CollectionName,
  key: { accountId: string; id: string },
): Promise<{ seq: number; record: string } | undefined> {
  const { rows } = await sql<{ seq: number; record: string }>`
    select seq, record from ${sql.table(collection)} where account_id = ${key.accountId} and id = ${key.id}
  `.execute(reader);
  return rows[0];
}
