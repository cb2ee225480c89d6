import { SalonError } from '../../contract/errors.ts';
import { isNotAbove, type Role } from '../../contract/roles.ts';
import { readInvitationsTo } from '../db/audit/entries.ts';
import type { Writer } from '../db/engine.ts';
import {
  countOwners,
  type MemberRow,
  readAccountsOf,
  readFactorRequirement,
  readMember,
  readMembers,
  saveFactorRequirement,
  saveMembership,
} from '../db/identity/accounts.ts';
import { readOwnedKeys } from '../db/identity/api-keys.ts';
import { readClientsWithSecretOf } from '../db/identity/oauth-clients.ts';
import { deleteLinksBy } from '../db/identity/one-time-links.ts';
import { deleteUser, readUser, type UserRow } from '../db/identity/users.ts';
import { insertErasure } from '../db/records/removed-clients.ts';
import { eraseAuditValues, recordAudit, toActor } from '../domain/audit.ts';
import { authorizeAction, permissionDenied } from '../domain/authorization.ts';
import type { Context } from '../domain/context.ts';
import { notFound } from '../domain/records.ts';
import { revokeAccessOf, revokeWithCreated } from '../domain/revoke-access.ts';
import { assertCurrentRights, changeAccess } from './credential-rights.ts';
import { assertMayGive, assertStylistOfRole } from './invitations.ts';
import { assertOnlyHere } from './resets.ts';
import { assertRecentlyConfirmed } from './sessions.ts';

/** The people of the account. Throws `permission_denied`. */
export async function listTeam({ database, caller }: Context): Promise<Member[]> {
  authorizeAction(caller, 'team.read');
  return (await readMembers(database.reader, caller.account.id)).map(toMember);
}

/** One of the people of the account. Throws `not_found` and `permission_denied`. */
export async function getMember(context: Context, userId: string): Promise<Member> {
  authorizeAction(context.caller, 'team.read');
  return toMember(await findMember(context.database.reader, context, userId));
}

/**
 * Gives a member another role, which counts at once. API keys that they created and OAuth client secrets that they
 * generated end if they may do more than the member. If the role is lowered, so do the links that they created, which
 * they know.
 * Throws `not_found`, `permission_denied`, `conflict` for the last owner, and `validation_failed`.
 */
export async function changeMember(
  context: Context,
  userId: string,
  input: { readonly role: Role; readonly stylistId?: string | null },
): Promise<Member> {
  const { caller } = context;
  authorizeAction(caller, 'team.write');
  assertMayGive(context, input.role);
  return changeAccess(context, async (tx) => {
    const member = await findMember(tx, context, userId);
    assertMayGive(context, member.role);
    if (input.role !== 'owner') await assertNotLastOwner(tx, context, member);
    const { account_id, user_id, created_at, ended_at } = member;
    const stylist_id = await assertStylistOfRole(tx, context, input);
    await saveMembership(tx, { account_id, user_id, created_at, ended_at, role: input.role, stylist_id });
    const changed = { ...member, role: input.role, stylist_id };
    const [former, object] = [toMember(member), toMember(changed)];
    await recordAudit(tx, context, { action: 'membership.updated', id: userId, former, object });
    const mayDoMore = (key: { role: Role; stylist_id: string | null }) =>
      !isNotAbove(key.role, input.role) || (input.role === 'stylist' && key.stylist_id !== stylist_id);
    const actsAbove = (client: { role: Role | null }) =>
      client.role !== null && !isNotAbove(client.role, input.role);
    const owner = { accountId: account_id, userId };
    const keys = (await readOwnedKeys(tx, owner)).filter(mayDoMore);
    const clients = (await readClientsWithSecretOf(tx, owner)).filter(actsAbove);
    const ids = [...keys, ...clients].map(({ id }) => id);
    const reason = 'role_lowered';
    await revokeWithCreated(tx, context, { ids, accountId: account_id, actor: toActor(caller), reason });
    if (!isNotAbove(member.role, input.role)) {
      for (const id of await deleteLinksBy(tx, { accountId: account_id, creatorId: userId })) {
        await recordAudit(tx, context, { action: 'invitation.cancelled', id, details: { reason } });
      }
    }
    return object;
  });
}

/**
 * Ends a membership at once, with the person's sessions, connected apps and API keys in this account. Throws
 * `not_found`, `permission_denied`, and `conflict` for the last owner.
 */
export async function deactivateMember(context: Context, userId: string) {
  const { caller } = context;
  authorizeAction(caller, 'team.write');
  return changeAccess(context, async (tx) => {
    const member = await findMember(tx, context, userId);
    assertMayGive(context, member.role);
    await assertNotLastOwner(tx, context, member);
    const { memberships, grantIds, keyIds } = await revokeAccessOf(tx, context, { userId });
    const sessions = memberships.reduce((sum, ended) => sum + ended.sessions, 0);
    return { member: toMember(member), sessions, apps: grantIds.length, keys: keyIds.length };
  });
}

