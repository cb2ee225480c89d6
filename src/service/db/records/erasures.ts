import type { Reader, Writer } from '../engine.ts';
import { toUpsert } from '../rows.ts';

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
