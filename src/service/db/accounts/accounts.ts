import type { Reader, Writer } from '../engine.ts';
import { createCollections } from '../lists/collections.ts';
import type { Tables } from '../tables.ts';

type AccountRow = Tables['accounts'];

/** Adds an account with its lists, all empty. */
export async function insertAccount(tx: Writer, account: AccountRow): Promise<void> {
  await tx.insertInto('accounts').values(account).execute();
  await createCollections(tx, account.id);
}

/** Every account, oldest first. */
export function readAccounts(reader: Reader): Promise<AccountRow[]> {
  return reader.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
}
