import type { Writer } from '../db/engine.ts';
import { deleteOpenLinks } from '../db/identity/one-time-links.ts';
import { deleteSessions, updateSession } from '../db/identity/sessions.ts';
import {
  countRecoveryCodes,
  readPasskeysOf,
  readUser,
  type UserRow,
  updateUser,
} from '../db/identity/users.ts';
import { type AuditedAction, toActor } from '../domain/audit.ts';
import type { Context } from '../domain/context.ts';
import { invalidField } from '../domain/validation.ts';
import type { Browser, PersonContext } from './identity.ts';
import {
  countAttempt,
  forgetAttempts,
  recordFailure,
  recordPersonEvent,
  refuse,
  refuseFor,
  toAttemptLimits,
} from './password-sign-in.ts';
import { findPasswordProblem, parsePersonName } from './person-fields.ts';
import { assertRecentlyConfirmed, sessionOf } from './sessions.ts';

/** Whether a person has proved who they are, or a sentence for them. */
export type PasswordCheck =
  | { readonly status: 'confirmed' }
  | { readonly status: 'refused'; readonly message: string; readonly retryAfterMs?: number };

export async function readOwnSecurity(context: Context) {
  const { reader } = context.database;
  const { id, totp_secret } = await readOwnUser(context);
  return {
    second_factor: totp_secret !== null,
    /** How many are unused. */
    recovery_codes: await countRecoveryCodes(reader, id),
    passkeys: await readPasskeysOf(reader, id),
  };
}

/** How the person who asks signs in. */
export type OwnSecurity = Awaited<ReturnType<typeof readOwnSecurity>>;

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
  const user = await readOwnUser(context);
  const problem = findPasswordProblem(input.password, user);
  if (problem !== undefined) throw invalidField('/password', problem);
  const confirmation = await confirmWithPassword(context, {
    password: input.current,
    browser: input.browser,
  });
  if (confirmation.status === 'refused') return confirmation;
  const password_hash = await context.identity.passwords.hash(input.password);
  const change = { user, action: 'user.password_changed', notice: 'Your password was changed' } as const;
  await changeSignInMethod(context, change, async (tx) => {
    await updateUser(tx, user.id, { password_hash });
    await deleteSessions(tx, { userId: user.id, exceptId: sessionOf(context).id });
    await deleteOpenLinks(tx, { userId: user.id });
  });
  return confirmation;
}

interface SignInMethodChange extends Pick<AuditedAction, 'action' | 'details'> {
  readonly user: UserRow;
  /** What the mail to the person says. */
  readonly notice: string;
}

/** Changes how the person who asks signs in, records it and mails them. Throws `confirmation_required`. */
export async function changeSignInMethod<Result>(
  context: Context,
  { user, action, details, notice }: SignInMethodChange,
  change: (tx: Writer) => Promise<Result>,
): Promise<Result> {
  const result = await context.database.transaction('service', async (tx) => {
    await assertRecentlyConfirmed(context, tx);
    const changed = await change(tx);
    await recordPersonEvent(tx, context, { user, actor: toActor(context.caller), action, details });
    return changed;
  });
  context.notify?.(context, user, notice);
  return result;
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
