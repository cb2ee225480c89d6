import { confirmWithPassword } from '../../identity/own-account.ts';
import { confirmWithPasskey } from '../../identity/passkey-sign-in.ts';
import { button, errorSummary, type FieldErrors, form, hiddenField, textField } from '../form-fields.ts';
import { html } from '../html.ts';
import { renderSmallPage } from '../layout.ts';
import { toPageContext } from '../page-context.ts';
import type { WebPage } from '../page-response.ts';
import type { PageVisit } from '../visit.ts';
import { readPasskeyForm, renderPasskeyForm } from './passkey-form.ts';
import { toRefusal } from './sign-in-page.ts';
import { readReturnPath, returnField } from './signed-in.ts';

/** `/sign-in/confirm`: before a person changes how they sign in, and before they create keys. */
export const confirmPage: WebPage = {
  isPrivate: true,
  render: async (visit) => ({ html: renderForm(visit, { returnTo: readReturnPath(visit.query) }) }),

  async accept(visit, sent) {
    const returnTo = readReturnPath(sent);
    const passkey = readPasskeyForm(visit, sent);
    if (passkey !== undefined) {
      const proved = await confirmWithPasskey(toPageContext(visit), passkey);
      if (proved.status === 'confirmed') return { redirect: returnTo };
      return { status: 422, html: renderForm(visit, { returnTo, errors: { '': proved.message } }) };
    }
    const password = sent.get('password') ?? '';
    if (password === '') {
      const errors = { password: 'Enter your password.' };
      return { status: 422, html: renderForm(visit, { returnTo, errors }) };
    }
    const { browser } = visit;
    const result = await confirmWithPassword(toPageContext(visit), { password, browser });
    if (result.status === 'confirmed') return { redirect: returnTo };
    const page = renderForm(visit, { returnTo, errors: { password: result.message } });
    return toRefusal(page, result.retryAfterMs);
  },
};

function renderForm(
  visit: PageVisit,
  { returnTo, errors }: { returnTo: string; errors?: FieldErrors },
): string {
  const { user } = toPageContext(visit);
  const body = html`${hiddenField(returnField, returnTo)}<input type="hidden" name="email" value="${user.email}" autocomplete="username">
${textField({ label: 'Password', name: 'password', type: 'password', autocomplete: 'current-password', errors, hasFocus: errors === undefined })}
${button({ label: 'Confirm', kind: 'primary' })}`;
  return renderSmallPage({
    title: "Confirm that it's you",
    lead: html`You are signed in as <strong>${user.email}</strong>. Enter your password to continue.`,
    isInvalid: errors !== undefined,
    body: html`${errorSummary(errors)}${form({ name: 'confirm', csrf: visit.csrf, body })}
${renderPasskeyForm({ csrf: visit.csrf, returnTo, label: 'Use a passkey' })}`,
    footer: html`<a href="/settings">Back to settings</a>`,
  });
}
