import type { Reader, Writer } from './engine.ts';
import type { Tables } from './tables.ts';

export type Erasure = Tables['erasures'];

export async function insertErasure(tx: Writer, { account_id, id, erased_ms }: Erasure): Promise<void> {
  await tx.run(
    `insert into erasures (account_id, id, erased_ms) values (?, ?, ?)
      on conflict (account_id, id) do update set erased_ms = excluded.erased_ms`,
    [account_id, id, erased_ms],
  );
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
