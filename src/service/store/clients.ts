import { growCollection, touchCollection } from './collections.ts';
import type { Writer } from './engine.ts';
import type { Tables } from './tables.ts';

/** A client's row but for its place, which the list gives. */
export type ClientRow = Omit<Tables['clients'], 'seq'>;

export async function insertClient(tx: Writer, row: ClientRow): Promise<void> {
  const seq = await growCollection(tx, { accountId: row.account_id, collection: 'clients' });
  await tx
    .insertInto('clients')
    .values({ ...row, seq })
    .execute();
}

export async function replaceClient(tx: Writer, row: ClientRow): Promise<void> {
  await tx
    .updateTable('clients')
    .set(row)
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
  await touchCollection(tx, { accountId: row.account_id, collection: 'clients' });
}
