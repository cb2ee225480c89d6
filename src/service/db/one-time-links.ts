import type { Reader, Writer } from './engine.ts';
import type { Tables } from './tables.ts';

export type OneTimeLinkRow = Tables['one_time_links'];

/** How long a used or expired link is kept, so that `used` and `expired` can be told from `unknown`. */
const keptMs = 30 * 86_400_000;

/** Adds a link. It replaces open ones for the same person and purpose. */
export async function insertOneTimeLink(tx: Writer, link: OneTimeLinkRow): Promise<void> {
  await tx
    .deleteFrom('one_time_links')
    .where('expires_ms', '<=', link.created_ms - keptMs)
    .execute();
  let former = tx.deleteFrom('one_time_links').where('kind', '=', link.kind).where('used_ms', 'is', null);
  former =
    link.kind === 'invitation'
      ? former.where('account_id', '=', link.account_id).where('email_key', '=', link.email_key)
      : former.where('user_id', '=', link.user_id);
  await former.execute();
  await tx.insertInto('one_time_links').values(link).execute();
}

export function readOneTimeLink(reader: Reader, hash: string): Promise<OneTimeLinkRow | undefined> {
  return reader.selectFrom('one_time_links').selectAll().where('hash', '=', hash).executeTakeFirst();
}

/** Pending invitations, including expired ones, newest first. */
export function readOpenInvitations(reader: Reader, accountId: string): Promise<OneTimeLinkRow[]> {
  return reader
    .selectFrom('one_time_links')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', 'invitation')
    .where('used_ms', 'is', null)
    .orderBy('created_ms', 'desc')
    .orderBy('id')
    .execute();
}

/** Marks a link as used. Returns false when it was used or withdrawn meanwhile, or has expired. */
export async function takeOneTimeLink(tx: Writer, hash: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_links')
    .set({ used_ms: now })
    .where('hash', '=', hash)
    .where('used_ms', 'is', null)
    .where('expires_ms', '>', now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Withdraws open links: an invitation by its ID, the resets of a person, or the invitations of an address or a stylist. */
export async function deleteOpenLinks(
  tx: Writer,
  which:
    | { readonly accountId: string; readonly id: string }
    | { readonly userId: string }
    | { readonly accountId: string; readonly emailKey: string }
    | { readonly accountId: string; readonly stylistId: string },
): Promise<number> {
  let query = tx.deleteFrom('one_time_links').where('used_ms', 'is', null);
  if ('accountId' in which) query = query.where('account_id', '=', which.accountId);
  if ('id' in which) query = query.where('id', '=', which.id);
  if ('userId' in which) query = query.where('user_id', '=', which.userId);
  if ('emailKey' in which) query = query.where('email_key', '=', which.emailKey);
  if ('stylistId' in which) query = query.where('stylist_id', '=', which.stylistId);
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Withdraws the open links that a person created in an account, and their resets everywhere. Returns the invitations:
 * their IDs.
 */
export async function deleteLinksBy(
  tx: Writer,
  { accountId, creatorId }: { readonly accountId: string; readonly creatorId: string },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('one_time_links')
    .select(['hash', 'id', 'kind'])
    .where('creator_id', '=', creatorId)
    .where('used_ms', 'is', null)
    .where((row) => row.or([row('account_id', '=', accountId), row('account_id', 'is', null)]))
    .orderBy('id')
    .execute();
  for (const { hash } of rows) await deleteOneTimeLink(tx, hash);
  return rows.filter(({ kind }) => kind === 'invitation').map(({ id }) => id);
}

export async function deleteOneTimeLink(tx: Writer, hash: string): Promise<void> {
  await tx.deleteFrom('one_time_links').where('hash', '=', hash).execute();
}
