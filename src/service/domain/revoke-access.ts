import { type RevokedAccess, revokeAccess } from '../db/access.ts';
import { endKeys, type KeyOwner } from '../db/api-keys.ts';
import type { Writer } from '../db/engine.ts';
import { type Actor, recordAudit, recordSecurityEvent } from './audit.ts';
import type { Context } from './context.ts';

/** Ends the access of a member or a stylist to the caller's account at once, and records what ended. */
export async function revokeAccessOf(
  tx: Writer,
  context: Pick<Context, 'environment' | 'caller' | 'source'>,
  holder: { readonly userId: string } | { readonly stylistId: string },
): Promise<RevokedAccess> {
  const owner: KeyOwner = { accountId: context.caller.account.id, ...holder };
  const ended = await revokeAccess(tx, owner, context.environment.now().toISOString());
  const { memberships, keyIds, grantIds, invitationIds, clientIds } = ended;
  for (const { userId, email, role, sessions } of memberships) {
    const former = { email, role };
    await recordAudit(tx, context, {
      action: 'membership.ended',
      id: userId,
      former,
      details: { sessions },
    });
  }
  const details = { reason: 'stylistId' in holder ? 'stylist_inactive' : 'member_deactivated' };
  const revoked = [
    ['api_key.revoked', keyIds],
    ['oauth_grant.revoked', grantIds],
    ['invitation.cancelled', invitationIds],
    ['oauth_client.secret_revoked', clientIds],
  ] as const;
  for (const [action, ids] of revoked) {
    for (const id of ids) await recordAudit(tx, context, { action, id, details });
  }
  return ended;
}

/** Revokes the API keys that a key, grant or OAuth client created, directly or not, and records them. */
export async function revokeCreatedKeys(
  tx: Writer,
  context: Pick<Context, 'environment' | 'source'>,
  { id: createdWith, accountId, actor }: { id: string; accountId: string; actor: Actor },
): Promise<void> {
  const at = context.environment.now().toISOString();
  const event = {
    accountId,
    actor,
    action: 'api_key.revoked',
    details: { reason: 'creator_revoked' },
  } as const;
  for (const { id } of await endKeys(tx, { accountId, createdWith }, at)) {
    await recordSecurityEvent(tx, context, { ...event, id });
  }
}
