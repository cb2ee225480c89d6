import { SalonError } from '../../../contract/errors.ts';
import { acceptInvitation, joinAccount, type OpenInvitation, readInvitation } from '../../identity/join.ts';
import { readReset, requestReset, resetPassword } from '../../identity/resets.ts';
import { linkButton } from '../components.ts';
import { renderFields, textField } from '../form-fields.ts';
import { button, form, onForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { type PageVisit, toPageContext } from '../visit.ts';
import { PageError, type RefusedForm, type SmallPage, type WebPage } from '../web-page.ts';
import { continueSignIn, newPasswordField, toSignInPath, usernameField } from './signed-in.ts';

const invitationFields = {
  name: textField({ label: 'Your name', autocomplete: 'name', hasFocus: true }),
  password: newPasswordField('Password'),
};

/** `/invitation/:token`. Only its forms use the link: programs that preview links open them, too. */
export const invitationPage: WebPage<PageVisit> = {
  async render(visit, refused) {
    const invitation = await withUsableLink(() => readInvitation(visit, readToken(visit)));
    const { account, role, email } = invitation;
    return {
      title: `Join ${account.name}`,
      lead: html`You are invited as <strong>${role}</strong>. Your email address is <strong>${email}</strong>.`,
      body: renderStep(visit, invitation, refused),
    };
  },

  forms: {
    async join(visit) {
      if (visit.session === undefined) return { redirect: visit.path };
      await withUsableLink(() => joinAccount(toPageContext(visit), readToken(visit)));
      return { redirect: '/settings', notice: 'You have joined the team.' };
    },
    accept: onForm(invitationFields, (visit: PageVisit, { name, password }) =>
      withUsableLink(async () => {
        const token = readToken(visit);
        const { account } = await readInvitation(visit, token);
        const result = await acceptInvitation(visit, { token, name, password, browser: visit.browser });
        return continueSignIn(visit, result, {
          returnTo: '/settings',
          notice: `Welcome to ${account.name}.`,
        });
      }),
    ),
  },
};

function renderStep(visit: PageVisit, { email, isKnownPerson }: OpenInvitation, refused?: RefusedForm): Html {
  const own = visit.session === undefined ? undefined : toPageContext(visit).user.email;
  const join = button({ label: 'Join', kind: 'primary' });
  if (own === email) return form(visit, { name: 'join', body: join });
  if (own !== undefined) {
    const signOut = button({ label: 'Sign out', kind: 'primary' });
    return html`<p>You are signed in as ${own}. Sign out, then open the link again.</p>
${form(visit, { name: 'sign-out', action: '/sign-out', body: signOut })}`;
  }
  if (isKnownPerson) {
    return html`<p>You already have a password for this service. Sign in to join.</p>
${linkButton({ href: toSignInPath('/sign-in', visit.path), label: 'Sign in', isPrimary: true })}`;
  }
  const body = html`${usernameField(email)}${renderFields(invitationFields, { refused })}${join}`;
  return form(visit, { name: 'accept', body });
}

const signInLink = html`<a href="/sign-in">Back to sign-in</a>`;

const requestFields = {
  email: textField({
    label: 'Email',
    type: 'email',
    autocomplete: 'username',
    missing: 'Enter your email address.',
    hasFocus: true,
  }),
};

/** `/reset`: mails a link, whether or not there is a person with the address. */
export const requestResetPage: WebPage<PageVisit> = {
  async render(visit, refused): Promise<SmallPage> {
    const shown = { title: 'Forgot your password?', footer: signInLink };
    if (visit.identity.mailer === null) {
      const lead =
        'This service does not send email. Ask an owner of your salon for a link to set a new password. Owners can ask the operator of the service.';
      return { ...shown, lead, body: null };
    }
    const body = html`${renderFields(requestFields, { refused })}${button({ label: 'Send link', kind: 'primary' })}`;
    return {
      ...shown,
      lead: 'We will send you a link to set a new one.',
      body: form(visit, { name: 'request', body }),
    };
  },

  forms: {
    request: onForm(requestFields, async (visit: PageVisit, { email }) => {
      requestReset(visit, { email, origin: visit.origin });
      const lead = 'If this address is registered, we have sent a link to set a new password.';
      return { title: 'Check your email', lead, body: null, footer: signInLink };
    }),
  },
};

const resetFields = { password: newPasswordField('New password') };

/** `/reset/:token` */
export const resetPage: WebPage<PageVisit> = {
  async render(visit, refused) {
    const { email } = await withUsableLink(() => readReset(visit, readToken(visit)));
    const body = html`${usernameField(email)}
${renderFields(resetFields, { refused })}${button({ label: 'Set password', kind: 'primary' })}`;
    return {
      title: 'Set a new password',
      lead: html`For <strong>${email}</strong>. You will be signed out in all other browsers.`,
      body: form(visit, { name: 'reset', body }),
    };
  },

  forms: {
    reset: onForm(resetFields, (visit: PageVisit, { password }) =>
      withUsableLink(async () => {
        const token = readToken(visit);
        const result = await resetPassword(visit, { token, password, browser: visit.browser });
        const notice = 'Your password was changed. Other browsers were signed out.';
        return continueSignIn(visit, result, { returnTo: '/settings', notice });
      }),
    ),
  },
};

function readToken({ params }: PageVisit): string {
  return params['token'] ?? '';
}

/** Explains why a link that works once does not work. */
async function withUsableLink<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'not_found') throw error;
    const link = { href: '/sign-in', label: 'Sign in' };
    throw new PageError(404, { title: 'This link does not work', reason: error.message, link });
  }
}
