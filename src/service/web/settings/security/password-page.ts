import { changePassword } from '../../../identity/own-account.ts';
import { actionRow, linkButton, section } from '../../components.ts';
import { button, errorSummary, type FieldErrors, form, textField, toFieldErrors } from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../page-context.ts';
import { newPasswordField } from '../../sign-in/new-password-field.ts';
import type { SettingsPage } from '../settings-page.ts';
import { securityPath } from './security-path.ts';

export const passwordPath = '/settings/security/password';

export const passwordPage: SettingsPage = {
  path: passwordPath,
  title: 'Change password',
  group: 'Security',
  action: 'none',
  parent: securityPath,
  render: async (context) => renderForm(context),

  forms: {
    async change(context, sent) {
      const [current, password] = [sent.get('current') ?? '', sent.get('password') ?? ''];
      if (current === '') return refuse(context, { current: 'Enter your current password.' });
      try {
        const { browser } = context;
        const result = await changePassword(context, { current, password, browser });
        if (result.status === 'refused') return refuse(context, { current: result.message });
      } catch (error) {
        return refuse(context, toFieldErrors(error, ['password']));
      }
      return { redirect: securityPath, notice: 'Your password was changed. Other browsers were signed out.' };
    },
  },
};

function refuse(context: PageContext, errors: FieldErrors) {
  return { status: 422, page: renderForm(context, errors) };
}

function renderForm({ csrf, user }: PageContext, errors?: FieldErrors): Html {
  const current = {
    label: 'Current password',
    name: 'current',
    type: 'password',
    autocomplete: 'current-password',
    errors,
  } as const;
  const buttons = html`${button({ label: 'Change password', kind: 'primary' })}${linkButton({ href: securityPath, label: 'Cancel' })}`;
  const body = html`<input type="hidden" name="email" value="${user.email}" autocomplete="username">
${textField(current)}
${newPasswordField({ label: 'New password', errors })}
${actionRow(buttons)}`;
  return html`${errorSummary(errors)}
${section({ title: 'New password', body: form({ name: 'change', csrf, body }) })}`;
}
