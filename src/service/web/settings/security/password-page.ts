import { changePassword } from '../../../identity/own-account.ts';
import { section } from '../../components.ts';
import { passwordField, renderFields } from '../../form-fields.ts';
import { form, formButtons, onForm } from '../../forms.ts';
import { html } from '../../html.ts';
import { newPasswordField, usernameField } from '../../sign-in/signed-in.ts';
import type { PageContext } from '../../visit.ts';
import { FormError, type WebPage } from '../../web-page.ts';
import { securityPath } from './passkey-pages.ts';

const fields = {
  current: passwordField({
    label: 'Current password',
    autocomplete: 'current-password',
    missing: 'Enter your current password.',
  }),
  password: newPasswordField('New password'),
};

export const passwordPage: WebPage = {
  async render(context, refused) {
    const buttons = formButtons({ label: 'Change password', cancel: securityPath });
    const body = html`${usernameField(context.user.email)}${renderFields(fields, { refused })}${buttons}`;
    return section({ title: 'New password', body: form(context, { name: 'change', body }) });
  },

  forms: {
    change: onForm(fields, async (context: PageContext, { current, password }) => {
      const result = await changePassword(context, { current, password, browser: context.browser });
      if (result.status === 'refused') throw new FormError({ current: result.message });
      return { redirect: securityPath, notice: 'Your password was changed. Other browsers were signed out.' };
    }),
  },
};
