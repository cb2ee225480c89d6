import { type RevokedAccess, revokeAccess } from '../db/access.ts';
import type { KeyOwner } from '../db/api-keys.ts';
import type { Writer } from '../db/engine.ts';
import { recordAudit } from './audit.ts';
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
  for (const id of keyIds) await recordAudit(tx, context, { action: 'api_key.revoked', id, details });
  for (const id of grantIds) await recordAudit(tx, context, { action: 'oauth_grant.revoked', id, details });
  for (const id of invitationIds)
    await recordAudit(tx, context, { action: 'invitation.cancelled', id, details });
  for (const id of clientIds)
    await recordAudit(tx, context, { action: 'oauth_client.secret_revoked', id, details });
  return ended;
}
