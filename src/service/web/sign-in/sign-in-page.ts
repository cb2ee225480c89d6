import type { SignInResult } from '../../identity/identity.ts';
import { finishPasskeySignIn } from '../../identity/passkey-sign-in.ts';
import { signInWithPassword } from '../../identity/sign-in.ts';
import { button, errorSummary, type FieldErrors, form, hiddenField, textField } from '../form-fields.ts';
import { html } from '../html.ts';
import { renderSmallPage } from '../layout.ts';
import { takeNotice } from '../notices.ts';
import type { HtmlResponse, PageResponse, WebPage } from '../page-response.ts';
import type { PageVisit } from '../visit.ts';
import { readPasskeyForm, renderPasskeyForm } from './passkey-form.ts';
import { continueSignIn, readReturnPath, returnField } from './signed-in.ts';

/** `/sign-in` */
export const signInPage: WebPage = {
  async render(visit) {
    const returnTo = readReturnPath(visit.query);
    return visit.session === undefined ? { html: renderForm(visit, { returnTo }) } : { redirect: returnTo };
  },

  async accept(visit, sent) {
    const returnTo = readReturnPath(sent);
    const passkey = readPasskeyForm(visit, sent);
    if (passkey !== undefined) {
      const signedIn = await finishPasskeySignIn(visit.context, { ...passkey, browser: visit.browser });
      return toResponse(visit, signedIn, { returnTo });
    }
    const email = sent.get('email') ?? '';
    const password = sent.get('password') ?? '';
    const errors = {
      ...(email.trim() === '' && { email: 'Enter your email address.' }),
      ...(password === '' && { password: 'Enter your password.' }),
    };
    if (Object.keys(errors).length > 0) {
      return { status: 422, html: renderForm(visit, { returnTo, email, errors }) };
    }
    const { context, browser } = visit;
    const result = await signInWithPassword(context, { email, password, browser });
    return toResponse(visit, result, { returnTo, email });
  },
};

function toResponse(
  visit: PageVisit,
  result: SignInResult,
  entered: Pick<SignInForm, 'returnTo' | 'email'>,
): PageResponse {
  if (result.status !== 'refused') return continueSignIn(visit, result, entered);
  const refused = renderForm(visit, { ...entered, errors: { '': result.message } });
  return toRefusal(refused, result.retryAfterMs);
}

/** A form that was refused: at once, or because there were too many attempts. */
export function toRefusal(page: string, retryAfterMs: number | undefined): HtmlResponse {
  return retryAfterMs === undefined ? { status: 422, html: page } : { status: 429, html: page, retryAfterMs };
}

interface SignInForm {
  readonly returnTo: string;
  readonly email?: string;
  readonly errors?: FieldErrors;
}

function renderForm(visit: PageVisit, { returnTo, email, errors }: SignInForm): string {
  const { csrf } = visit;
  const hasEmail = email !== undefined && email !== '';
  const isFirst = errors === undefined;
  const fields = html`${hiddenField(returnField, returnTo)}
${textField({ label: 'Email', name: 'email', type: 'email', autocomplete: 'username', value: email, errors, hasFocus: isFirst && !hasEmail })}
${textField({ label: 'Password', name: 'password', type: 'password', autocomplete: 'current-password', errors })}
${button({ label: 'Sign in', kind: 'primary' })}`;
  return renderSmallPage({
    title: 'Sign in',
    isInvalid: !isFirst,
    notice: takeNotice(visit),
    body: html`${errorSummary(errors)}${form({ name: 'sign-in', csrf, body: fields })}
${renderPasskeyForm({ csrf, returnTo, label: 'Sign in with a passkey' })}`,
    footer: html`<a href="/reset">Forgot your password?</a>`,
  });
}
