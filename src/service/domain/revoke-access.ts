import type { Writer } from '../db/engine.ts';
import { type RevokedAccess, revokeAccess, revokeCredentials } from '../db/identity/access.ts';
import type { KeyOwner } from '../db/identity/api-keys.ts';
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
  for (const { userId: id, email, role, sessions } of memberships) {
    const membership = { id, former: { email, role }, details: { sessions } };
    await recordAudit(tx, context, { action: 'membership.ended', ...membership });
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

/** Revokes credentials with the API keys and OAuth client secrets that they created, directly or not, and records that. */
export async function revokeWithCreated(
  tx: Writer,
  context: Pick<Context, 'environment' | 'source'>,
  { accountId, actor, ids, reason = 'creator_revoked' }: Revocation,
): Promise<void> {
  const at = context.environment.now().toISOString();
  const { keyIds, clientIds } = await revokeCredentials(tx, { accountId, ids }, at);
  const revoked = [['api_key.revoked', keyIds] as const, ['oauth_client.secret_revoked', clientIds] as const];
  const event = { accountId, actor, details: { reason } };
  for (const [action, ended] of revoked) {
    for (const id of ended) await recordSecurityEvent(tx, context, { ...event, action, id });
  }
}

interface Revocation {
  readonly accountId: string;
  readonly actor: Actor;
  readonly ids: readonly string[];
  readonly reason?: string;
}
