import type { Reader, Writer } from './engine.ts';
import type { Tables } from './tables.ts';

export type MembershipRow = Tables['memberships'];

/** A member of an account, or a former one. */
export type MemberRow = MembershipRow &
  Pick<Tables['users'], 'email' | 'name'> & {
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
  return reader
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .selectAll('memberships')
    .select('accounts.name as account_name')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('memberships.created_at')
    .orderBy('memberships.account_id')
    .execute();
}

/** The accounts that a person belongs or belonged to. */
export async function readAccountsOf(reader: Reader, userId: string): Promise<string[]> {
  const text = 'select account_id from memberships where user_id = ? order by account_id';
  return (await reader.run<{ account_id: string }>(text, [userId])).map((row) => row.account_id);
}

/** Adds a member, or takes a former one back. */
export async function saveMembership(tx: Writer, membership: MembershipRow): Promise<void> {
  const { account_id, user_id, ...fields } = membership;
  await tx
    .insertInto('memberships')
    .values(membership)
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet(fields))
    .execute();
}

/** How many owners an account has. */
export async function countOwners(reader: Reader, accountId: string): Promise<number> {
  const text = `select count(*) as count from memberships
    where account_id = ? and role = 'owner' and ended_at is null`;
  const [row] = await reader.run<{ count: number }>(text, [accountId]);
  return row?.count ?? 0;
}
