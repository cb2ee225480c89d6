import type { Writer } from './engine.ts';
import { addRecord, changeRecords } from './lists/collections.ts';
import { insertRows } from './lists/insert-rows.ts';
import type { Tables } from './tables.ts';

/** A stylist's row but for its place, which the list gives. */
export type StylistRow = Omit<Tables['stylists'], 'seq'>;

export function insertStylist(tx: Writer, row: StylistRow): Promise<void> {
  return addRecord(tx, { accountId: row.account_id, collection: 'stylists' }, (seq) =>
    insertRows(tx, 'stylists', [{ ...row, seq }]),
  );
}

export function replaceStylist(tx: Writer, row: StylistRow): Promise<void> {
  const replace = (change: StylistRow) =>
    tx
      .updateTable('stylists')
      .set(change)
      .where('account_id', '=', row.account_id)
      .where('id', '=', row.id)
      .execute();
  return changeRecords(tx, { accountId: row.account_id, collection: 'stylists' }, { rows: [row], replace });
}

/** How a stylist stands with an account; undefined when the account has no such stylist. */
export async function readStylistStanding(
  tx: Writer,
  { accountId, id }: { accountId: string; id: string },
): Promise<'active' | 'inactive' | undefined> {
  const text = 'select active from stylists where account_id = ? and id = ?';
  const [row] = await tx.run<{ active: 0 | 1 }>(text, [accountId, id]);
  return row === undefined ? undefined : row.active === 1 ? 'active' : 'inactive';
}
