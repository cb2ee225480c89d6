import { parseRole } from '../../../../contract/roles.ts';
import { inviteMember } from '../../../identity/invitations.ts';
import { actionRow, linkButton, section, shownOnce } from '../../components.ts';
import { button, errorSummary, type FieldErrors, form, textField, toFieldErrors } from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../page-context.ts';
import type { FormResult, SettingsPage } from '../settings-page.ts';
import { listStylistNames } from '../stylist-names.ts';
import { type RoleChoice, readRoleChoice, renderRoleFields } from './role-fields.ts';
import { invitePath, teamPath } from './team-paths.ts';

/** Invites a person by a link. */
export const invitePage: SettingsPage = {
  path: invitePath,
  title: 'Invite person',
  group: 'Account',
  parent: teamPath,
  action: 'team.write',
  isSensitive: true,
  render: (context) => renderForm(context, { email: '', role: 'receptionist', stylistId: '' }),
  forms: { invite },
};

interface Entered extends RoleChoice {
  readonly email: string;
}

async function invite(context: PageContext, sent: URLSearchParams): Promise<FormResult> {
  const entered = { email: sent.get('email') ?? '', ...readRoleChoice(sent) };
  const role = parseRole(entered.role);
  if (role === undefined) {
    return { status: 422, page: await renderForm(context, entered, { role: 'Choose a role.' }) };
  }
  try {
    const { email, stylistId } = entered;
    const input = { email, role, stylistId: stylistId || null, origin: context.origin };
    const { invitation, link } = await inviteMember(context, input);
    return link === null
      ? { redirect: teamPath, notice: `The invitation was sent to ${invitation.email}.` }
      : { page: renderLink(invitation.email, link) };
  } catch (error) {
    const errors = toFieldErrors(error, ['email', 'role', 'stylist_id']);
    return { status: 422, page: await renderForm(context, entered, errors) };
  }
}

function renderLink(email: string, link: string): Html {
  const hint = html`Send it to <strong>${email}</strong>. It works once, for seven days, and is not shown again.`;
  return html`${shownOnce({ label: 'Invitation link', value: link, hint })}
${linkButton({ href: teamPath, label: 'Done', isPrimary: true })}`;
}

async function renderForm(context: PageContext, entered: Entered, errors?: FieldErrors): Promise<Html> {
  const { csrf, caller, identity } = context;
  const stylists = await listStylistNames(context);
  const isMailed = identity.mailer !== null;
  const email = {
    label: 'Email',
    name: 'email',
    type: 'email',
    hint: isMailed ? 'We send the invitation to this address.' : 'You get a link to pass on to this person.',
    value: entered.email,
    errors,
  } as const;
  const buttons = html`${button({ label: 'Invite', kind: 'primary' })}${linkButton({ href: teamPath, label: 'Cancel' })}`;
  const body = html`${textField(email)}
${renderRoleFields({ own: caller.role, chosen: entered, stylists, errors })}
${actionRow(buttons)}`;
  return html`${errorSummary(errors)}${section({ title: 'New member', body: form({ name: 'invite', csrf, body }) })}`;
}
