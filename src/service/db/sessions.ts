import type { Reader, Writer } from './engine.ts';
import type { Tables } from './tables.ts';

export type SessionRow = Tables['sessions'];

/** A session with the person and their membership in its account. */
export type SessionWithMembership = SessionRow &
  Pick<Tables['users'], 'email' | 'name'> &
  Pick<Tables['memberships'], 'role' | 'stylist_id'> &
  Pick<Tables['accounts'], 'plan' | 'hourly_limit'> & {
    account_name: string;
    /** Whether the account requires a second factor, and the person has none yet. */
    lacks_factor: 0 | 1;
  };

/**
 * The session with a hash, of a person who is still a member of its account. Expired ones are left out: `now` and
 * `idleSince` are Unix milliseconds.
 */
export async function readSessionByHash(
  reader: Reader,
  { hash, now, idleSince }: { hash: string; now: number; idleSince: number },
): Promise<SessionWithMembership | undefined> {
  const text = `
    select s.*, u.email, u.name, m.role, m.stylist_id, a.name as account_name, a.plan, a.hourly_limit,
      case when a.requires_second_factor = 1 and s.has_second_factor = 0 and u.totp_secret is null
        then 1 else 0 end as lacks_factor
    from sessions as s join users as u on u.id = s.user_id
      join memberships as m on m.account_id = s.account_id and m.user_id = s.user_id and m.ended_at is null
      join accounts as a on a.id = s.account_id
    where s.hash = ? and s.expires_ms > ? and s.last_used_ms > ?`;
  const [row] = await reader.run<SessionWithMembership>(text, [hash, now, idleSince]);
  return row;
}

export function readSessionById(reader: Reader, id: string): Promise<SessionRow | undefined> {
  return reader.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A person's sessions in all accounts, the last used first. Expired ones are left out. */
export function readSessionsOf(
  reader: Reader,
  { userId, now, idleSince }: { userId: string; now: number; idleSince: number },
): Promise<SessionRow[]> {
  return reader
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_ms', '>', now)
    .where('last_used_ms', '>', idleSince)
    .orderBy('last_used_ms', 'desc')
    .orderBy('id')
    .execute();
}

/** Adds a session and deletes expired ones. */
export async function insertSession(tx: Writer, session: SessionRow): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_ms', '<=', session.created_ms).execute();
  await tx.insertInto('sessions').values(session).execute();
}

export async function updateSession(
  tx: Writer,
  id: string,
  change: Partial<Pick<SessionRow, 'account_id' | 'last_used_ms' | 'authenticated_ms' | 'has_second_factor'>>,
): Promise<void> {
  await tx.updateTable('sessions').set(change).where('id', '=', id).execute();
}

/** Ends sessions of a person: those of one account, one of them, or all but one. Returns how many there were. */
export async function deleteSessions(
  tx: Writer,
  { userId, accountId, id, exceptId }: { userId: string; accountId?: string; id?: string; exceptId?: string },
): Promise<number> {
  let query = tx.deleteFrom('sessions').where('user_id', '=', userId);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (id !== undefined) query = query.where('id', '=', id);
  if (exceptId !== undefined) query = query.where('id', '!=', exceptId);
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
