import { deleteOpenLinks } from '../db/identity/one-time-links.ts';
import { deleteSessions, updateSession } from '../db/identity/sessions.ts';
import {
  countRecoveryCodes,
  readPasskeysOf,
  readUser,
  type UserRow,
  updateUser,
} from '../db/identity/users.ts';
import { toActor } from '../domain/audit.ts';
import type { Context } from '../domain/context.ts';
import { invalidField } from '../domain/validation.ts';
import { forgetAttempts, refuse, refuseFor, toAttemptLimits } from './complete-sign-in.ts';
import type { Browser, PersonContext } from './identity.ts';
import { findPasswordProblem } from './password-rules.ts';
import { parsePersonName } from './person-name.ts';
import { assertRecentlyConfirmed, sessionOf } from './sessions.ts';
import { countAttempt, recordFailure } from './sign-in.ts';
import { recordPersonEvent } from './sign-in-events.ts';

/** A passkey of the person who asks. */
interface PasskeyView {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** How the person who asks signs in. */
export interface OwnSecurity {
  readonly second_factor: boolean;
  /** How many are unused. */
  readonly recovery_codes: number;
  readonly passkeys: readonly PasskeyView[];
}

/** Whether a person has proved who they are, or a sentence for them. */
export type PasswordCheck =
  | { readonly status: 'confirmed' }
  | { readonly status: 'refused'; readonly message: string; readonly retryAfterMs?: number };

export async function readOwnSecurity(context: Context): Promise<OwnSecurity> {
  const { reader } = context.database;
  const { id, totp_secret } = await readOwnUser(context);
  const passkeys = await readPasskeysOf(reader, id);
  return {
    second_factor: totp_secret !== null,
    recovery_codes: await countRecoveryCodes(reader, id),
    passkeys: passkeys.map((one) => ({
      id: one.id,
      name: one.name,
      created_at: one.created_at,
      last_used_at: one.last_used_at,
    })),
  };
}

/** The row of the person who asks. Throws `permission_denied` for keys and tokens. */
export async function readOwnUser(context: Pick<Context, 'database' | 'caller'>): Promise<UserRow> {
  const user = await readUser(context.database.reader, sessionOf(context).user.id);
  if (user === undefined) throw new Error('The person of the session does not exist.');
  return user;
}

/** Confirms the person's identity by password. For two hours they may then change how they sign in. */
export async function confirmWithPassword(
  context: PersonContext,
  { password, browser }: { password: string; browser: Browser },
): Promise<PasswordCheck> {
  const { database, identity } = context;
  const user = await readOwnUser(context);
  const subject = user.email_key;
  const limits = toAttemptLimits(context, { kind: 'person', subject, user, browser });
  const waitMs = await countAttempt(context, limits);
  if (waitMs > 0) return refuseFor(waitMs);
  if (!(await identity.passwords.verify(password, user.password_hash))) {
    await recordFailure(context, user, { limits, method: 'password' });
    return refuse('The password is wrong.');
  }
  await database.transaction('service', async (tx) => {
    await forgetAttempts(tx, context, limits);
    await updateSession(tx, sessionOf(context).id, { authenticated_ms: context.environment.now().getTime() });
  });
  return { status: 'confirmed' };
}

/**
 * Sets a new password; the current one is asked for. All other sessions of the person end. Throws `validation_failed`
 * for a password that is too easy to guess.
 */
export async function changePassword(
  context: PersonContext,
  input: { current: string; password: string; browser: Browser },
): Promise<PasswordCheck> {
  const { database, identity } = context;
  const user = await readOwnUser(context);
  const problem = findPasswordProblem(input.password, user);
  if (problem !== undefined) throw invalidField('/password', problem);
  const confirmation = await confirmWithPassword(context, {
    password: input.current,
    browser: input.browser,
  });
  if (confirmation.status === 'refused') return confirmation;
  const password_hash = await identity.passwords.hash(input.password);
  await database.transaction('service', async (tx) => {
    await assertRecentlyConfirmed(context, tx);
    await updateUser(tx, user.id, { password_hash });
    await deleteSessions(tx, { userId: user.id, exceptId: sessionOf(context).id });
    await deleteOpenLinks(tx, { userId: user.id });
    const actor = toActor(context.caller);
    await recordPersonEvent(tx, context, { user, actor, action: 'user.password_changed' });
  });
  context.identity.notify?.(context, user, 'Your password was changed');
  return confirmation;
}

/** Changes the name of the person who asks. Throws `validation_failed`. */
export async function changeName(context: Context, text: string): Promise<void> {
  const name = parsePersonName(text);
  const user = await readOwnUser(context);
  if (name === user.name) return;
  await context.database.transaction('service', async (tx) => {
    await updateUser(tx, user.id, { name });
    const actor = toActor(context.caller);
    const change = { former: { name: user.name }, object: { name } };
    await recordPersonEvent(tx, context, { user, actor, action: 'user.renamed', ...change });
  });
}
