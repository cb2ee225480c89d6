import type { Reader, Writer } from './engine.ts';
import type { Tables } from './tables.ts';

export type PasskeyRow = Tables['passkeys'];

/** A person's passkeys, the oldest first. */
export function readPasskeysOf(reader: Reader, userId: string): Promise<PasskeyRow[]> {
  return reader
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function readPasskey(reader: Reader, id: string): Promise<PasskeyRow | undefined> {
  return reader.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Adds a passkey. Returns false when it is known already. */
export async function insertPasskey(tx: Writer, passkey: PasskeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Notes a use of a passkey. */
export async function updatePasskey(
  tx: Writer,
  { id, counter, last_used_at }: Pick<PasskeyRow, 'id' | 'counter' | 'last_used_at'>,
): Promise<void> {
  await tx.updateTable('passkeys').set({ counter, last_used_at }).where('id', '=', id).execute();
}

/** Deletes one passkey of a person, or all of them. Returns how many there were. */
export async function deletePasskeys(
  tx: Writer,
  { userId, id }: { userId: string; id?: string },
): Promise<number> {
  let query = tx.deleteFrom('passkeys').where('user_id', '=', userId);
  if (id !== undefined) query = query.where('id', '=', id);
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
