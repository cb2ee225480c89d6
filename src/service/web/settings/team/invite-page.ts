import { inviteMember } from '../../../identity/invitations.ts';
import { linkButton, section, shownOnce } from '../../components.ts';
import { renderFields, textField } from '../../form-fields.ts';
import { form, formButtons, onForm } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../visit.ts';
import type { WebPage } from '../../web-page.ts';
import { readRoleFields, teamPath } from './role-fields.ts';

/** Invites a person by a link. */
export const invitePage: WebPage = {
  async render(context, refused) {
    const fields = renderFields(await readFields(context), { values: { role: 'receptionist' }, refused });
    const body = html`${fields}${formButtons({ label: 'Invite', cancel: teamPath })}`;
    return section({ title: 'New member', body: form(context, { name: 'invite', body }) });
  },

  forms: {
    invite: onForm(readFields, async (context, { email, role, stylist_id }) => {
      const input = { email, role, stylistId: stylist_id || null, origin: context.origin };
      const { invitation, link } = await inviteMember(context, input);
      return link === null
        ? { redirect: teamPath, notice: `The invitation was sent to ${invitation.email}.` }
        : renderLink(invitation.email, link);
    }),
  },
};

async function readFields(context: PageContext) {
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
