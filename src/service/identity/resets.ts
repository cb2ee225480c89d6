import { SalonError } from '../../contract/errors.ts';
import type { Writer } from '../db/engine.ts';
import { readMember, readMembershipsOf } from '../db/identity/accounts.ts';
import { revokeGrants } from '../db/identity/oauth-grants.ts';
import { deleteOpenLinks, type OneTimeLinkRow, takeOneTimeLink } from '../db/identity/one-time-links.ts';
import { deleteSessions } from '../db/identity/sessions.ts';
import {
  deletePasskeys,
  noSecondFactor,
  readUser,
  readUserByEmailKey,
  saveRecoveryCodes,
  type UserRow,
  updateUser,
} from '../db/identity/users.ts';
import { recordAudit, toUserActor } from '../domain/audit.ts';
import { authorizeAction } from '../domain/authorization.ts';
import { notFound } from '../domain/records.ts';
import { invalidField } from '../domain/validation.ts';
import { takeAttempt } from '../domain/window-limit.ts';
import { changeAccess } from './credential-rights.ts';
import type { Browser, PersonContext, SignInContext, SignInResult } from './identity.ts';
import { assertMayGive } from './invitations.ts';
import {
  createOneTimeLink,
  type IssuedLink,
  isOnlyMailed,
  issueLink,
  openOneTimeLink,
  unusable,
} from './one-time-links.ts';
import { completePasswordSignIn, recordPersonEvent, toAddressLimit, toLimit } from './password-sign-in.ts';
import { findEmailAddress, findPasswordProblem } from './person-fields.ts';

export interface NewReset {
  readonly userId: string;
  /** The origin of the pages. */
  readonly origin: string;
  /** Also removes the authenticator app and the recovery codes, for a person who has lost them. */
  readonly removesSecondFactor: boolean;
}

/**
 * Creates a link by which a member sets a new password, in place of an earlier one. With a mail server it is mailed,
 * and only the operator sees it. No other caller gets a link for a person who also works elsewhere: it would lead there,
 * too. Throws `permission_denied` and `not_found`.
 */
export async function createReset(context: PersonContext, input: NewReset): Promise<IssuedLink> {
  const { caller } = context;
  authorizeAction(caller, 'team.write');
  const isOperator = caller.credential.kind === 'operator';
  const isMailed = isOnlyMailed(context);
  const { row, path } = await changeAccess(context, async (tx) => {
    const user = await readUser(tx, input.userId);
    const member = await readMember(tx, { accountId: caller.account.id, userId: input.userId });
    if (user === undefined || member === undefined) throw notFound('user', input.userId);
    assertMayGive(context, member.role);
    if (!isOperator && (!isMailed || input.removesSecondFactor)) await assertOnlyHere(tx, user);
    const created = await createOneTimeLink(tx, context, {
      kind: 'reset',
      user_id: user.id,
      email: user.email,
      email_key: user.email_key,
      is_mailed: isMailed ? 1 : 0,
      removes_second_factor: input.removesSecondFactor ? 1 : 0,
    });
    const details = { removes_second_factor: input.removesSecondFactor };
    await recordAudit(tx, context, { action: 'user.reset_created', id: user.id, details });
    return created;
  });
  const link = `${input.origin}${path}`;
  return issueLink(context, { row, link, mail: toResetMail(row, link) });
}

/**
 * Mails a link to the person with an address, if there is one. It does so in the background, so that nobody learns
 * whether there is. Throws `service_unavailable` without a mail server.
 */
export function requestReset(
  context: SignInContext,
  { email, origin }: { email: string; origin: string },
): void {
  const { database, environment, identity, source } = context;
  const { mailer } = identity;
  if (mailer === null) {
    throw new SalonError('service_unavailable', 'This service does not send email. Ask an owner for a link.');
  }
  const address = findEmailAddress(email);
  if (address === undefined) return;
  identity.inBackground(async () => {
    const user = await readUserByEmailKey(database.reader, address.key);
    const limits = [toLimit('mail', address.key), toAddressLimit(source.address)];
    if (user === undefined) return;
    const created = await database.transaction('service', async (tx) => {
      const now = environment.now();
      if ((await takeAttempt(tx, limits, now)) > 0) return undefined;
      const { id: user_id, email_key } = user;
      const link = { kind: 'reset', user_id, email: user.email, email_key, is_mailed: 1 } as const;
      const made = await createOneTimeLink(tx, context, link);
      await recordPersonEvent(tx, context, {
        user,
        actor: toUserActor(user),
        action: 'user.reset_requested',
      });
      return made;
    });
    if (created !== undefined) await mailer.deliver(toResetMail(created.row, `${origin}${created.path}`));
  });
}

