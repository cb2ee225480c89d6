import { confirmWithPassword } from '../../identity/own-account.ts';
import { confirmWithPasskey } from '../../identity/passkeys.ts';
import { passwordField, renderFields } from '../form-fields.ts';
import { button, form, onForm } from '../forms.ts';
import { html } from '../html.ts';
import type { PageContext } from '../visit.ts';
import { FormError, type WebPage } from '../web-page.ts';
import { readPasskeyForm, renderPasskeyForm } from './passkey-form.ts';
import { readReturnPath, returnPath, usernameField } from './signed-in.ts';

const fields = {
  ...returnPath,
  password: passwordField({
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
${renderFields(fields, { values: { return_to: returnTo }, refused })}${button({ label: 'Confirm', kind: 'primary' })}`;
    return {
      title: "Confirm that it's you",
      lead: html`You are signed in as <strong>${email}</strong>. Enter your password to continue.`,
      body: html`${form(context, { name: 'confirm', body })}
${renderPasskeyForm(context, { returnTo, label: 'Use a passkey' })}`,
      footer: html`<a href="/settings">Back to settings</a>`,
    };
  },

  forms: {
    confirm: onForm(fields, async (context: PageContext, { return_to, password }) => {
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
