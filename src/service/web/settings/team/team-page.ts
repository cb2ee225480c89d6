import { isNotAbove } from '../../../../contract/roles.ts';
import { readFactorRequirement } from '../../../db/identity/accounts.ts';
import { cancelInvitation, type Invitation, listInvitations } from '../../../identity/invitations.ts';
import { listTeam, type Member, requireSecondFactor } from '../../../identity/team.ts';
import { badge, day, intro, linkButton, section, table, time } from '../../components.ts';
import { actionButton } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { mayDo, type PageContext } from '../../visit.ts';
import type { WebPage } from '../../web-page.ts';
import { readStylistNamesById, teamPath } from './role-fields.ts';

/** The people of the account, and those who are invited. */
export const teamPage: WebPage = {
  async render(context) {
    const [team, invitations] = [await listTeam(context), await listInvitations(context)];
    const stylists = await readStylistNamesById(context);
    const isEditor = mayDo(context.caller.role, 'team.write');
    const isRequired = await readFactorRequirement(context.database.reader, context.caller.account.id);
    return html`${intro({
      lead: 'People sign in with their own email address. Their role determines what they can see and change.',
      actions:
        isEditor && linkButton({ href: `${teamPath}/invite`, label: 'Invite person', isPrimary: true }),
    })}
${renderTeam(context, team, stylists)}
${invitations.length > 0 && renderInvitations(context, invitations, stylists)}
${renderRequirement(context, isRequired)}`;
  },

  forms: {
    async cancel(context, sent) {
      await cancelInvitation(context, sent.get('id') ?? '');
      return { redirect: teamPath, notice: 'Withdrew the invitation.' };
    },
    async 'second-factor'(context, sent) {
      const isRequired = sent.get('required') === 'yes';
      await requireSecondFactor(context, isRequired);
      const notice = `A second factor is ${isRequired ? 'now required of everybody' : 'no longer required'}.`;
      return { redirect: teamPath, notice };
    },
  },
};

function renderRole(
  { role, stylist_id }: Pick<Member, 'role' | 'stylist_id'>,
  stylists: ReadonlyMap<string, string>,
): Html {
  const name = stylist_id === null ? undefined : stylists.get(stylist_id);
  return html`${badge(role, role === 'owner' ? 'accent' : 'neutral')}${name && html`<span class="detail">${name}</span>`}`;
}

function renderTeam(
  { caller, user }: PageContext,
  team: readonly Member[],
  stylists: ReadonlyMap<string, string>,
): Html {
  const rows = team.map((member) => [
    html`<strong>${member.name}</strong> ${member.id === user.id && badge('You')}<span class="detail">${member.email}</span>`,
    renderRole(member, stylists),
    renderSecurity(member),
    time(member.last_seen_at, 'Not signed in'),
    isNotAbove(member.role, caller.role) &&
      linkButton({ href: `${teamPath}/${member.id}`, label: 'Manage', about: member.name, isSmall: true }),
  ]);
  const columns = ['Person', 'Role', 'Signs in with', 'Last seen'];
  return section({
    title: 'People',
    body: table({ caption: 'People', columns, actions: 'Manage', rows, empty: 'No people yet.' }),
  });
}

function renderRequirement(context: PageContext, isRequired: boolean): Html {
  const fields = { required: isRequired ? 'no' : 'yes' };
  const label = isRequired ? 'Make it optional' : 'Require it';
  return section({
    title: 'Second factor',
    lead: `An authenticator app or a passkey is ${isRequired ? 'required of everybody. Who has none adds one before anything else' : 'optional'}.`,
    actions:
      context.caller.role === 'owner' &&
      actionButton(context, { form: 'second-factor', fields, label, isSmall: true }),
  });
}

/** How well a person's sign-in is protected. */
function renderSecurity({ second_factor, passkeys }: Member): Html {
  if (passkeys > 0) return badge('Passkey', 'good');
  return second_factor ? badge('Password and code', 'good') : badge('Password only');
}

function renderInvitations(
  context: PageContext,
  invitations: readonly Invitation[],
  stylists: ReadonlyMap<string, string>,
): Html {
  const now = context.environment.now().toISOString();
  const rows = invitations.map((invitation) => [
    html`<strong>${invitation.email}</strong>`,
    renderRole(invitation, stylists),
    invitation.expires_at <= now ? badge('Expired', 'warning') : day(invitation.expires_at),
    isNotAbove(invitation.role, context.caller.role) &&
      actionButton(context, {
        form: 'cancel',
        fields: { id: invitation.id },
        label: 'Withdraw',
        about: `the invitation of ${invitation.email}`,
        isSmall: true,
      }),
  ]);
  const columns = ['Email', 'Role', 'Expires'];
  return section({
    title: 'Invitations',
    lead: 'Links are shown once. If one is lost, invite the person again.',
    body: table({ caption: 'Invitations', columns, actions: 'Withdraw', rows, empty: '' }),
  });
}
