import { SalonError } from '../../contract/errors.ts';
import { readInvitationsTo } from '../db/audit/entries.ts';
import type { Writer } from '../db/engine.ts';
import { countOwners, readAccountsOf, readMember } from '../db/identity/memberships.ts';
import { deleteUser, readUser, type UserRow } from '../db/identity/users.ts';
import { insertErasure } from '../db/records/erasures.ts';
import { eraseAuditValues, recordAudit } from '../domain/audit.ts';
import { authorizeAction, permissionDenied } from '../domain/authorization.ts';
import type { Context } from '../domain/context.ts';
import { notFound } from '../domain/records.ts';
import { revokeAccessOf } from '../domain/revoke-access.ts';
import { assertCurrentRights } from './current-rights.ts';
import { assertOnlyHere } from './resets.ts';

/**
 * Erases a person who is or was a member of the account: their access ends everywhere, and their name, address and ways
 * to sign in are deleted. Entries of the audit log keep an ID that names nobody. Throws `not_found`, `permission_denied`
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
      {
        status: 409,
      },
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
