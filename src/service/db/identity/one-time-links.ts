import type { Role } from '../../../contract/roles.ts';
import { dayMs } from '../../../time/time.ts';
import { type Reader, readFirst, type Writer } from '../engine.ts';
import { toInsert, toMatch } from '../rows.ts';

/** A link that works once: an invitation to an account, or the reset of a password. */
export interface OneTimeLinkRow {
  /** SHA-256 of the secret in the link, in hexadecimal. */
  hash: string;
  id: string;
  kind: 'invitation' | 'reset';
  /** Of an invitation. */
  account_id: string | null;
  /** Of a reset. */
  user_id: string | null;
  email: string;
  email_key: string;
  role: Role | null;
  stylist_id: string | null;
  /** The person who made it; null for the operator, and for a reset by mail. */
  creator_id: string | null;
  /** Whether it was sent by mail only, so that using it proves the address. */
  is_mailed: 0 | 1;
  removes_second_factor: 0 | 1;
  created_ms: number;
  expires_ms: number;
  used_ms: number | null;
}

/** How long a used or expired link is kept, so that `used` and `expired` can be told apart from `unknown`. */
export const linkKeptMs = 30 * dayMs;

/** Adds a link. It replaces open ones for the same person and purpose. */
export async function insertOneTimeLink(tx: Writer, link: OneTimeLinkRow): Promise<void> {
  await tx.run('delete from one_time_links where expires_ms <= ?', [link.created_ms - linkKeptMs]);
  const { kind, account_id, email_key, user_id } = link;
  const holder = kind === 'invitation' ? { account_id, email_key } : { user_id };
  const [former, values] = toMatch({ kind, used_ms: null, ...holder });
  await tx.run(`delete from one_time_links where ${former}`, values);
  await tx.run(...toInsert('one_time_links', [link]));
}

export function readOneTimeLink(reader: Reader, hash: string) {
  return readFirst<OneTimeLinkRow>(reader, 'select * from one_time_links where hash = ?', [hash]);
}

/** Pending invitations, including expired ones, newest first. */
export function readOpenInvitations(reader: Reader, accountId: string): Promise<OneTimeLinkRow[]> {
  const text = `select * from one_time_links
    where account_id = ? and kind = 'invitation' and used_ms is null order by created_ms desc, id`;
  return reader.run<OneTimeLinkRow>(text, [accountId]);
}

/** Marks a link as used. Returns false when it was used or withdrawn meanwhile, or has expired. */
export async function takeOneTimeLink(tx: Writer, hash: string, now: number): Promise<boolean> {
  const text = `update one_time_links set used_ms = ?
    where hash = ? and used_ms is null and expires_ms > ? returning id`;
  return (await tx.run(text, [now, hash, now])).length > 0;
}

/** Withdraws open links: an invitation by its ID, the resets of a person, or the invitations of a stylist. */
export async function deleteOpenLinks(
  tx: Writer,
  which:
    | { readonly accountId: string; readonly id: string }
    | { readonly userId: string }
    | { readonly accountId: string; readonly stylistId: string },
): Promise<void> {
  const { id, accountId, userId, stylistId }: Partial<Record<string, string>> = which;
  const columns = { id, account_id: accountId, user_id: userId, stylist_id: stylistId };
  const [match, values] = toMatch({ ...columns, used_ms: null });
  await tx.run(`delete from one_time_links where ${match}`, values);
}

/**
 * Withdraws the open links that a person created in an account, and their resets everywhere. Returns the invitations:
 * their IDs.
 */
export async function deleteLinksBy(
  tx: Writer,
  { accountId, creatorId }: { readonly accountId: string; readonly creatorId: string },
): Promise<string[]> {
  const text = `delete from one_time_links where creator_id = ? and used_ms is null
    and (account_id = ? or account_id is null) returning id, kind`;
  const rows = await tx.run<Pick<OneTimeLinkRow, 'id' | 'kind'>>(text, [creatorId, accountId]);
  return rows.flatMap(({ id, kind }) => (kind === 'invitation' ? id : [])).sort();
}

export async function deleteOneTimeLink(tx: Writer, hash: string): Promise<void> {
  await tx.run('delete from one_time_links where hash = ?', [hash]);
}

/**
 * Notes that a ticket, a step of a sign-in that cannot be repeated, was used, until it would have expired anyway.
 * Returns false when it was used before. `hash` is its SHA-256 in hexadecimal.
 */
export async function insertUsedTicket(
  tx: Writer,
  ticket: { hash: string; expires_ms: number },
  now: number,
): Promise<boolean> {
  await tx.run('delete from used_tickets where expires_ms <= ?', [now]);
  const ending = 'on conflict (hash) do nothing returning hash';
  return (await tx.run(...toInsert('used_tickets', [ticket], ending))).length > 0;
}

export async function isTicketUsed(reader: Reader, hash: string): Promise<boolean> {
  return (await reader.run('select hash from used_tickets where hash = ?', [hash])).length > 0;
}
