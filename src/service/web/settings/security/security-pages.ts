import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { countOf } from '../../../../text/numbers.ts';
import { changePassword, type OwnSecurity, readOwnSecurity } from '../../../identity/own-account.ts';
import { beginPasskey, finishPasskey, removePasskey } from '../../../identity/passkeys.ts';
import { endOtherSessions, endSession, listSessions } from '../../../identity/sessions.ts';
import { badge, linkButton, notice, section, table, time } from '../../components.ts';
import { hidden, renderFields, textField } from '../../form-fields.ts';
import { actionButton, confirmationPage, form, formButtons, onForm } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import { parsePasskeyResponse } from '../../sign-in/passkey-form.ts';
import { newPasswordField, usernameField } from '../../sign-in/signed-in.ts';
import type { PageContext } from '../../visit.ts';
import { FormError, type WebPage } from '../../web-page.ts';

/** How the person signs in, and where they are signed in. */
export const securityPage: WebPage = {
  async render(context) {
    const [security, sessions] = [await readOwnSecurity(context), await listSessions(context)];
    return html`${renderPassword()}
${renderPasskeys(security)}
${renderAuthenticator(security)}
${renderSessions(context, sessions)}`;
  },

  forms: {
    async 'end-session'(context, form) {
      await endSession(context, form.get('id') ?? '');
      return { redirect: securityPath, notice: 'The session has ended.' };
    },
    async 'end-other-sessions'(context) {
      const count = await endOtherSessions(context);
      return {
        redirect: securityPath,
        notice: count === 1 ? 'One session has ended.' : `${count} sessions have ended.`,
      };
    },
  },
};

function renderPassword(): Html {
  return section({
    title: 'Password',
    lead: 'A new password signs you out in all other browsers.',
    actions: linkButton({ href: `${securityPath}/password`, label: 'Change password', isSmall: true }),
  });
}

function renderPasskeys({ passkeys }: OwnSecurity): Html {
  const rows = passkeys.map(({ id, name, created_at, last_used_at }) => [
    html`<strong>${name}</strong>`,
    time(created_at),
    time(last_used_at),
    linkButton({
      href: `${securityPath}/passkeys/${encodeURIComponent(id)}`,
      label: 'Remove',
      about: name,
      isSmall: true,
    }),
  ]);
  const columns = ['Name', 'Added', 'Last used'];
  return section({
    title: 'Passkeys',
    lead: 'Sign in with your fingerprint, face, device PIN or security key. A passkey cannot be guessed or phished, and needs no code.',
    actions: linkButton({ href: `${securityPath}/passkeys/new`, label: 'Add passkey', isSmall: true }),
    body: rows.length > 0 && table({ caption: 'Passkeys', columns, actions: 'Remove', rows, empty: '' }),
  });
}

function renderAuthenticator({ second_factor: isOn, recovery_codes: left }: OwnSecurity): Html {
  const status = isOn ? badge('On', 'good') : badge('Off');
  return section({
    title: 'Authenticator app',
    lead: html`${status} ${isOn ? `Signing in with your password also asks for a code. ${countOf(left, 'recovery codes')} left.` : 'Ask for a code from an app on your phone, in addition to the password.'}`,
    actions: isOn
      ? html`${linkButton({ href: `${securityPath}/recovery-codes`, label: 'New recovery codes', isSmall: true })}${linkButton({ href: `${securityPath}/authenticator`, label: 'Remove', about: 'authenticator app', isSmall: true })}`
      : linkButton({
          href: `${securityPath}/authenticator`,
          label: 'Set up',
          about: 'authenticator app',
          isSmall: true,
        }),
  });
}

const columns = ['Browser', 'Address', 'Signed in', 'Last used'];

/** Where the person is signed in. */
function renderSessions(context: PageContext, sessions: Awaited<ReturnType<typeof listSessions>>): Html {
  const rows = sessions.map(({ id, user_agent, address, created_at, last_used_at, current }) => {
    const browser = toBrowserName(user_agent);
    const end = { form: 'end-session', fields: { id }, label: 'End', isSmall: true };
    return [
      html`<strong>${browser}</strong> ${current && badge('This browser', 'good')}`,
      address ?? 'Unknown',
      time(created_at),
      time(last_used_at),
      !current && actionButton(context, { ...end, about: `the session of ${browser} at ${address}` }),
    ];
  });
  const endOthers = { form: 'end-other-sessions', label: 'End all other sessions', isSmall: true };
  return section({
    title: 'Sessions',
    lead: 'Where you are signed in. If you do not recognize a session, end it and change your password.',
    actions: sessions.length > 1 && actionButton(context, endOthers),
    body: table({ caption: 'Sessions', columns, actions: 'End', rows, empty: 'No sessions.' }),
  });
}

const passwordFields = {
  current: textField({
    type: 'password',
    label: 'Current password',
    autocomplete: 'current-password',
    missing: 'Enter your current password.',
  }),
  password: newPasswordField('New password'),
};

export const passwordPage: WebPage = {
  async render(context, refused) {
    const buttons = formButtons({ label: 'Change password', cancel: securityPath });
    const body = html`${usernameField(context.user.email)}${renderFields(passwordFields, { refused })}${buttons}`;
    return section({ title: 'New password', body: form(context, { name: 'change', body }) });
  },

  forms: {
    change: onForm(passwordFields, async (context: PageContext, { current, password }) => {
      const result = await changePassword(context, { current, password, browser: context.browser });
      if (result.status === 'refused') throw new FormError({ current: result.message });
      return { redirect: securityPath, notice: 'Your password was changed. Other browsers were signed out.' };
    }),
  },
};

export const securityPath = '/settings/security';

const passkeyFields = {
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
    const body = html`${renderFields(passkeyFields, { values, refused })}${buttons}`;
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
    passkey: onForm(passkeyFields, async (context: PageContext, { ticket, name, response: text }) => {
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
