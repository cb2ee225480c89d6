import type { Database } from '../database.ts';
import type { Writer } from '../engine.ts';
import type { Tables } from '../tables.ts';

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
export async function endKey(tx: Writer, id: string, at: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(at)) }))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
