import type { Writer } from '../engine.ts';
import type { CollectionName, Tables } from '../tables.ts';
import { reservePositions } from './collections.ts';
import { insertRows } from './insert-rows.ts';

/** Rows of one list but for their places, which it gives. */
export type NewRows = {
  [Name in CollectionName]: {
    readonly collection: Name;
    readonly rows: readonly Omit<Tables[Name], 'seq'>[];
  };
}[CollectionName];

/** Puts many new records at a list's end, in the order given. Raises the version once for all of them. */
export async function appendRows(tx: Writer, accountId: string, added: NewRows): Promise<void> {
  const { collection, rows } = added;
  if (rows.length === 0) {
    return;
  }
  let seq = await reservePositions(tx, { accountId, collection }, rows.length);
  await insertRows(
    tx,
    collection,
    rows.map((row) => ({ ...row, seq: seq++ })) as Tables[typeof collection][],
  );
}
