import { endKeys } from './api-keys.ts';
import type { Writer } from './engine.ts';
import { revokeGrants } from './oauth-grants.ts';
import { deleteSessions } from './sessions.ts';

/** Whose access to an account ends. */
export type AccessHolder = { readonly accountId: string } & (
  | { readonly userId: string }
  | { readonly stylistId: string }
);

/** What ended: numbers, and the IDs of the keys. */
export interface EndedAccess {
  readonly memberIds: readonly string[];
  readonly sessions: number;
  readonly grantIds: readonly string[];
  readonly keyIds: readonly string[];
}

/**
 * Ends the access of a person, or of everybody and everything bound to a stylist: memberships, sessions, tokens and API
 * keys, in the caller's transaction. `at` is RFC 3339.
 */
export async function endAccess(tx: Writer, holder: AccessHolder, at: string): Promise<EndedAccess> {
  const { accountId } = holder;
  const memberIds = await endMemberships(tx, holder, at);
  let sessions = 0;
  const grantIds: string[] = [];
  const keyIds = await endKeys(tx, holder, at);
  for (const userId of memberIds) {
    sessions += await deleteSessions(tx, { userId, accountId });
    const grants = await revokeGrants(tx, { accountId, userId }, Date.parse(at));
    grantIds.push(...grants.map(({ id }) => id));
    keyIds.push(...(await endKeys(tx, { accountId, userId }, at)));
  }
  return { memberIds, sessions, grantIds, keyIds };
}

async function endMemberships(tx: Writer, holder: AccessHolder, at: string): Promise<string[]> {
  const active = tx
    .updateTable('memberships')
    .set({ ended_at: at })
    .where('account_id', '=', holder.accountId)
    .where('ended_at', 'is', null);
  const query =
    'userId' in holder
      ? active.where('user_id', '=', holder.userId)
      : active.where('stylist_id', '=', holder.stylistId);
  return (await query.returning('user_id').execute()).map((row) => row.user_id);
}
