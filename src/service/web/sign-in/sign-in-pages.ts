import { confirmWithPassword } from '../../identity/own-account.ts';
import { confirmWithPasskey, finishPasskeySignIn } from '../../identity/passkeys.ts';
import { signInWithPassword } from '../../identity/password-sign-in.ts';
import { finishSecondFactor } from '../../identity/second-factor.ts';
import { endSession, switchAccount } from '../../identity/sessions.ts';
import { renderFields, textField } from '../form-fields.ts';
import { button, form, onForm } from '../forms.ts';
import { html } from '../html.ts';
import { type PageContext, type PageVisit, toPageContext } from '../visit.ts';
import { FormError, type WebPage } from '../web-page.ts';
import { readPasskeyForm, renderPasskeyForm } from './passkey-form.ts';
import { continueSignIn, readReturnPath, returnPath, toSignInPath, usernameField } from './signed-in.ts';

const signInFields = {
  ...returnPath,
  email: textField({
    label: 'Email',
    type: 'email',
    autocomplete: 'username',
    missing: 'Enter your email address.',
    hasFocus: true,
  }),
  password: textField({
    type: 'password',
    label: 'Password',
    autocomplete: 'current-password',
    missing: 'Enter your password.',
  }),
};

/** `/sign-in` */
export const signInPage: WebPage<PageVisit> = {
  async render(visit, refused) {
    const returnTo = readReturnPath(refused?.sent ?? visit.query);
    if (visit.session !== undefined && refused === undefined) return { redirect: returnTo };
    const fields = renderFields(signInFields, { values: { return_to: returnTo }, refused });
    const body = html`${fields}${button({ label: 'Sign in', kind: 'primary' })}`;
    return {
      title: 'Sign in',
      body: html`${form(visit, { name: 'sign-in', body })}
${renderPasskeyForm(visit, { returnTo, label: 'Sign in with a passkey' })}`,
      footer: html`<a href="/reset">Forgot your password?</a>`,
    };
  },

  forms: {
    'sign-in': onForm(signInFields, async (visit: PageVisit, { return_to, ...entered }) => {
      const result = await signInWithPassword(visit, { ...entered, browser: visit.browser });
      return continueSignIn(visit, result, { returnTo: return_to });
    }),
    async passkey(visit, sent) {
      const passkey = readPasskeyForm(visit, sent);
      const result = await finishPasskeySignIn(visit, { ...passkey, browser: visit.browser });
      return continueSignIn(visit, result, { returnTo: readReturnPath(sent) });
    },
  },
};

const codeFields = {
  ...returnPath,
  code: textField({
    label: 'Code',
    hint: 'The 6-digit code from your authenticator app, or a recovery code.',
    autocomplete: 'one-time-code',
    missing: 'Enter a code.',
    hasFocus: true,
  }),
};

/** `/sign-in/code`, after the password of a person with a second factor. */
export const codePage: WebPage<PageVisit> = {
  async render(visit, refused) {
    const returnTo = readReturnPath(refused?.sent ?? visit.query);
    if (visit.session !== undefined && refused === undefined) return { redirect: returnTo };
    if (visit.cookies.read('ticket') === undefined) return { redirect: toSignInPath('/sign-in', returnTo) };
    const fields = renderFields(codeFields, { values: { return_to: returnTo }, refused });
    const body = html`${fields}${button({ label: 'Continue', kind: 'primary' })}`;
    return {
      title: 'Two-factor authentication',
      body: form(visit, { name: 'code', body }),
      footer: html`<a href="${toSignInPath('/sign-in', returnTo)}">Start again</a>`,
    };
  },

  forms: {
    code: onForm(codeFields, async (visit: PageVisit, { return_to: returnTo, code }) => {
      const ticket = visit.cookies.read('ticket');
      if (ticket === undefined) return { redirect: toSignInPath('/sign-in', returnTo) };
      const result = await finishSecondFactor(visit, { ticket, code, browser: visit.browser });
      return continueSignIn(visit, result, { returnTo, field: 'code' });
    }),
  },
};

/** `/sign-out` */
export const signOutPage: WebPage<PageVisit> = {
  async render(visit) {
    if (visit.session === undefined) return { redirect: '/sign-in' };
    return {
      title: 'Sign out',
      lead: 'You will need to sign in again in this browser.',
      body: form(visit, { name: 'sign-out', body: button({ label: 'Sign out', kind: 'primary' }) }),
    };
  },

  forms: {
    async 'sign-out'(visit) {
      if (visit.session !== undefined) await endSession(toPageContext(visit));
      visit.cookies.clear('session');
      return { redirect: '/sign-in', notice: 'You have signed out.' };
    },
  },
};

/** `/account-switch`: works in another account of the person. */
export const accountSwitchPage: WebPage = {
  render: async () => ({ redirect: '/settings' }),

  forms: {
    async switch(context, sent) {
      await switchAccount(context, sent.get('account') ?? '');
      return { redirect: '/settings' };
    },
  },
};

const confirmFields = {
  ...returnPath,
  password: textField({
    type: 'password',
    label: 'Password',
    autocomplete: 'current-password',
    missing: 'Enter your password.',
    hasFocus: true,
  }),
};

/** `/sign-in/confirm`: before a person changes how they sign in, and before they create keys. */
export const confirmPage: WebPage = {
  async render(context, refused) {
    const { email } = context.user;
    const returnTo = readReturnPath(refused?.sent ?? context.query);
    const body = html`${usernameField(email)}
${renderFields(confirmFields, { values: { return_to: returnTo }, refused })}${button({ label: 'Confirm', kind: 'primary' })}`;
    return {
      title: "Confirm that it's you",
      lead: html`You are signed in as <strong>${email}</strong>. Enter your password to continue.`,
      body: html`${form(context, { name: 'confirm', body })}
${renderPasskeyForm(context, { returnTo, label: 'Use a passkey' })}`,
      footer: html`<a href="/settings">Back to settings</a>`,
    };
  },

  forms: {
    confirm: onForm(confirmFields, async (context: PageContext, { return_to, password }) => {
      const result = await confirmWithPassword(context, { password, browser: context.browser });
      if (result.status === 'confirmed') return { redirect: return_to };
      throw new FormError({ password: result.message }, result.retryAfterMs);
    }),
    async passkey(context, sent) {
      const result = await confirmWithPasskey(context, readPasskeyForm(context, sent));
      if (result.status === 'confirmed') return { redirect: readReturnPath(sent) };
      throw new FormError({ '': result.message });
    },
  },
};
