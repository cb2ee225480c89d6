import { sessionLimits } from '../../domain/limits.ts';
import type { SignInResult } from '../../identity/identity.ts';
import { lifetimesMs } from '../../identity/tickets.ts';
import { type FormField, hidden, textField } from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import type { PageVisit } from '../visit.ts';
import { FormError, type PageResponse } from '../web-page.ts';

/** The page to show after signing in. */
export function readReturnPath(values: URLSearchParams): string {
  return parseLocalPath(values.get('return_to'), '/settings');
}

const returnPathField: FormField<string> = {
  ...hidden,
  read: ([text = null]) => parseLocalPath(text, '/settings'),
};

/** Carries it through a form. */
export const returnPath = { return_to: returnPathField };

/**
 * A path of this service to go on to, from a query or a form; `fallback` for everything that a browser could take for
 * another origin, such as `//host` and `/\\host`.
 */
export function parseLocalPath(text: string | null, fallback: string): string {
  // Browsers drop tabs and line ends in URLs, and take a backslash for a slash.
  if (text === null || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return fallback;
  const origin = 'http://localhost';
  return URL.canParse(text, origin) && new URL(text, origin).origin === origin ? text : fallback;
}

/** A page of the sign-in, with the path to return to. */
export function toSignInPath(path: string, returnTo: string): string {
  return `${path}?${new URLSearchParams({ return_to: returnTo })}`;
}

/** A new password is typed once: the button beside it shows it. */
export function newPasswordField(label: string) {
  const hint = 'At least 12 characters. Four random words are easy to remember and hard to guess.';
  return textField({ label, hint, type: 'password', autocomplete: 'new-password' });
}

/** Tells password managers whose password it is. */
export function usernameField(email: string): Html {
  return html`<input type="hidden" name="email" value="${email}" autocomplete="username">`;
}

interface Continuation {
  readonly returnTo: string;
  readonly notice?: string;
  /** The field at which a refusal is shown; by default above the form. */
  readonly field?: string;
}

/** Keeps the session in the browser, or asks for the second factor. Throws `FormError` where the sign-in was refused. */
export function continueSignIn(
  { environment, source, identity, cookies }: PageVisit,
  result: SignInResult,
  { returnTo, notice, field = '' }: Continuation,
): PageResponse {
  if (result.status === 'refused') throw new FormError({ [field]: result.message }, result.retryAfterMs);
  if (result.status === 'second_factor') {
    cookies.set('ticket', result.ticket);
    return { redirect: toSignInPath('/sign-in/code', returnTo) };
  }
  if (result.stranger !== undefined) {
    const what = 'Somebody signed in to your account in a new browser';
    identity.notify?.({ environment, source }, result.stranger, what);
  }
  cookies.set('session', result.token, sessionLimits.totalMs / 1000);
  cookies.set('device', result.device, lifetimesMs.known_browser / 1000);
  cookies.clear('ticket');
  // Its forms belong to no session; those of the session have another secret.
  cookies.clear('form');
  return { redirect: returnTo, ...(notice === undefined ? {} : { notice }) };
}
