import type { Reader, Writer } from './engine.ts';
import { toInsert } from './rows.ts';

/** Replaces a person's recovery codes by others, given as hashes. */
export async function saveRecoveryCodes(
  tx: Writer,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.run('delete from recovery_codes where user_id = ?', [userId]);
  if (hashes.length === 0) return;
  const rows = hashes.map((hash) => ({ user_id: userId, hash }));
  await tx.run(...toInsert('recovery_codes', rows));
}

/** Uses up a code. Returns false when the person has no such code. */
export async function deleteRecoveryCode(tx: Writer, userId: string, hash: string): Promise<boolean> {
  const text = 'delete from recovery_codes where user_id = ? and hash = ? returning hash';
  return (await tx.run(text, [userId, hash])).length > 0;
}

/** How many unused codes a person has. */
export async function countRecoveryCodes(reader: Reader, userId: string): Promise<number> {
  const text = 'select count(*) as count from recovery_codes where user_id = ?';
  const [row] = await reader.run<{ count: number }>(text, [userId]);
  return row?.count ?? 0;
}
