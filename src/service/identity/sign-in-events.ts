import type { Writer } from '../db/engine.ts';
import { readMembershipsOf } from '../db/identity/memberships.ts';
import type { UserRow } from '../db/identity/users.ts';
import { anonymous, recordSecurityEvent, type SecurityEvent, toUserActor } from '../domain/audit.ts';
import type { Context } from '../domain/context.ts';

export type SignInMethod = 'password' | 'totp' | 'recovery_code' | 'passkey' | 'invitation' | 'reset';

type EventContext = Pick<Context, 'environment' | 'source'>;

/** Records a sign-in in the account that it leads to. */
export function recordSignIn(
  tx: Writer,
  context: EventContext,
  { user, accountId, method }: { user: UserRow; accountId: string; method: SignInMethod },
): Promise<void> {
  const event = { accountId, actor: toUserActor(user), action: 'user.signed_in', id: user.id } as const;
  return recordSecurityEvent(tx, context, { ...event, details: { method } });
}

/**
 * Records a refused sign-in in all accounts of the person, and for an unknown address in none of them. The limits on
 * attempts bound how many there are.
 */
export async function recordFailedSignIn(
  tx: Writer,
  context: EventContext,
  { user, ...details }: { user: UserRow | undefined; method: SignInMethod; wait_seconds: number },
): Promise<void> {
  const memberships = user === undefined ? [] : await readMembershipsOf(tx, user.id);
  const accountIds = memberships.length === 0 ? [null] : memberships.map(({ account_id }) => account_id);
  for (const accountId of accountIds) {
    await recordSecurityEvent(tx, context, {
      accountId,
      actor: anonymous,
      action: 'user.sign_in_failed',
      id: user?.id ?? null,
      details,
    });
  }
}

/** Records what concerns a person in all of their accounts, such as a new password. */
export async function recordPersonEvent(
  tx: Writer,
  context: EventContext,
  { user, ...event }: { user: Pick<UserRow, 'id'> } & Omit<SecurityEvent, 'accountId' | 'id'>,
): Promise<void> {
  for (const { account_id } of await readMembershipsOf(tx, user.id)) {
    await recordSecurityEvent(tx, context, { accountId: account_id, id: user.id, ...event });
  }
}