/** What a reset's page shows. Does not use the link. Throws `not_found` with the reason. */
export async function readReset(
  context: Pick<SignInContext, 'database' | 'environment' | 'source'>,
  token: string,
): Promise<{ readonly email: string; readonly removesSecondFactor: boolean }> {
  const row = await openOneTimeLink(context, 'reset', token);
  return { email: row.email, removesSecondFactor: row.removes_second_factor === 1 };
}

/**
 * Sets a new password by a link, ends all sessions of the person, and signs them in; a second factor is still asked
 * for. Throws `not_found` and `validation_failed`.
 */
export async function resetPassword(
  context: SignInContext,
  { token, password, browser }: { token: string; password: string; browser: Browser },
): Promise<SignInResult> {
  const { database, environment, identity } = context;
  const link = await openOneTimeLink(context, 'reset', token);
  const person = await readUser(database.reader, link.user_id ?? '');
  if (person === undefined) throw unusable('This link is not valid.');
  const problem = findPasswordProblem(password, person);
  if (problem !== undefined) throw invalidField('/password', problem);
  const password_hash = await identity.passwords.hash(password);
  const user = await database.transaction('service', async (tx) => {
    if (!(await takeOneTimeLink(tx, link.hash, environment.now().getTime()))) {
      throw unusable('This link has already been used.');
    }
    return change(tx, context, { link, person, password_hash });
  });
  identity.notify?.(context, user, 'Your password was changed');
  const limits = [toLimit('person', user.email_key)];
  return completePasswordSignIn(context, user, { browser, method: 'reset', limits });
}

async function change(
  tx: Writer,
  context: SignInContext,
  { link, person, password_hash }: { link: OneTimeLinkRow; person: UserRow; password_hash: string },
): Promise<UserRow> {
  const { id } = person;
  const now = context.environment.now();
  const isFirstProof = link.is_mailed === 1 && person.verified_at === null;
  const verified = isFirstProof ? { verified_at: now.toISOString() } : {};
  const factors = link.removes_second_factor === 1 ? noSecondFactor : {};
  await updateUser(tx, id, { password_hash, ...verified, ...factors });
  if (link.removes_second_factor === 1) await saveRecoveryCodes(tx, id, []);
  // Somebody else may have used this address before its owner proved that it is theirs, and must not stay signed in.
  // A second factor stays: a mailbox alone is not enough to get around it.
  const passkeys = isFirstProof ? await deletePasskeys(tx, { userId: id }) : 0;
  if (isFirstProof) await revokeGrants(tx, { userId: id }, now.getTime());
  await deleteSessions(tx, { userId: id });
  await deleteOpenLinks(tx, { userId: id });
  const event = { user: person, actor: toUserActor(person), action: 'user.password_reset' } as const;
  const details = { removed_second_factor: link.removes_second_factor === 1, removed_passkeys: passkeys };
  await recordPersonEvent(tx, context, { ...event, details });
  return { ...person, password_hash, ...verified, ...factors };
}

/** Throws `permission_denied` for a person who belongs to another account, too. */
export async function assertOnlyHere(tx: Writer, { id }: UserRow): Promise<void> {
  if ((await readMembershipsOf(tx, id)).length <= 1) return;
  const message =
    'This person also belongs to another salon, so only the operator of the service can do this.';
  throw new SalonError('permission_denied', message);
}

function toResetMail({ email, expires_ms }: OneTimeLinkRow, link: string) {
  return {
    to: email,
    subject: 'Set a new password',
    text: `Open this link to set a new password. It works once, until ${new Date(expires_ms).toUTCString()}:
${link}

If you did not ask for it, ignore this mail: your password has not been changed.
`,
  };
}
