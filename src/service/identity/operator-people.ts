import { SalonError } from '../../contract/errors.ts';
import { readAccounts, readAccountsOf, readMembershipsOf } from '../db/identity/accounts.ts';
import { readUserByEmailKey } from '../db/identity/users.ts';
import { createAccount, type NewAccount, toOperatorContext } from '../domain/accounts.ts';
import type { Context } from '../domain/context.ts';
import type { PersonContext } from './identity.ts';
import { cancelInvitation, inviteMember, listInvitations, type NewInvitation } from './invitations.ts';
import type { IssuedLink } from './one-time-links.ts';
import { findEmailAddress, parseEmailAddress } from './person-fields.ts';
import { createReset, type NewReset } from './resets.ts';
import { deactivateMember, eraseInvitations, erasePerson, listTeam } from './team.ts';

/** What the operator's commands for people work with. */
export type PeopleServices = Omit<PersonContext, 'caller' | 'source'>;

/** The people of an account, then its open invitations. */
export async function listPeople(context: Context) {
  const now = context.environment.now().toISOString();
  const members = await listTeam(context);
  const invitations = await listInvitations(context);
  return [
    ...members.map(({ id, email, name, role, ...others }) => ({
      ...{ id, email, name, role, status: 'active' as const },
      ...others,
    })),
    ...invitations.map(({ id, email, role, stylist_id, created_at, expires_at }) => ({
      ...{ id, email, name: null, role },
      status: expires_at > now ? ('invited' as const) : ('invitation_expired' as const),
      ...{ stylist_id, second_factor: false, passkeys: 0, last_seen_at: null, created_at },
    })),
  ];
}

/** Invites a person. Throws `usage`. */
export async function invitePerson(context: PersonContext, input: NewInvitation) {
  const { invitation, ...issued } = await inviteMember(context, input).catch(toUsage);
  return { ...toLinkRecord(invitation, issued), role: invitation.role };
}

export interface NewOwnedAccount extends NewAccount {
  readonly owner: string;
  readonly origin: string;
}

/** Creates an account and invites its owner. Throws `usage` for the address before anything is created. */
export async function createOwnedAccount(
  services: PeopleServices,
  { owner, origin, ...account }: NewOwnedAccount,
) {
  const { email } = await Promise.try(parseEmailAddress, owner).catch(toUsage);
  const created = await createAccount(services, account);
  const context = await toOperatorContext(services, created.id);
  const invited = await invitePerson(context, { email, role: 'owner', origin });
  const { role: _role, ...link } = invited;
  return { ...created, owner: link };
}

export interface PersonReset extends Omit<NewReset, 'userId'> {
  readonly email: string;
}

/** Creates a link by which a person sets a new password. Throws `not_found` for an unknown address. */
export async function resetPerson(services: PeopleServices, { email, ...reset }: PersonReset) {
  const { user, accountIds } = await findPerson(services, email);
  const context = await toOperatorContext(services, accountIds[0]);
  const issued = await createReset(context, { userId: user.id, ...reset });
  return toLinkRecord({ email: user.email, expires_at: issued.expiresAt }, issued);
}

export interface EndedAccess {
  readonly email: string;
  /** Optional for a person with one account. */
  readonly accountId?: string | undefined;
  readonly isEverywhere: boolean;
}

