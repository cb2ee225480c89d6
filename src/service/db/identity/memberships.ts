import type { Role } from '../../../contract/roles.ts';
import type { Reader, Writer } from '../engine.ts';
import { toUpsert } from '../rows.ts';
import type { UserRow } from './users.ts';

export interface MembershipRow {
  account_id: string;
  user_id: string;
  role: Role;
  /** Set for the role stylist alone. */
  stylist_id: string | null;
  created_at: string;
  ended_at: string | null;
}

/** A member of an account, or a former one. */
export type MemberRow = MembershipRow &
  Pick<UserRow, 'email' | 'name'> & {
    has_totp: 0 | 1;
    passkeys: number;
    /** Unix milliseconds; null for a person who is signed in nowhere. */
    last_seen_ms: number | null;
  };

const memberSelection = `select m.*, u.email, u.name,
    case when u.totp_secret is null then 0 else 1 end as has_totp,
    (select count(*) from passkeys as p where p.user_id = u.id) as passkeys,
    (select max(s.last_used_ms) from sessions as s where s.user_id = u.id and s.account_id = m.account_id)
      as last_seen_ms
  from memberships as m join users as u on u.id = m.user_id`;

/** The people of an account, former ones excluded, in order of their names. */
export function readMembers(reader: Reader, accountId: string): Promise<MemberRow[]> {
  const text = `${memberSelection} where m.account_id = ? and m.ended_at is null order by lower(u.name), u.id`;
  return reader.run<MemberRow>(text, [accountId]);
}

/** A person in an account; undefined for strangers and former members. */
export async function readMember(
  reader: Reader,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<MemberRow | undefined> {
  const text = `${memberSelection} where m.account_id = ? and m.user_id = ? and m.ended_at is null`;
  const [row] = await reader.run<MemberRow>(text, [accountId, userId]);
  return row;
}

/** The accounts that a person belongs to, the oldest membership first. */
export function readMembershipsOf(
  reader: Reader,
  userId: string,
): Promise<(MembershipRow & { account_name: string })[]> {
  const text = `select m.*, a.name as account_name from memberships as m join accounts as a on a.id = m.account_id
    where m.user_id = ? and m.ended_at is null order by m.created_at, m.account_id`;
  return reader.run(text, [userId]);
}

/** The accounts that a person belongs or belonged to. */
export async function readAccountsOf(reader: Reader, userId: string): Promise<string[]> {
  const text = 'select account_id from memberships where user_id = ? order by account_id';
  return (await reader.run<{ account_id: string }>(text, [userId])).map((row) => row.account_id);
}

/** Adds a member, or takes a former one back. */
export async function saveMembership(tx: Writer, membership: MembershipRow): Promise<void> {
  await tx.run(...toUpsert('memberships', membership, ['account_id', 'user_id']));
}

/** How many owners an account has. */
export async function countOwners(reader: Reader, accountId: string): Promise<number> {
  const text = `select count(*) as count from memberships
    where account_id = ? and role = 'owner' and ended_at is null`;
  const [row] = await reader.run<{ count: number }>(text, [accountId]);
  return row?.count ?? 0;
}
