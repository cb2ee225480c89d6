import type { PlanName } from '../../../contract/limits.ts';
import type { Role } from '../../../contract/roles.ts';
import { type Reader, readColumn, readFirst, type Writer } from '../engine.ts';
import { insertCollections } from '../records/records.ts';
import { toInsert, toUpsert } from '../rows.ts';
import type { UserRow } from './users.ts';

export interface AccountRow {
  id: string;
  name: string;
  plan: PlanName;
  hourly_limit: number | null;
  /** Whether the account is for trials. */
  sandbox: 0 | 1;
  created_at: string;
  requires_second_factor: 0 | 1;
}

/** One account's hour of requests; `start` in Unix seconds. */
export interface RateWindow {
  readonly accountId: string;
  readonly start: number;
}

/** Adds an account with empty collections. */
export async function insertAccount(tx: Writer, account: AccountRow): Promise<void> {
  await tx.run(...toInsert('accounts', [account]));
  await insertCollections(tx, account.id);
}

/** All accounts, oldest first. */
export function readAccounts(reader: Reader): Promise<AccountRow[]> {
  return reader.run<AccountRow>('select * from accounts order by created_at, id', []);
}

/** The settings of a salon. */
export interface SalonRow extends Pick<AccountRow, 'name' | 'created_at'> {
  /** JSON; null until they are changed. */
  settings: string | null;
}

export function readSalon(reader: Reader, accountId: string) {
  const text = 'select name, created_at, settings from accounts where id = ?';
  return readFirst<SalonRow>(reader, text, [accountId]);
}

export async function saveSalonSettings(tx: Writer, accountId: string, settings: string): Promise<void> {
  await tx.run('update accounts set settings = ? where id = ?', [settings, accountId]);
}

export async function readFactorRequirement(reader: Reader, id: string): Promise<boolean> {
  const text = 'select id from accounts where id = ? and requires_second_factor = 1';
  return (await reader.run(text, [id])).length > 0;
}

export async function saveFactorRequirement(tx: Writer, id: string, isRequired: boolean): Promise<void> {
  const text = 'update accounts set requires_second_factor = ? where id = ?';
  await tx.run(text, [isRequired ? 1 : 0, id]);
}

export async function readSandbox(reader: Reader, id: string): Promise<boolean> {
  return (await reader.run('select id from accounts where id = ? and sandbox = 1', [id])).length > 0;
}

/** How many requests of a window were granted to processes. */
export async function readGranted(reader: Reader, { accountId, start }: RateWindow): Promise<number> {
  const text = 'select granted from rate_windows where account_id = ? and window_start = ?';
  const [granted = 0] = await readColumn<number>(reader, text, [accountId, start]);
  return granted;
}

/**
 * Adds requests to those of a window that were granted, or returns some. Returns how many all processes have been
 * granted.
 */
export async function addGranted(tx: Writer, { accountId, start }: RateWindow, count: number) {
  const text = `insert into rate_windows (account_id, window_start, granted) values (?, ?, ?)
    on conflict (account_id, window_start) do update set granted = rate_windows.granted + excluded.granted
    returning granted`;
  const [granted = 0] = await readColumn<number>(tx, text, [accountId, start, count]);
  return granted;
}

export async function deleteWindowsBefore(tx: Writer, accountId: string, start: number): Promise<void> {
  for (const table of ['rate_windows', 'request_counts'])
    await tx.run(`delete from ${table} where account_id = ? and window_start < ?`, [accountId, start]);
}

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
export function readMember(reader: Reader, { accountId, userId }: { accountId: string; userId: string }) {
  const text = `${memberSelection} where m.account_id = ? and m.user_id = ? and m.ended_at is null`;
  return readFirst<MemberRow>(reader, text, [accountId, userId]);
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
export function readAccountsOf(reader: Reader, userId: string) {
  const text = 'select account_id from memberships where user_id = ? order by account_id';
  return readColumn<string>(reader, text, [userId]);
}

/** Adds a member, or takes a former one back. */
export async function saveMembership(tx: Writer, membership: MembershipRow): Promise<void> {
  await tx.run(...toUpsert('memberships', membership, ['account_id', 'user_id']));
}

export async function countOwners(reader: Reader, accountId: string): Promise<number> {
  const text = `select count(*) from memberships where account_id = ? and role = 'owner' and ended_at is null`;
  const [count = 0] = await readColumn<number>(reader, text, [accountId]);
  return count;
}
