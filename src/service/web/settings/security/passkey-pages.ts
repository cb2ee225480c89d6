import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { readOwnSecurity } from '../../../identity/own-account.ts';
import { beginPasskey, finishPasskey, removePasskey } from '../../../identity/passkeys.ts';
import { notice, section } from '../../components.ts';
import { hidden, renderFields, textField } from '../../form-fields.ts';
import { confirmationPage, form, formButtons, onForm } from '../../forms.ts';
import { html } from '../../html.ts';
import { parsePasskeyResponse } from '../../sign-in/passkey-form.ts';
import type { PageContext } from '../../visit.ts';
import type { WebPage } from '../../web-page.ts';

export const securityPath = '/settings/security';

const fields = {
  ticket: hidden,
  response: hidden,
  name: textField({ label: 'Name', hint: 'For example, the device it is stored on.' }),
};

/** Adds a passkey. It needs scripts: browsers offer passkeys to them only. */
export const newPasskeyPage: WebPage = {
  async render(context, refused) {
    const { options, ticket } = await beginPasskey(context, { origin: context.origin });
    const values = { ticket, response: '', name: toBrowserName(context.browser.userAgent) };
    const buttons = formButtons({ label: 'Add passkey', cancel: securityPath });
    const body = html`${renderFields(fields, { values, refused })}${buttons}`;
    const missing = { tone: 'warning', body: 'Passkeys need JavaScript, which is turned off.' } as const;
    return html`<noscript>${notice(missing)}</noscript>
<div data-passkey="create" data-options="${JSON.stringify(options)}" hidden>
${section({
  title: 'New passkey',
  lead: 'Your browser asks where to keep the passkey: on this device, on your phone, or on a security key.',
  body: html`${form(context, { name: 'passkey', body })}<p class="field-error" role="alert" data-passkey-error></p>`,
})}</div>`;
  },

  forms: {
    passkey: onForm(fields, async (context: PageContext, { ticket, name, response: text }) => {
      const response = parsePasskeyResponse<RegistrationResponseJSON>(text);
      await finishPasskey(context, { origin: context.origin, ticket, name, response });
      return { redirect: securityPath, notice: 'The passkey was added.' };
    }),
  },
};

/** Removes a passkey. */
export const passkeyPage = confirmationPage({
  form: 'remove',
  async read(context) {
    const id = context.params['*'] ?? '';
    const { passkeys } = await readOwnSecurity(context);
    return { id, name: passkeys.find((one) => one.id === id)?.name ?? 'This passkey' };
  },
  ask: ({ name }) => ({
    body: html`<p><strong>${name}</strong> can no longer be used to sign in. Remove it from your device, too.</p>`,
    label: 'Remove passkey',
    cancel: securityPath,
  }),
  async act(context, { id }) {
    await removePasskey(context, id);
    return { redirect: securityPath, notice: 'The passkey was removed.' };
  },
});

const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** What people call the browser of a `User-Agent`, such as "Firefox on Windows". */
export function toBrowserName(userAgent: string | null): string {
  const find = (names: typeof browsers | typeof systems) =>
    names.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  const [browser = 'Unknown browser', system] = [find(browsers), find(systems)];
  return system === undefined ? browser : `${browser} on ${system}`;
}
