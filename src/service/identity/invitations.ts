import { SalonError } from '../../contract/errors.ts';
import { isNotAbove, type Role } from '../../contract/roles.ts';
import type { Writer } from '../db/engine.ts';
import { readMember } from '../db/identity/accounts.ts';
import { deleteOpenLinks, type OneTimeLinkRow, readOpenInvitations } from '../db/identity/one-time-links.ts';
import { readUserByEmailKey } from '../db/identity/users.ts';
import { readStylistStatus } from '../db/records/records.ts';
import { recordAudit } from '../domain/audit.ts';
import { authorizeAction } from '../domain/authorization.ts';
import type { Context } from '../domain/context.ts';
import { notFound } from '../domain/records.ts';
import { invalidField } from '../domain/validation.ts';
import { changeAccess } from './credential-rights.ts';
import type { PersonContext } from './identity.ts';
import { createOneTimeLink, isOnlyMailed, issueLink } from './one-time-links.ts';
import { parseEmailAddress } from './person-fields.ts';

export interface NewInvitation {
  readonly email: string;
  readonly role: Role;
  /** Required with the role stylist, refused with others. */
  readonly stylistId?: string | null;
  /** The origin of the pages. */
  readonly origin: string;
}

/** The invitations of the account that are open or have expired. */
export async function listInvitations(context: Context) {
  authorizeAction(context.caller, 'team.read');
  const rows = await readOpenInvitations(context.database.reader, context.caller.account.id);
  return rows.map(toInvitation);
}

/**
 * Invites a person, in place of an earlier invitation of theirs. With a mail server the link is mailed, and only the
 * operator sees it. Throws `permission_denied` for a role above the caller's own and `validation_failed`.
 */
export async function inviteMember(context: PersonContext, input: NewInvitation) {
  const { caller } = context;
  authorizeAction(caller, 'team.write');
  assertMayGive(context, input.role);
  const address = parseEmailAddress(input.email);
  const { row, path } = await changeAccess(context, async (tx) => {
    await assertNewMember(tx, context, address.key);
    const created = await createOneTimeLink(tx, context, {
      kind: 'invitation',
      account_id: caller.account.id,
      email: address.email,
      email_key: address.key,
      role: input.role,
      stylist_id: await assertStylistOfRole(tx, context, input),
      is_mailed: isOnlyMailed(context) ? 1 : 0,
    });
    const object = toInvitation(created.row);
    await recordAudit(tx, context, { action: 'invitation.created', id: object.id, object });
    return created;
  });
  const link = `${input.origin}${path}`;
  const issued = await issueLink(context, { row, link, mail: toInvitationMail(row, link, caller) });
  return { ...issued, invitation: toInvitation(row) };
}

/** Withdraws an invitation. Throws `not_found`. */
export async function cancelInvitation(context: Context, id: string): Promise<void> {
  const { database, caller } = context;
  authorizeAction(caller, 'team.write');
  await database.transaction('service', async (tx) => {
    const open = await readOpenInvitations(tx, caller.account.id);
    const row = open.find((one) => one.id === id);
    if (row === undefined) throw notFound('invitation', id);
    assertMayGive(context, row.role ?? 'owner');
    await deleteOpenLinks(tx, { accountId: caller.account.id, id });
    await recordAudit(tx, context, { action: 'invitation.cancelled', id, former: toInvitation(row) });
  });
}

/** Throws `permission_denied` for a role above the caller's own. */
export function assertMayGive({ caller }: Pick<Context, 'caller'>, role: Role): void {
  if (isNotAbove(role, caller.role)) return;
  throw new SalonError('permission_denied', `Only people with the role ${role} can do this.`, {
    members: { required_role: role },
  });
}

/** The stylist of a membership: required with the role stylist, refused with others. Throws `validation_failed`. */
export async function assertStylistOfRole(
  tx: Writer,
  { caller }: Pick<Context, 'caller'>,
  { role, stylistId }: Pick<NewInvitation, 'role' | 'stylistId'>,
): Promise<string | null> {
  const id = stylistId ?? null;
  if (role !== 'stylist') {
    if (id === null) return null;
    throw invalidField('/stylist_id', 'Only the role stylist can have a stylist.');
  }
  const status = id === null ? undefined : await readStylistStatus(tx, { accountId: caller.account.id, id });
  if (status === 'active') return id;
  throw invalidField(
    '/stylist_id',
    status === undefined ? 'Choose which stylist this person is.' : 'This stylist is inactive.',
  );
}

function toInvitation(row: OneTimeLinkRow) {
  return {
    id: row.id,
    email: row.email,
    role: row.role ?? 'viewer',
    stylist_id: row.stylist_id,
    created_at: new Date(row.created_ms).toISOString(),
    expires_at: new Date(row.expires_ms).toISOString(),
  };
}

/** A pending invitation. */
export type Invitation = ReturnType<typeof toInvitation>;

async function assertNewMember(tx: Writer, { caller }: Context, emailKey: string): Promise<void> {
  const user = await readUserByEmailKey(tx, emailKey);
  const key = user && { accountId: caller.account.id, userId: user.id };
  if (key === undefined || (await readMember(tx, key)) === undefined) return;
  throw invalidField('/email', 'This person is already on the team.');
}

function toInvitationMail(
  { email, expires_ms }: OneTimeLinkRow,
  link: string,
  { account, credential }: Context['caller'],
) {
  const by =
    'user' in credential && credential.user !== null
      ? `${credential.user.name} invites you`
      : 'You are invited';
  return {
    to: email,
    subject: `Invitation to ${account.name}`,
    text: `${by} to ${account.name}.

Open this link to accept. It works once, until ${new Date(expires_ms).toUTCString()}:
${link}

If you did not expect this mail, ignore it.
`,
  };
}
