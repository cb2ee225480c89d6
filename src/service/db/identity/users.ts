import { type Reader, readColumn, readFirst, type Writer } from '../engine.ts';
import { toInsert, toMatch, toUpdate } from '../rows.ts';

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

export const noSecondFactor = { totp_secret: null, totp_step: null } as const;

export function readUserByEmailKey(reader: Reader, emailKey: string) {
  return readFirst<UserRow>(reader, 'select * from users where email_key = ?', [emailKey]);
}

export function readUser(reader: Reader, id: string) {
  return readFirst<UserRow>(reader, 'select * from users where id = ?', [id]);
}

export async function insertUser(tx: Writer, user: UserRow): Promise<void> {
  await tx.run(...toInsert('users', [user]));
}

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

export interface PasskeyRow {
  /** The credential ID in base64url. */
  id: string;
  user_id: string;
  name: string;
  /** COSE, in base64url. */
  public_key: string;
  counter: number;
  /** A JSON list. */
  transports: string;
  created_at: string;
  last_used_at: string | null;
}

/** A person's passkeys, the oldest first. */
export function readPasskeysOf(reader: Reader, userId: string): Promise<PasskeyRow[]> {
  return reader.run<PasskeyRow>('select * from passkeys where user_id = ? order by created_at, id', [userId]);
}

export function readPasskey(reader: Reader, id: string) {
  return readFirst<PasskeyRow>(reader, 'select * from passkeys where id = ?', [id]);
}

/** Adds a passkey. Returns false when it is known already. */
export async function insertPasskey(tx: Writer, passkey: PasskeyRow): Promise<boolean> {
  const ending = 'on conflict (id) do nothing returning id';
  return (await tx.run(...toInsert('passkeys', [passkey], ending))).length > 0;
}

export async function updatePasskey(
  tx: Writer,
  { id, counter, last_used_at }: Pick<PasskeyRow, 'id' | 'counter' | 'last_used_at'>,
): Promise<void> {
  await tx.run(...toUpdate('passkeys', { counter, last_used_at }, { id }));
}

/** Deletes one passkey of a person, or all of them. Returns how many there were. */
export async function deletePasskeys(tx: Writer, { userId, id }: { userId: string; id?: string }) {
  const [match, values] = toMatch({ user_id: userId, id });
  return (await tx.run(`delete from passkeys where ${match} returning id`, values)).length;
}

/** Replaces a person's recovery codes by others, given as hashes. */
export async function saveRecoveryCodes(tx: Writer, userId: string, hashes: readonly string[]) {
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

export async function countRecoveryCodes(reader: Reader, userId: string): Promise<number> {
  const text = 'select count(*) from recovery_codes where user_id = ?';
  const [count = 0] = await readColumn<number>(reader, text, [userId]);
  return count;
}
