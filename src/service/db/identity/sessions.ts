import type { Database } from '../database.ts';
import type { Reader, Writer } from '../engine.ts';
import { toInsert, toMatch, toUpdate } from '../rows.ts';
import type { AccountRow, MembershipRow } from './accounts.ts';
import type { UserRow } from './users.ts';

export interface SessionRow {
  /** SHA-256 of the cookie's secret, in hexadecimal. */
  hash: string;
  id: string;
  user_id: string;
  /** The account the person works in; they may switch. */
  account_id: string;
  created_ms: number;
  /** Written once in a few minutes. */
  last_used_ms: number;
  expires_ms: number;
  /** When the person last proved who they are. */
  authenticated_ms: number;
  address: string | null;
  user_agent: string | null;
  /** Whether the sign-in had one, or a passkey. */
  has_second_factor: 0 | 1;
}

/** A session with the person and their membership in its account. */
export type SessionWithMembership = SessionRow &
  Pick<UserRow, 'email' | 'name'> &
  Pick<MembershipRow, 'role' | 'stylist_id'> &
  Pick<AccountRow, 'plan' | 'hourly_limit'> & {
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

export async function readSessionById(reader: Reader, id: string): Promise<SessionRow | undefined> {
  const [row] = await reader.run<SessionRow>('select * from sessions where id = ?', [id]);
  return row;
}

/** A person's sessions in all accounts, the last used first. Expired ones are left out. */
export function readSessionsOf(
  reader: Reader,
  { userId, now, idleSince }: { userId: string; now: number; idleSince: number },
): Promise<SessionRow[]> {
  const text = `select * from sessions where user_id = ? and expires_ms > ? and last_used_ms > ?
    order by last_used_ms desc, id`;
  return reader.run<SessionRow>(text, [userId, now, idleSince]);
}

/** Adds a session and deletes expired ones. */
export async function insertSession(tx: Writer, session: SessionRow): Promise<void> {
  await tx.run('delete from sessions where expires_ms <= ?', [session.created_ms]);
  await tx.run(...toInsert('sessions', [session]));
}

export async function updateSession(
  tx: Writer,
  id: string,
  change: Partial<Pick<SessionRow, 'account_id' | 'last_used_ms' | 'authenticated_ms' | 'has_second_factor'>>,
): Promise<void> {
  await tx.run(...toUpdate('sessions', change, { id }));
}

/** Ends sessions of a person: those of one account, one of them, or all but one. Returns how many there were. */
export async function deleteSessions(
  tx: Writer,
  {
    userId,
    accountId,
    id,
    exceptId = '',
  }: { userId: string; accountId?: string; id?: string; exceptId?: string },
): Promise<number> {
  const [match, values] = toMatch({ user_id: userId, account_id: accountId, id });
  const text = `delete from sessions where ${match} and id <> ? returning id`;
  return (await tx.run(text, [...values, exceptId])).length;
}

/** Where rows end by themselves, and how long each is kept after that to tell it from an unknown one. */
const expiries = [
  { table: 'sessions', column: 'expires_ms', keptMs: 0 },
  { table: 'used_tickets', column: 'expires_ms', keptMs: 0 },
  { table: 'attempt_limits', column: 'until_ms', keptMs: 0 },
  { table: 'oauth_tokens', column: 'expires_ms', keptMs: 3_600_000 },
  { table: 'oauth_grants', column: 'expires_ms', keptMs: 30 * 86_400_000 },
  { table: 'one_time_links', column: 'expires_ms', keptMs: 30 * 86_400_000 },
] as const;

/**
 * Deletes sessions, tokens and links that ended long enough ago. New ones delete them, too: this is for salons without
 * any new sign-ins. `idleSince`: sessions without use since then have ended.
 */
export async function deleteExpiredSignIns(
  { reader, transaction }: Pick<Database, 'reader' | 'transaction'>,
  { nowMs, idleSinceMs }: { nowMs: number; idleSinceMs: number },
): Promise<void> {
  const ended = [
    ...expiries.map(({ table, column, keptMs }) => ({ table, column, untilMs: nowMs - keptMs })),
    { table: 'sessions', column: 'last_used_ms', untilMs: idleSinceMs },
  ].map(({ table, column, untilMs }) => ({ from: `from ${table} where ${column} <= ?`, untilMs }));
  const due: typeof ended = [];
  for (const rows of ended) {
    const found = await reader.run(`select 1 ${rows.from} limit 1`, [rows.untilMs]);
    if (found.length > 0) due.push(rows);
  }
  if (due.length === 0) return;
  await transaction('rows', async (tx) => {
    for (const { from, untilMs } of due) await tx.run(`delete ${from}`, [untilMs]);
  });
}
