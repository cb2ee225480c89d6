import type { Writer } from '../engine.ts';
import type { CollectionName } from '../tables.ts';

/** Replaces the columns that a row has in the record of its account and identifier; the others stay. */
export async function updateRow(
  tx: Writer,
  table: CollectionName,
  { account_id, id, ...columns }: { readonly account_id: string; readonly id: string },
): Promise<void> {
  const changed = Object.entries<number | string | null>(columns);
  const text = `update ${table} set ${changed.map(([column]) => `${column} = ?`).join(', ')}
    where account_id = ? and id = ?`;
  await tx.run(text, [...changed.map(([, value]) => value), account_id, id]);
}
