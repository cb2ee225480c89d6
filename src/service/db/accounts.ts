import { sql } from 'kysely';
import type { Reader, Writer } from './engine.ts';
import { createCollections } from './records.ts';
import type { Tables } from './tables.ts';

type AccountRow = Tables['accounts'];

/** An API key with the account it belongs to. */
export type KeyWithAccount = Omit<Tables['api_keys'], 'hash' | 'created_at'> &
  Pick<AccountRow, 'plan' | 'hourly_limit'> & { account_name: string };

/** One account's hour of requests; `start` in Unix seconds. */
export interface RateWindow {
  readonly accountId: string;
  readonly start: number;
}

/** Adds an account with empty collections. */
export async function insertAccount(tx: Writer, account: AccountRow): Promise<void> {
  await tx.insertInto('accounts').values(account).execute();
  await createCollections(tx, account.id);
}

/** All accounts, oldest first. */
export function readAccounts(reader: Reader): Promise<AccountRow[]> {
  return reader.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** The API key with a hash; undefined when there is none. */
export async function readKeyByHash(reader: Reader, hash: string): Promise<KeyWithAccount | undefined> {
  const text = `
    select k.id, k.account_id, k.name, k.role, k.scopes, k.stylist_id, k.expires_at, k.revoked_at,
      a.name as account_name, a.plan, a.hourly_limit
    from api_keys as k join accounts as a on a.id = k.account_id where k.hash = ?`;
  const [row] = await reader.run<KeyWithAccount>(text, [hash]);
  return row;
}

export async function insertKey(tx: Writer, key: Tables['api_keys']): Promise<void> {
  await tx.insertInto('api_keys').values(key).execute();
}

/** Revokes a key; the first revocation counts. Returns whether the key exists. */
export async function revokeKey(tx: Writer, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(at)) }))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** How many requests of a window were granted to processes. */
export async function readGranted(reader: Reader, { accountId, start }: RateWindow): Promise<number> {
  const row = await reader
    .selectFrom('rate_windows')
    .select('granted')
    .where('account_id', '=', accountId)
    .where('window_start', '=', start)
    .executeTakeFirst();
  return row?.granted ?? 0;
}

/** Grants more requests of a window; a negative `count` returns unused ones. */
export async function addGranted(tx: Writer, { accountId, start }: RateWindow, count: number): Promise<void> {
  await tx
    .insertInto('rate_windows')
    .values({ account_id: accountId, window_start: start, granted: count })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'window_start']).doUpdateSet({ granted: sql`granted + ${count}` }),
    )
    .execute();
}

/** Deletes windows that started before a time in Unix seconds. */
export async function deleteWindowsBefore(tx: Writer, accountId: string, start: number): Promise<void> {
  await tx
    .deleteFrom('rate_windows')
    .where('account_id', '=', accountId)
    .where('window_start', '<', start)
    .execute();
}