/**
 * Sets whether everybody needs a second factor to work in the account. Who has none can do nothing but add one, also in
 * sessions that exist. Throws `permission_denied` for all but owners and the operator, and `confirmation_required`.
 */
export async function requireSecondFactor(context: Context, isRequired: boolean): Promise<void> {
  const { caller } = context;
  authorizeAction(caller, 'oauth_clients.write');
  const { id } = caller.account;
  await changeAccess(context, async (tx) => {
    if (caller.credential.kind === 'session') await assertRecentlyConfirmed(context, tx);
    const former = await readFactorRequirement(tx, id);
    if (former === isRequired) return;
    await saveFactorRequirement(tx, id, isRequired);
    await recordAudit(tx, context, {
      ...{ action: 'account.updated', id },
      ...{ former: { requires_second_factor: former }, object: { requires_second_factor: isRequired } },
    });
  });
}

/** Without an owner, only the operator could manage the account. */
async function assertNotLastOwner(tx: Writer, { caller }: Context, member: MemberRow): Promise<void> {
  if (member.role !== 'owner' || caller.credential.kind === 'operator') return;
  if ((await countOwners(tx, caller.account.id)) > 1) return;
  throw new SalonError('conflict', `${member.name} is the only owner. Make someone else an owner first.`, {
    status: 409,
  });
}

async function findMember(
  reader: Parameters<typeof readMember>[0],
  { caller }: Context,
  userId: string,
): Promise<MemberRow> {
  const member = await readMember(reader, { accountId: caller.account.id, userId });
  if (member === undefined) throw notFound('user', userId);
  return member;
}

function toMember(row: MemberRow) {
  return {
    id: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    stylist_id: row.stylist_id,
    /** Whether an authenticator app is asked for besides the password. */
    second_factor: row.has_totp === 1,
    passkeys: row.passkeys,
    /** When they last used a session that has not ended. */
    last_seen_at: row.last_seen_ms === null ? null : new Date(row.last_seen_ms).toISOString(),
    created_at: row.created_at,
  };
}

/** A person in the team of an account. */
export type Member = ReturnType<typeof toMember>;

/**
 * Erases a person who is or was a member of the account: their access ends everywhere, and their name, address and ways
 * to sign in are deleted. Entries of the audit log keep an ID without a name. Throws `not_found`, `permission_denied`
 * for all but owners and where the person works elsewhere, too, and `conflict` for the only owner of an account.
 */
export async function erasePerson(context: Context, userId: string): Promise<{ readonly email: string }> {
  const { database, caller } = context;
  authorizeAction(caller, 'team.write');
  if (caller.role !== 'owner') throw permissionDenied(caller, 'oauth_clients.write');
  const user = await database.transaction('service', async (tx) => {
    const accountIds = await readAccountsOf(tx, userId);
    // In one order, so that transactions do not wait for each other.
    for (const id of accountIds) await tx.lockAccount(id);
    await assertCurrentRights(tx, caller);
    const found = accountIds.includes(caller.account.id) ? await readUser(tx, userId) : undefined;
    if (found === undefined) throw notFound('user', userId);
    if (caller.credential.kind !== 'operator') await assertOnlyHere(tx, found);
    for (const id of accountIds) {
      await eraseFromAccount(
        tx,
        { ...context, caller: { ...caller, account: { ...caller.account, id } } },
        found,
      );
    }
    await deleteUser(tx, found);
    return found;
  });
  database.requestPurge();
  return { email: user.email };
}

async function eraseFromAccount(tx: Writer, context: Context, { id, email, name }: UserRow): Promise<void> {
  const accountId = context.caller.account.id;
  const member = await readMember(tx, { accountId, userId: id });
  if (member?.role === 'owner' && (await countOwners(tx, accountId)) === 1) {
    throw new SalonError(
      'conflict',
      `${name} is the only owner of an account. Make someone else an owner first.`,
      { status: 409 },
    );
  }
  if (member !== undefined) await revokeAccessOf(tx, context, { userId: id });
  await recordAudit(tx, context, { action: 'user.erased', id });
  const records = [id, ...(await readInvitationsTo(tx, accountId, email))];
  await eraseRecords(tx, context, records);
}

/** Erases an address from the log of withdrawn invitations to it. Returns their IDs. */
export async function eraseInvitations(context: Context, email: string): Promise<string[]> {
  const { database, caller } = context;
  const ids = await database.transaction('service', async (tx) => {
    await tx.lockAccount(caller.account.id);
    const found = await readInvitationsTo(tx, caller.account.id, email);
    await eraseRecords(tx, context, found);
    return found;
  });
  database.requestPurge();
  return ids;
}

async function eraseRecords(tx: Writer, context: Context, ids: readonly string[]): Promise<void> {
  const { environment, caller } = context;
  const accountId = caller.account.id;
  for (const id of ids)
    await eraseAuditValues(tx, environment, { accountId, subject: { kind: 'record', id } });
  const [id] = ids;
  if (id !== undefined)
    await insertErasure(tx, { account_id: accountId, id, erased_ms: environment.now().getTime() });
}
