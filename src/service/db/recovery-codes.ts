import type { Reader, Writer } from './engine.ts';

/** Replaces a person's recovery codes by others, given as hashes. */
export async function saveRecoveryCodes(
  tx: Writer,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute();
}

/** Uses up a code. Returns false when the person has no such code. */
export async function deleteRecoveryCode(tx: Writer, userId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** How many unused codes a person has. */
export async function countRecoveryCodes(reader: Reader, userId: string): Promise<number> {
  const text = 'select count(*) as count from recovery_codes where user_id = ?';
  const [row] = await reader.run<{ count: number }>(text, [userId]);
  return row?.count ?? 0;
}
