import { type Engine, type Reader, readColumn, readFirst, type Writer } from '../engine.ts';
import { toInsert, toMatch, toUpdate, toUpsert } from '../rows.ts';
import type { AccountRow, MembershipRow } from './accounts.ts';
import { grantKeptMs, tokenKeptMs } from './oauth-grants.ts';
import { linkKeptMs } from './one-time-links.ts';
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
export function readSessionByHash(
  reader: Reader,
  { hash, now, idleSince }: { hash: string; now: number; idleSince: number },
) {
  const text = `
    select s.*, u.email, u.name, m.role, m.stylist_id, a.name as account_name, a.plan, a.hourly_limit,
      case when a.requires_second_factor = 1 and s.has_second_factor = 0 and u.totp_secret is null
        then 1 else 0 end as lacks_factor
    from sessions as s join users as u on u.id = s.user_id
      join memberships as m on m.account_id = s.account_id and m.user_id = s.user_id and m.ended_at is null
      join accounts as a on a.id = s.account_id
    where s.hash = ? and s.expires_ms > ? and s.last_used_ms > ?`;
  return readFirst<SessionWithMembership>(reader, text, [hash, now, idleSince]);
}

export function readSessionById(reader: Reader, id: string) {
  return readFirst<SessionRow>(reader, 'select * from sessions where id = ?', [id]);
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
  which: { userId: string; accountId?: string; id?: string; exceptId?: string },
): Promise<number> {
  const { userId, accountId, id, exceptId = '' } = which;
  const [match, values] = toMatch({ user_id: userId, account_id: accountId, id });
  const text = `delete from sessions where ${match} and id <> ? returning id`;
  return (await tx.run(text, [...values, exceptId])).length;
}

/** Until when attempts by a key fill its limit, in Unix milliseconds; 0 without any. */
export async function readAttempts(reader: Reader, key: string): Promise<number> {
  const text = 'select until_ms from attempt_limits where key = ?';
  const [untilMs = 0] = await readColumn<number>(reader, text, [key]);
  return untilMs;
}

/** Saves until when a limit is filled; deletes limits that no longer count at `now`. */
export async function saveAttempts(
  tx: Writer,
  { key, untilMs, now }: { key: string; untilMs: number; now: number },
): Promise<void> {
  await tx.run('delete from attempt_limits where until_ms <= ?', [now]);
  await tx.run(...toUpsert('attempt_limits', { key, until_ms: untilMs }, ['key']));
}

export async function deleteAttempts(tx: Writer, key: string): Promise<void> {
  await tx.run('delete from attempt_limits where key = ?', [key]);
}

/** Rows that end by themselves, and how long they are kept after that to tell them from unknown ones. */
const expiries = [
  { rows: 'sessions where expires_ms <= ?', keptMs: 0 },
  { rows: 'used_tickets where expires_ms <= ?', keptMs: 0 },
  { rows: 'attempt_limits where until_ms <= ?', keptMs: 0 },
  { rows: 'oauth_tokens where expires_ms <= ?', keptMs: tokenKeptMs },
  { rows: 'oauth_grants where expires_ms <= ?', keptMs: grantKeptMs },
  { rows: 'one_time_links where expires_ms <= ?', keptMs: linkKeptMs },
];

/**
 * Deletes sessions, tokens and links that ended long enough ago. New ones delete them, too: this is for salons without
 * any new sign-ins. `idleSince`: sessions without use since then have ended.
 */
export async function deleteExpiredSignIns(
  { reader, transaction }: Pick<Engine, 'reader' | 'transaction'>,
  { nowMs, idleSinceMs }: { nowMs: number; idleSinceMs: number },
): Promise<void> {
  const ended = expiries.map(({ rows, keptMs }) => ({ rows, untilMs: nowMs - keptMs }));
  ended.push({ rows: 'sessions where last_used_ms <= ?', untilMs: idleSinceMs });
  const due: typeof ended = [];
  for (const one of ended) {
    const found = await reader.run(`select 1 from ${one.rows} limit 1`, [one.untilMs]);
    if (found.length > 0) due.push(one);
  }
  if (due.length === 0) return;
  await transaction('rows', async (tx) => {
    for (const { rows, untilMs } of due) await tx.run(`delete from ${rows}`, [untilMs]);
  });
}
