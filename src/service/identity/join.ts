import { SalonError } from '../../contract/errors.ts';
import type { Role } from '../../contract/roles.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { readAccounts, readMembershipsOf, saveMembership } from '../db/identity/accounts.ts';
import { deleteOpenLinks, type OneTimeLinkRow, takeOneTimeLink } from '../db/identity/one-time-links.ts';
import { updateSession } from '../db/identity/sessions.ts';
import {
  deletePasskeys,
  insertUser,
  noSecondFactor,
  readUserByEmailKey,
  saveRecoveryCodes,
  type UserRow,
  updateUser,
} from '../db/identity/users.ts';
import { readStylistStatus } from '../db/records/records.ts';
import { recordSecurityEvent, toUserActor } from '../domain/audit.ts';
import { createId } from '../domain/records.ts';
import { invalidField } from '../domain/validation.ts';
import type { Browser, PersonContext, SignInContext, SignInResult } from './identity.ts';
import { openOneTimeLink, readUsableLink, unusable } from './one-time-links.ts';
import { completeSignIn } from './password-sign-in.ts';
import { findPasswordProblem, parsePersonName } from './person-fields.ts';
import { sessionOf } from './sessions.ts';

/** Reads an invitation without using it. Throws `not_found` with the reason. */
export async function readInvitation(
  context: Pick<SignInContext, 'database' | 'environment' | 'source'>,
  token: string,
) {
  const { reader } = context.database;
  const row = await openOneTimeLink(context, 'invitation', token);
  const account = await readInvitingAccount(reader, row);
  const { isActive } = await readPerson(reader, row);
  return {
    email: row.email,
    role: toRole(row),
    account,
    /** Whether the person works in another account already: they sign in and join. Others set a password. */
    isKnownPerson: isActive,
  };
}

/** What an invitation's page shows. */
export type OpenInvitation = Awaited<ReturnType<typeof readInvitation>>;

/**
 * Accepts an invitation as a new person and signs them in. Who belongs to no account any more starts anew, without
 * their former passkeys and authenticator app. Throws `not_found` and `validation_failed`.
 */
export async function acceptInvitation(
  context: SignInContext,
  input: { token: string; name: string; password: string; browser: Browser },
): Promise<SignInResult> {
  const { database, environment, identity } = context;
  const name = parsePersonName(input.name);
  const link = await openOneTimeLink(context, 'invitation', input.token);
  const problem = findPasswordProblem(input.password, { email: link.email, name });
  if (problem !== undefined) throw invalidField('/password', problem);
  const password_hash = await identity.passwords.hash(input.password);
  return database.transaction('service', async (tx) => {
    const row = await readUsableLink(tx, link, environment.now());
    const known = await readPerson(tx, row);
    if (known.isActive) {
      throw new SalonError(
        'not_found',
        'You already have a password for this service. Sign in, then open the link again.',
      );
    }
    const at = environment.now().toISOString();
    const user = {
      id: known.user?.id ?? createId('user', environment),
      ...{ email: row.email, email_key: row.email_key, name, password_hash, ...noSecondFactor },
      verified_at: row.is_mailed === 1 ? at : null,
      created_at: known.user?.created_at ?? at,
    };
    if (known.user === undefined) await insertUser(tx, user);
    else await replaceUser(tx, user);
    const accountId = await join(tx, context, { row, user });
    return completeSignIn(tx, context, user, {
      browser: input.browser,
      method: 'invitation',
      limits: [],
      accountId,
    });
  });
}

/** The person that an invitation is for, and whether they belong to an account. */
async function readPerson(reader: Reader, { email_key }: OneTimeLinkRow) {
  const user = await readUserByEmailKey(reader, email_key);
  const memberships = user === undefined ? [] : await readMembershipsOf(reader, user.id);
  return { user, isActive: memberships.length > 0 };
}

/** Nothing by which a former member signed in is good any more. */
async function replaceUser(tx: Writer, { id, email_key: _key, ...user }: UserRow): Promise<void> {
  await updateUser(tx, id, user);
  await saveRecoveryCodes(tx, id, []);
  await deletePasskeys(tx, { userId: id });
  await deleteOpenLinks(tx, { userId: id });
}

/**
 * Accepts an invitation as the person who is signed in, and works in its account from now on. Throws `not_found`, and
 * `permission_denied` for an invitation of somebody else.
 */
export async function joinAccount(context: PersonContext, token: string): Promise<void> {
  const { database, environment } = context;
  const session = sessionOf(context);
  const link = await openOneTimeLink(context, 'invitation', token);
  await database.transaction('service', async (tx) => {
    const row = await readUsableLink(tx, link, environment.now());
    const user = await readUserByEmailKey(tx, row.email_key);
    if (user?.id !== session.user.id) {
      throw new SalonError(
        'permission_denied',
        `This invitation is for ${row.email}. Sign in as that person.`,
      );
    }
    const accountId = await join(tx, context, { row, user });
    await updateSession(tx, session.id, { account_id: accountId });
  });
}

/** Uses an invitation up. Returns the account. */
async function join(
  tx: Writer,
  context: Pick<SignInContext, 'environment' | 'source'>,
  { row, user }: { row: OneTimeLinkRow; user: { id: string; name: string } },
): Promise<string> {
  const { environment } = context;
  const { id: accountId } = await readInvitingAccount(tx, row);
  await tx.lockAccount(accountId);
  const { stylist_id } = row;
  if (stylist_id !== null && (await readStylistStatus(tx, { accountId, id: stylist_id })) !== 'active') {
    throw unusable('The stylist of this invitation is no longer active.');
  }
  if (!(await takeOneTimeLink(tx, row.hash, environment.now().getTime()))) {
    throw unusable('This link has already been used.');
  }
  const membership = {
    account_id: accountId,
    user_id: user.id,
    role: toRole(row),
    stylist_id,
    created_at: environment.now().toISOString(),
    ended_at: null,
  };
  await saveMembership(tx, membership);
  // An owner elsewhere may have a link for this person: it must not lead here.
  await deleteOpenLinks(tx, { userId: user.id });
  await recordSecurityEvent(tx, context, {
    accountId,
    actor: toUserActor(user),
    action: 'membership.created',
    id: user.id,
    object: { email: row.email, role: membership.role, stylist_id },
    details: { invitation: row.id },
  });
  return accountId;
}

async function readInvitingAccount(reader: Reader, { account_id }: OneTimeLinkRow) {
  const account = (await readAccounts(reader)).find(({ id }) => id === account_id);
  if (account === undefined) throw unusable('This link is not valid.');
  return { id: account.id, name: account.name };
}

function toRole({ role }: OneTimeLinkRow): Role {
  if (role === null) throw new Error('The invitation has no role.');
  return role;
}
