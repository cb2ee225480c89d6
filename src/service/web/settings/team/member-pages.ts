import { countOf } from '../../../../contract/numbers.ts';
import { parseRole } from '../../../../contract/roles.ts';
import { erasePerson } from '../../../identity/person-erasure.ts';
import { createReset } from '../../../identity/resets.ts';
import { changeMember, deactivateMember, getMember, type Member } from '../../../identity/team.ts';
import { detailList, linkButton, section, shownOnce, time } from '../../components.ts';
import {
  button,
  checkbox,
  confirmation,
  errorSummary,
  type FieldErrors,
  form,
  toFieldErrors,
} from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../page-context.ts';
import type { FormResult, SettingsPage } from '../settings-page.ts';
import { listStylistNames } from '../stylist-names.ts';
import { type RoleChoice, readRoleChoice, renderRoleFields } from './role-fields.ts';
import { teamPath, toDeactivationPath, toMemberPath } from './team-paths.ts';

/** One person of the team. */
export const memberPage: SettingsPage = {
  path: toMemberPath(':id'),
  title: 'Member',
  group: 'Account',
  parent: teamPath,
  action: 'team.write',
  isSensitive: true,

  async render(context) {
    const member = await readMember(context);
    return renderMember(context, member, { role: member.role, stylistId: member.stylist_id ?? '' });
  },

  forms: { role: changeRole, reset: createLink },
};

/** Asks before a person loses their access, or is erased. */
export const deactivationPage: SettingsPage = {
  path: toDeactivationPath(':id'),
  title: 'Deactivate member',
  group: 'Account',
  parent: teamPath,
  action: 'team.write',
  isSensitive: true,

  async render(context) {
    const { id, name, email } = await readMember(context);
    const [csrf, cancel] = [context.csrf, toMemberPath(id)];
    const deactivation = confirmation({
      body: html`<p><strong>${name}</strong> (${email}) loses access to ${context.caller.account.name} at once. Their sessions, connected apps and API keys end.</p>`,
      ...{ form: 'deactivate', csrf, cancel, label: 'Deactivate member' },
    });
    if (context.caller.role !== 'owner') return deactivation;
    const erasure = confirmation({
      body: html`<p>Erasing also deletes the name, the email address and all ways to sign in, also from the audit log. This cannot be undone.</p>`,
      ...{ form: 'erase', csrf, cancel, label: 'Erase member' },
    });
    return html`${deactivation}${erasure}`;
  },

  forms: {
    async erase(context) {
      const { email } = await erasePerson(context, context.params['id'] ?? '');
      return { redirect: teamPath, notice: `${email} was erased.` };
    },
    async deactivate(context) {
      const { member, sessions, apps, keys } = await deactivateMember(context, context.params['id'] ?? '');
      const ended = `Ended: ${countOf(sessions, 'sessions')}, ${countOf(apps, 'connected apps')}, ${countOf(keys, 'API keys')}.`;
      return { redirect: teamPath, notice: `${member.name} no longer has access. ${ended}` };
    },
  },
};

function readMember(context: PageContext): Promise<Member> {
  return getMember(context, context.params['id'] ?? '');
}

async function changeRole(context: PageContext, sent: URLSearchParams): Promise<FormResult> {
  const member = await readMember(context);
  const chosen = readRoleChoice(sent);
  const role = parseRole(chosen.role);
  try {
    if (role === undefined) {
      const page = await renderMember(context, member, chosen, { role: 'Choose a role.' });
      return { status: 422, page };
    }
    const changed = await changeMember(context, member.id, { role, stylistId: chosen.stylistId || null });
    return { redirect: teamPath, notice: `${changed.name} now has the role ${changed.role}.` };
  } catch (error) {
    const errors = toFieldErrors(error, ['role', 'stylist_id']);
    return { status: 422, page: await renderMember(context, member, chosen, errors) };
  }
}

async function createLink(context: PageContext, sent: URLSearchParams): Promise<FormResult> {
  const member = await readMember(context);
  const { link } = await createReset(context, {
    userId: member.id,
    origin: context.origin,
    removesSecondFactor: sent.has('removes_second_factor'),
  });
  if (link === null) return { redirect: teamPath, notice: `A link was sent to ${member.email}.` };
  const hint = html`Send it to <strong>${member.email}</strong>. It works once, for a day, and is not shown again.`;
  return {
    page: html`${shownOnce({ label: 'Link to set a new password', value: link, hint })}
${linkButton({ href: teamPath, label: 'Done', isPrimary: true })}`,
  };
}

async function renderMember(
  context: PageContext,
  member: Member,
  chosen: RoleChoice,
  errors?: FieldErrors,
): Promise<Html> {
  const { csrf, caller } = context;
  const stylists = await listStylistNames(context);
  const roleForm = form({
    name: 'role',
    csrf,
    body: html`${renderRoleFields({ own: caller.role, chosen, stylists, errors })}
${button({ label: 'Save', kind: 'primary' })}`,
  });
  const removal = {
    label: 'Also remove the authenticator app and the recovery codes',
    name: 'removes_second_factor',
    hint: 'For a person who has lost them.',
  };
  const resetForm = form({
    name: 'reset',
    csrf,
    body: html`${member.second_factor && checkbox(removal)}${button({ label: 'Create link' })}`,
  });
  return html`${errorSummary(errors)}
${section({
  title: member.name,
  body: detailList([
    ['Email', member.email],
    ['Member since', time(member.created_at)],
    ['Last seen', time(member.last_seen_at, 'Not signed in')],
  ]),
})}
${section({ title: 'Rights', lead: 'A new role takes effect at once.', body: roleForm })}
${section({
  title: 'New password',
  lead: 'Creates a link for this person to set a new password.',
  body: resetForm,
})}
${section({
  title: 'Deactivate',
  lead: "Ends this person's access to the account. An owner can also erase the person.",
  actions: html`<a class="button danger" href="${toDeactivationPath(member.id)}">Deactivate</a>`,
})}`;
}
