import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { readOwnSecurity } from '../../../identity/own-account.ts';
import { beginPasskey, finishPasskey, removePasskey } from '../../../identity/passkeys.ts';
import { actionRow, linkButton, notice, section } from '../../components.ts';
import {
  button,
  confirmation,
  errorSummary,
  type FieldErrors,
  form,
  hiddenField,
  textField,
  toFieldErrors,
} from '../../form-fields.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../page-context.ts';
import { parsePasskeyResponse } from '../../sign-in/passkey-form.ts';
import type { SettingsPage } from '../settings-page.ts';
import { toBrowserName } from './browser-name.ts';
import { securityPath } from './security-path.ts';

export const newPasskeyPath = '/settings/security/passkeys/new';

export function toRemovePasskeyPath(id: string): string {
  return `/settings/security/passkeys/${encodeURIComponent(id)}`;
}

/** Adds a passkey. It needs scripts: browsers offer passkeys to them only. */
export const newPasskeyPage: SettingsPage = {
  path: newPasskeyPath,
  title: 'Add passkey',
  group: 'Security',
  action: 'none',
  parent: securityPath,
  isSensitive: true,
  render: (context) => renderForm(context, { name: toBrowserName(context.browser.userAgent) }),

  forms: {
    async passkey(context, sent) {
      const [name, ticket] = [sent.get('name') ?? '', sent.get('ticket') ?? ''];
      const response = parsePasskeyResponse<RegistrationResponseJSON>(sent.get('response') ?? '');
      try {
        await finishPasskey(context, { origin: context.origin, ticket, name, response });
      } catch (error) {
        const errors = toFieldErrors(error, ['name']);
        return { status: 422, page: await renderForm(context, { name, errors }) };
      }
      return { redirect: securityPath, notice: 'The passkey was added.' };
    },
  },
};

/** Removes a passkey. */
export const passkeyPage: SettingsPage = {
  path: '/settings/security/passkeys/:id',
  title: 'Remove passkey',
  group: 'Security',
  action: 'none',
  parent: securityPath,
  isSensitive: true,

  async render(context) {
    const id = readId(context);
    const { passkeys } = await readOwnSecurity(context);
    const name = passkeys.find((one) => one.id === id)?.name ?? 'This passkey';
    return confirmation({
      body: html`<p><strong>${name}</strong> can no longer be used to sign in. Remove it from your device, too.</p>`,
      form: 'remove',
      csrf: context.csrf,
      label: 'Remove passkey',
      cancel: securityPath,
    });
  },

  forms: {
    async remove(context) {
      await removePasskey(context, readId(context));
      return { redirect: securityPath, notice: 'The passkey was removed.' };
    },
  },
};

/** Passkeys have IDs of base64url. */
function readId({ params }: PageContext): string {
  return params['id'] ?? '';
}

async function renderForm(
  context: PageContext,
  { name, errors }: { name: string; errors?: FieldErrors },
): Promise<Html> {
  const { csrf, origin } = context;
  const { options, ticket } = await beginPasskey(context, { origin });
  const buttons = html`${button({ label: 'Add passkey', kind: 'primary' })}${linkButton({ href: securityPath, label: 'Cancel' })}`;
  const body = html`${hiddenField('ticket', ticket)}${hiddenField('response', '')}
${textField({ label: 'Name', name: 'name', hint: 'For example, the device it is stored on.', value: name, errors })}
${actionRow(buttons)}`;
  const missing = { tone: 'warning', body: 'Passkeys need JavaScript, which is turned off.' } as const;
  return html`${errorSummary(errors)}
<noscript>${notice(missing)}</noscript>
<div data-passkey="create" data-options="${JSON.stringify(options)}" hidden>
${section({
  title: 'New passkey',
  lead: 'Your browser asks where to keep the passkey: on this device, on your phone, or on a security key.',
  body: html`${form({ name: 'passkey', csrf, body })}<p class="field-error" role="alert" data-passkey-error></p>`,
})}</div>`;
}
