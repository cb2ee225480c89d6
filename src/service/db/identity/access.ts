import type { Role } from '../../../contract/roles.ts';
import type { Writer } from '../engine.ts';
import { type KeyOwner, readCreated, readOwnedKeys, revokeKey } from './api-keys.ts';
import { readClientsWithSecretOf, revokeSecret } from './oauth-clients.ts';
import { revokeGrants } from './oauth-grants.ts';
import { deleteLinksBy } from './one-time-links.ts';
import { deleteSessions } from './sessions.ts';

/** A membership that has ended. */
interface EndedMembership {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  /** How many sessions ended with it. */
  readonly sessions: number;
}

/** What ended. */
export interface RevokedAccess {
  readonly memberships: readonly EndedMembership[];
  readonly grantIds: readonly string[];
  readonly keyIds: readonly string[];
  readonly invitationIds: readonly string[];
  /** OAuth clients whose secret no longer works. */
  readonly clientIds: readonly string[];
}

/**
 * Ends the access of a person, or of everybody and everything bound to a stylist: memberships, sessions, tokens, API
 * keys and links that they created, and OAuth client secrets that they generated, in the caller's transaction. `at` is
 * RFC 3339.
 */
export async function revokeAccess(tx: Writer, holder: KeyOwner, at: string): Promise<RevokedAccess> {
  const { accountId } = holder;
  const members = await endMemberships(tx, holder, at);
  const memberships: EndedMembership[] = [];
  const grants: { readonly id: string }[] = [];
  const invitationIds: string[] = [];
  const credentials: { readonly id: string }[] = await readOwnedKeys(tx, holder);
  for (const member of members) {
    const { userId } = member;
    memberships.push({ ...member, sessions: await deleteSessions(tx, { userId, accountId }) });
    grants.push(...(await revokeGrants(tx, { accountId, userId }, Date.parse(at))));
    // They have seen these links and secrets, which would let them in again.
    invitationIds.push(...(await deleteLinksBy(tx, { accountId, creatorId: userId })));
    credentials.push(...(await readClientsWithSecretOf(tx, { accountId, userId })));
    // A stylist's person may have created keys, too.
    if (!('userId' in holder)) credentials.push(...(await readOwnedKeys(tx, { accountId, userId })));
  }
  const revoked = await revokeCredentials(tx, { accountId, ids: credentials.map(({ id }) => id) }, at);
  return { memberships, grantIds: grants.map(({ id }) => id), invitationIds, ...revoked };
}

/** Revokes API keys and OAuth client secrets, and what these or a grant created. Returns what was valid until now. */
export async function revokeCredentials(
  tx: Writer,
  { accountId, ids }: { readonly accountId: string; readonly ids: readonly string[] },
  at: string,
): Promise<Pick<RevokedAccess, 'keyIds' | 'clientIds'>> {
  const keyIds: string[] = [];
  const clientIds: string[] = [];
  for (const root of ids) {
    for (const id of await readCreated(tx, { accountId, id: root })) {
      if (await revokeKey(tx, id, at)) keyIds.push(id);
      else if (await revokeSecret(tx, id)) clientIds.push(id);
    }
  }
  return { keyIds, clientIds };
}

async function endMemberships(tx: Writer, holder: KeyOwner, at: string) {
  const [column, value] =
    'userId' in holder ? (['user_id', holder.userId] as const) : (['stylist_id', holder.stylistId] as const);
  const active = `account_id = ? and ${column} = ? and ended_at is null`;
  const members = await tx.run<Omit<EndedMembership, 'sessions'>>(
    `select u.id as "userId", u.email, m.role from memberships as m join users as u on u.id = m.user_id
      where ${active}`,
    [holder.accountId, value],
  );
  await tx.run(`update memberships set ended_at = ? where ${active}`, [at, holder.accountId, value]);
  return members;
}
