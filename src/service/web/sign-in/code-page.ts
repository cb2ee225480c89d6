import { finishSecondFactor } from '../../identity/second-factor.ts';
import { button, errorSummary, type FieldErrors, form, hiddenField, textField } from '../form-fields.ts';
import { html } from '../html.ts';
import { renderSmallPage } from '../layout.ts';
import type { WebPage } from '../page-response.ts';
import type { PageVisit } from '../visit.ts';
import { toRefusal } from './sign-in-page.ts';
import { continueSignIn, readReturnPath, returnField, toSignInPath } from './signed-in.ts';

/** `/sign-in/code`, after the password of a person with a second factor. */
export const codePage: WebPage = {
  async render(visit) {
    const returnTo = readReturnPath(visit.query);
    if (visit.session !== undefined) return { redirect: returnTo };
    if (visit.cookies.read('ticket') === undefined) return { redirect: toSignInPath('/sign-in', returnTo) };
    return { html: renderForm(visit, { returnTo }) };
  },

  async accept(visit, sent) {
    const returnTo = readReturnPath(sent);
    const ticket = visit.cookies.read('ticket');
    if (ticket === undefined) return { redirect: toSignInPath('/sign-in', returnTo) };
    const code = sent.get('code') ?? '';
    if (code.trim() === '') {
      return { status: 422, html: renderForm(visit, { returnTo, errors: { code: 'Enter a code.' } }) };
    }
    const result = await finishSecondFactor(visit.context, { ticket, code, browser: visit.browser });
    if (result.status !== 'refused') return continueSignIn(visit, result, { returnTo });
    return toRefusal(renderForm(visit, { returnTo, errors: { code: result.message } }), result.retryAfterMs);
  },
};

function renderForm(
  visit: PageVisit,
  { returnTo, errors }: { returnTo: string; errors?: FieldErrors },
): string {
  const hint = 'The 6-digit code from your authenticator app, or a recovery code.';
  const body = html`${hiddenField(returnField, returnTo)}
${textField({ label: 'Code', name: 'code', hint, autocomplete: 'one-time-code', errors, hasFocus: errors === undefined })}
${button({ label: 'Continue', kind: 'primary' })}`;
  return renderSmallPage({
    title: 'Two-factor authentication',
    isInvalid: errors !== undefined,
    body: html`${errorSummary(errors)}${form({ name: 'code', csrf: visit.csrf, body })}`,
    footer: html`<a href="${toSignInPath('/sign-in', returnTo)}">Start again</a>`,
  });
}
