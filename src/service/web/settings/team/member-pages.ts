import { countOf } from '../../../../text/numbers.ts';
import { inviteMember } from '../../../identity/invitations.ts';
import { createReset } from '../../../identity/resets.ts';
import {
  changeMember,
  deactivateMember,
  erasePerson,
  getMember,
  type Member,
} from '../../../identity/team.ts';
import { detailList, linkButton, section, shownOnce, time } from '../../components.ts';
import { field, renderFields, textField } from '../../form-fields.ts';
import { button, confirmation, form, formButtons, onForm } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../visit.ts';
import type { WebPage } from '../../web-page.ts';
import { readRoleFields, teamPath } from './role-fields.ts';

/** Invites a person by a link. */
export const invitePage: WebPage = {
  async render(context, refused) {
    const fields = renderFields(await readInvitationFields(context), {
      values: { role: 'receptionist' },
      refused,
    });
    const body = html`${fields}${formButtons({ label: 'Invite', cancel: teamPath })}`;
    return section({ title: 'New member', body: form(context, { name: 'invite', body }) });
  },

  forms: {
    invite: onForm(readInvitationFields, async (context, { email, role, stylist_id }) => {
      const input = { email, role, stylistId: stylist_id, origin: context.origin };
      const { invitation, link, mailProblem } = await inviteMember(context, input);
      return link === null
        ? { redirect: teamPath, notice: mailProblem ?? `The invitation was sent to ${invitation.email}.` }
        : renderLink(invitation.email, link);
    }),
  },
};

async function readInvitationFields(context: PageContext) {
  const isMailed = context.identity.mailer !== null;
  const hint = isMailed
    ? 'We send the invitation to this address.'
    : 'You get a link to pass on to this person.';
  return { email: textField({ label: 'Email', type: 'email', hint }), ...(await readRoleFields(context)) };
}

function renderLink(email: string, link: string): Html {
  const hint = html`Send it to <strong>${email}</strong>. It works once, for seven days, and is not shown again.`;
  return html`${shownOnce({ label: 'Invitation link', value: link, hint })}
${linkButton({ href: teamPath, label: 'Done', isPrimary: true })}`;
}

const resetFields = {
  removes_second_factor: field(
    { type: 'boolean' },
    {
      label: 'Also remove the authenticator app and the recovery codes',
      hint: 'For a person who has lost them.',
    },
  ),
};

/** One person of the team. */
export const memberPage: WebPage = {
  async render(context, refused) {
    const member = await readMember(context);
    const { role, stylist_id } = member;
    const fields = await readMemberFields(context, member);
    const rights = renderFields(fields, { values: { role, stylist_id }, refused });
    const save = button({ label: 'Save', kind: 'primary' });
    const removal = member.second_factor && renderFields(resetFields);
    return html`${section({
      title: member.name,
      body: detailList([
        ['Email', member.email],
        ['Member since', time(member.created_at)],
        ['Last seen', time(member.last_seen_at, 'Not signed in')],
      ]),
    })}
${section({
  title: 'Rights',
  lead: 'A new role takes effect at once.',
  body: form(context, { name: 'role', body: html`${rights}${save}` }),
})}
${section({
  title: 'New password',
  lead: 'Creates a link for this person to set a new password.',
  body: form(context, { name: 'reset', body: html`${removal}${button({ label: 'Create link' })}` }),
})}
${section({
  title: 'Deactivate',
  lead: "Ends this person's access to the account. An owner can also erase the person.",
  actions: html`<a class="button danger" href="${toMemberPath(member)}/deactivate">Deactivate</a>`,
})}`;
  },

  forms: {
    role: onForm(readMemberFields, async (context, { role, stylist_id }) => {
      const { id } = await readMember(context);
      const changed = await changeMember(context, id, { role, stylistId: stylist_id });
      return { redirect: teamPath, notice: `${changed.name} now has the role ${changed.role}.` };
    }),

    async reset(context, sent) {
      const { id, email } = await readMember(context);
      const removesSecondFactor = sent.has('removes_second_factor');
      const { origin } = context;
      const { link, mailProblem } = await createReset(context, { userId: id, origin, removesSecondFactor });
      if (link === null) return { redirect: teamPath, notice: mailProblem ?? `A link was sent to ${email}.` };
      const hint = html`Send it to <strong>${email}</strong>. It works once, for a day, and is not shown again.`;
      return html`${shownOnce({ label: 'Link to set a new password', value: link, hint })}
${linkButton({ href: teamPath, label: 'Done', isPrimary: true })}`;
    },
  },
};

/** Asks before a person loses their access, or is erased. */
export const deactivationPage: WebPage = {
  async render(context) {
    const member = await readMember(context);
    const cancel = toMemberPath(member);
    const deactivation = confirmation(context, {
      body: html`<p><strong>${member.name}</strong> (${member.email}) loses access to ${context.caller.account.name} at once. Their sessions, connected apps and API keys end.</p>`,
      ...{ form: 'deactivate', cancel, label: 'Deactivate member' },
    });
    if (context.caller.role !== 'owner') return deactivation;
    const erasure = confirmation(context, {
      body: html`<p>Erasing also deletes the name, the email address and all ways to sign in, also from the audit log. This cannot be undone.</p>`,
      ...{ form: 'erase', cancel, label: 'Erase member' },
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

async function readMemberFields(context: PageContext, member?: Member) {
  const { stylist_id } = member ?? (await readMember(context));
  return readRoleFields(context, stylist_id);
}

function toMemberPath({ id }: Member): string {
  return `${teamPath}/${id}`;
}
