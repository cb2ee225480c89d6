import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Reader, Writer } from './engine.ts';
import { createCollections } from './lists/collections.ts';
import type { Tables } from './tables.ts';

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

/** A key together with the account it belongs to. */
export type KeyWithAccount = Omit<Tables['api_keys'], 'hash' | 'created_at'> &
  Pick<Tables['accounts'], 'plan' | 'hourly_limit'> & { account_name: string };

/** The key with a hash; undefined when there is none. Runs once for every request. */
export function readKeyByHash(
  { read, memory }: Pick<Database, 'read' | 'memory'>,
  hash: string,
): Promise<KeyWithAccount | undefined> {
  return memory(hash, async () => {
    const [row] = await read<KeyWithAccount>(byHash, { hash });
    return row;
  });
}

const byHash = `
  select k.id, k.account_id, k.name, k.role, k.scopes, k.stylist_id, k.expires_at, k.revoked_at,
    a.name as account_name, a.plan, a.hourly_limit
  from api_keys as k join accounts as a on a.id = k.account_id
  where k.hash = :hash`;

export async function insertKey(tx: Writer, key: Tables['api_keys']): Promise<void> {
  await tx.insertInto('api_keys').values(key).execute();
}

/** Ends a key, once: the first time stays. Answers whether there is such a key. */
export async function revokeKey(tx: Writer, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(at)) }))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** One account's hour; `start` in Unix seconds. */
export interface RateWindow {
  readonly accountId: string;
  readonly start: number;
}

/** How many of an hour's requests were handed out. */
export async function readGranted(reader: Reader, { accountId, start }: RateWindow): Promise<number> {
  const row = await reader
    .selectFrom('rate_windows')
    .select('granted')
    .where('account_id', '=', accountId)
    .where('window_start', '=', start)
    .executeTakeFirst();
  return row?.granted ?? 0;
}

/** Hands out more of an hour's requests, or takes unspent ones back when `count` is negative. */
export async function addGranted(tx: Writer, { accountId, start }: RateWindow, count: number): Promise<void> {
  await tx
    .insertInto('rate_windows')
    .values({ account_id: accountId, window_start: start, granted: count })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'window_start']).doUpdateSet({ granted: sql`granted + ${count}` }),
    )
    .execute();
}

/** Forgets hours that ended before a moment, in Unix seconds. */
export async function deleteWindowsBefore(tx: Writer, accountId: string, start: number): Promise<void> {
  await tx
    .deleteFrom('rate_windows')
    .where('account_id', '=', accountId)
    .where('window_start', '<', start)
    .execute();
}