/** Ends a person's access to an account at once, or to all of them. Throws `not_found` for an unknown address. */
export async function deactivatePerson(
  services: PeopleServices,
  { email, accountId, isEverywhere }: EndedAccess,
) {
  /** The invitations are those of a person who had not accepted any: they are withdrawn instead. */
  const ended = { account_ids: [] as string[], sessions: 0, apps: 0, keys: 0, invitations: 0 };
  const found = await findPerson(services, email).catch((error: unknown) => {
    if (!(error instanceof SalonError) || error.code !== 'not_found') throw error;
  });
  if (found === undefined) {
    const withdrawn = await endInvitations(services, { accountId, email, isErased: false });
    const [first] = withdrawn;
    if (first === undefined) throw unknownPerson(email);
    const account_ids = withdrawn.map(({ account }) => account);
    return { ...ended, id: first.id, email: first.email, account_ids, invitations: withdrawn.length };
  }
  const { user, accountIds } = found;
  const only = accountIds.length === 1 ? accountIds[0] : undefined;
  for (const id of isEverywhere ? accountIds : [accountId ?? only]) {
    const context = await toOperatorContext(services, id);
    const { sessions, apps, keys } = await deactivateMember(context, user.id);
    ended.account_ids.push(context.caller.account.id);
    ended.sessions += sessions;
    ended.apps += apps;
    ended.keys += keys;
  }
  return { ...ended, id: user.id, email: user.email };
}

/** Withdraws the invitations to an address, in one account or in all, and erases it there. Returns the invitations. */
async function endInvitations(
  services: PeopleServices,
  { accountId, isErased, ...given }: Omit<EndedAccess, 'isEverywhere'> & { readonly isErased: boolean },
) {
  const { email, key } = findEmailAddress(given.email) ?? { email: given.email, key: undefined };
  const ended: { readonly id: string; readonly email: string; readonly account: string }[] = [];
  for (const { id: account } of await readAccounts(services.database.reader)) {
    if (accountId !== undefined && accountId !== account) continue;
    const context = await toOperatorContext(services, account);
    const invitations = await listInvitations(context);
    const open = invitations.filter((one) => findEmailAddress(one.email)?.key === key).map(({ id }) => id);
    for (const id of open) await cancelInvitation(context, id);
    const ids = isErased ? await eraseInvitations(context, email) : open;
    ended.push(...ids.map((id) => ({ id, email, account })));
  }
  return ended;
}

/** Erases a person, also one without access or only invited, from all accounts. Throws `not_found` and `conflict`. */
export async function erasePersonByEmail(services: PeopleServices, email: string) {
  const { reader } = services.database;
  const user = await readUserByEmailKey(reader, findEmailAddress(email)?.key ?? '');
  const [accountId] = user === undefined ? [] : await readAccountsOf(reader, user.id);
  const erased = user && {
    id: user.id,
    ...(await erasePerson(await toOperatorContext(services, accountId), user.id)),
  };
  const [invited] = await endInvitations(services, { email, isErased: true });
  if (erased !== undefined) return erased;
  if (invited === undefined) throw unknownPerson(email);
  return { id: invited.id, email: invited.email };
}

/** A person with an address, and the accounts they belong to. Throws `not_found`. */
async function findPerson({ database }: PeopleServices, email: string) {
  const address = findEmailAddress(email);
  const user = address && (await readUserByEmailKey(database.reader, address.key));
  const memberships = user === undefined ? [] : await readMembershipsOf(database.reader, user.id);
  if (user === undefined || memberships.length === 0) {
    throw unknownPerson(email);
  }
  return { user, accountIds: memberships.map(({ account_id }) => account_id) };
}

function unknownPerson(email: string): SalonError {
  return new SalonError('not_found', `No person with the email address ${email}.`, {
    hint: 'List them: salon server users list',
  });
}

/** What the operator typed is a mistake of the command. */
function toUsage(error: unknown): never {
  if (!(error instanceof SalonError) || error.code !== 'validation_failed') throw error;
  throw new SalonError('usage', error.message, { hint: 'Correct it and try again.', cause: error });
}

/** A link for the operator to pass on. It is shown once: the database stores its hash. */
function toLinkRecord(
  { email, expires_at }: { email: string; expires_at: string },
  { link, isMailed, mailProblem }: IssuedLink,
) {
  if (link === null) throw new Error('The operator gets every link.');
  return {
    ...{ email, link, expires_at, mailed: isMailed },
    /** Why it was not mailed, although there is a mail server. */
    mail_problem: mailProblem,
  };
}
