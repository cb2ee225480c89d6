import type { Reader, Writer } from './engine.ts';
import type { Tables } from './tables.ts';

export type UserRow = Tables['users'];

/** The fields of a person without an authenticator app. */
export const noSecondFactor = { totp_secret: null, totp_step: null } as const;

/** The person with an address, by its key. */
export function readUserByEmailKey(reader: Reader, emailKey: string): Promise<UserRow | undefined> {
  return reader.selectFrom('users').selectAll().where('email_key', '=', emailKey).executeTakeFirst();
}

export function readUser(reader: Reader, id: string): Promise<UserRow | undefined> {
  return reader.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertUser(tx: Writer, user: UserRow): Promise<void> {
  await tx.insertInto('users').values(user).execute();
}

/** Changes fields of a person. */
export async function updateUser(
  tx: Writer,
  id: string,
  change: Partial<Omit<UserRow, 'id' | 'email_key'>>,
): Promise<void> {
  await tx.updateTable('users').set(change).where('id', '=', id).execute();
}

/** Deletes a person, and all that is theirs. */
export async function deleteUser(tx: Writer, { id, email_key }: UserRow): Promise<void> {
  const grants = 'select id from oauth_grants where user_id = ?';
  await tx.run(`delete from oauth_tokens where grant_id in (${grants})`, [id]);
  await tx.run('delete from one_time_links where user_id = ? or email_key = ?', [id, email_key]);
  for (const table of ['oauth_grants', 'sessions', 'passkeys', 'recovery_codes', 'memberships']) {
    await tx.run(`delete from ${table} where user_id = ?`, [id]);
  }
  await tx.run('delete from users where id = ?', [id]);
}

/** Notes the time step of an accepted code. Returns false when it or a later one was used before. */
export async function acceptTotpStep(tx: Writer, id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ totp_step: step })
    .where('id', '=', id)
    .where((row) => row.or([row('totp_step', 'is', null), row('totp_step', '<', step)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
