import { readReset, requestReset, resetPassword } from '../../identity/resets.ts';
import { button, errorSummary, type FieldErrors, form, textField, toFieldErrors } from '../form-fields.ts';
import { html } from '../html.ts';
import { renderSmallPage } from '../layout.ts';
import type { WebPage } from '../page-response.ts';
import type { PageVisit } from '../visit.ts';
import { withUsableLink } from './link-error.ts';
import { newPasswordField } from './new-password-field.ts';
import { toRefusal } from './sign-in-page.ts';
import { continueSignIn } from './signed-in.ts';

const signInLink = html`<a href="/sign-in">Back to sign-in</a>`;

/** `/reset`: mails a link, whether or not there is a person with the address. */
export const requestResetPage: WebPage = {
  render: async (visit) => ({ html: renderRequest(visit) }),

  async accept(visit, sent) {
    const email = sent.get('email') ?? '';
    if (email.trim() === '') {
      return { status: 422, html: renderRequest(visit, { email: 'Enter your email address.' }) };
    }
    requestReset(visit.context, { email, origin: visit.origin });
    const lead = 'If this address is registered, we have sent a link to set a new password.';
    return { html: renderSmallPage({ title: 'Check your email', lead, body: html``, footer: signInLink }) };
  },
};

function renderRequest({ csrf, context }: PageVisit, errors?: FieldErrors): string {
  if (context.identity.mailer === null) {
    const lead =
      'This service does not send email. Ask an owner of your salon for a link to set a new password. Owners can ask the operator of the service.';
    return renderSmallPage({ title: 'Forgot your password?', lead, body: html``, footer: signInLink });
  }
  const body = html`${textField({ label: 'Email', name: 'email', type: 'email', autocomplete: 'username', errors, hasFocus: errors === undefined })}
${button({ label: 'Send link', kind: 'primary' })}`;
  return renderSmallPage({
    title: 'Forgot your password?',
    lead: 'We will send you a link to set a new one.',
    isInvalid: errors !== undefined,
    body: html`${errorSummary(errors)}${form({ name: 'request', csrf, body })}`,
    footer: signInLink,
  });
}

/** `/reset/:token` */
export const resetPage: WebPage = {
  async render(visit) {
    const { email } = await withUsableLink(() => readReset(visit.context, readToken(visit)));
    return { html: renderReset(visit, email) };
  },

  async accept(visit, sent) {
    const token = readToken(visit);
    const { context, browser } = visit;
    return withUsableLink(async () => {
      const { email } = await readReset(context, token);
      try {
        const result = await resetPassword(context, { token, password: sent.get('password') ?? '', browser });
        if (result.status === 'refused') {
          return toRefusal(renderReset(visit, email, { '': result.message }), result.retryAfterMs);
        }
        const notice = 'Your password was changed. Other browsers were signed out.';
        return continueSignIn(visit, result, { returnTo: '/settings', notice });
      } catch (error) {
        const errors = toFieldErrors(error, ['password']);
        return { status: 422, html: renderReset(visit, email, errors) };
      }
    });
  },
};

function readToken({ params }: PageVisit): string {
  return params['token'] ?? '';
}

function renderReset({ csrf }: PageVisit, email: string, errors?: FieldErrors): string {
  const body = html`<input type="hidden" name="email" value="${email}" autocomplete="username">
${newPasswordField({ label: 'New password', errors })}${button({ label: 'Set password', kind: 'primary' })}`;
  return renderSmallPage({
    title: 'Set a new password',
    lead: html`For <strong>${email}</strong>. You will be signed out in all other browsers.`,
    isInvalid: errors !== undefined,
    body: html`${errorSummary(errors)}${form({ name: 'reset', csrf, body })}`,
  });
}
