import type { Writer } from './engine.ts';
import { addRecord, changeRecords } from './lists/collections.ts';
import { insertRows } from './lists/insert-rows.ts';
import type { Tables } from './tables.ts';

/** A client's row but for its place, which the list gives. */
export type ClientRow = Omit<Tables['clients'], 'seq'>;

export function insertClient(tx: Writer, row: ClientRow): Promise<void> {
  return addRecord(tx, { accountId: row.account_id, collection: 'clients' }, (seq) =>
    insertRows(tx, 'clients', [{ ...row, seq }]),
  );
}

export function replaceClient(tx: Writer, row: ClientRow): Promise<void> {
  const replace = (change: ClientRow) =>
    tx
      .updateTable('clients')
      .set(change)
      .where('account_id', '=', row.account_id)
      .where('id', '=', row.id)
      .execute();
  return changeRecords(tx, { accountId: row.account_id, collection: 'clients' }, { rows: [row], replace });
}
