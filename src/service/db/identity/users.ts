import type { Reader, Writer } from '../engine.ts';
import { toInsert, toUpdate } from '../rows.ts';

/** A person. */
export interface UserRow {
  id: string;
  email: string;
  /** The address in the form that identifies it, see `email-address.ts`. */
  email_key: string;
  name: string;
  /** argon2id in PHC format. */
  password_hash: string;
  /** The sealed seed of the authenticator app; null without a second factor. */
  totp_secret: string | null;
  /** The time step of the last accepted code: each works once. */
  totp_step: number | null;
  /** When a mailed link proved that the address is theirs. */
  verified_at: string | null;
  created_at: string;
}

/** The fields of a person without an authenticator app. */
export const noSecondFactor = { totp_secret: null, totp_step: null } as const;

/** The person with an address, by its key. */
export async function readUserByEmailKey(reader: Reader, emailKey: string): Promise<UserRow | undefined> {
  const [row] = await reader.run<UserRow>('select * from users where email_key = ?', [emailKey]);
  return row;
}

export async function readUser(reader: Reader, id: string): Promise<UserRow | undefined> {
  const [row] = await reader.run<UserRow>('select * from users where id = ?', [id]);
  return row;
}

export async function insertUser(tx: Writer, user: UserRow): Promise<void> {
  await tx.run(...toInsert('users', [user]));
}

/** Changes fields of a person. */
export async function updateUser(
  tx: Writer,
  id: string,
  change: Partial<Omit<UserRow, 'id' | 'email_key'>>,
): Promise<void> {
  await tx.run(...toUpdate('users', change, { id }));
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
  const text = `update users set totp_step = ?
    where id = ? and (totp_step is null or totp_step < ?) returning id`;
  return (await tx.run(text, [step, id, step])).length > 0;
}
