import {
  beginTotp,
  finishTotp,
  removeTotp,
  renewRecoveryCodes,
  type TotpSetup,
} from '../../../identity/authenticator-app.ts';
import { readOwnSecurity } from '../../../identity/own-account.ts';
import { actionRow, code, detailList, linkButton, notice, section } from '../../components.ts';
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
import type { SettingsPage } from '../settings-page.ts';
import { securityPath } from './security-path.ts';

export const authenticatorPath = '/settings/security/authenticator';
export const recoveryCodesPath = '/settings/security/recovery-codes';

/** Adds an authenticator app, or removes it. */
export const authenticatorPage: SettingsPage = {
  path: authenticatorPath,
  title: 'Authenticator app',
  group: 'Security',
  action: 'none',
  parent: securityPath,
  isSensitive: true,

  async render(context) {
    const { second_factor: isOn } = await readOwnSecurity(context);
    return isOn ? renderRemoval(context) : renderSetup(context, await beginTotp(context));
  },

  forms: {
    async finish(context, sent) {
      const setup = sent.get('setup') ?? '';
      try {
        const codes = await finishTotp(context, { setup, code: sent.get('code') ?? '' });
        return { page: renderCodes(codes, 'The authenticator app was added.') };
      } catch (error) {
        const errors = toFieldErrors(error, ['code']);
        return { status: 422, page: await renderSetup(context, await beginTotp(context, setup), errors) };
      }
    },
    async remove(context) {
      await removeTotp(context);
      return { redirect: securityPath, notice: 'The authenticator app was removed.' };
    },
  },
};

/** New recovery codes, which are shown once. */
export const recoveryCodesPage: SettingsPage = {
  path: recoveryCodesPath,
  title: 'New recovery codes',
  group: 'Security',
  action: 'none',
  parent: securityPath,
  isSensitive: true,

  async render({ csrf }) {
    return confirmation({
      body: html`<p>Your old recovery codes stop working.</p>`,
      form: 'renew',
      csrf,
      label: 'Create new codes',
      cancel: securityPath,
    });
  },

  forms: {
    renew: async (context) => ({
      page: renderCodes(await renewRecoveryCodes(context), 'Your old recovery codes no longer work.'),
    }),
  },
};

function renderRemoval({ csrf }: PageContext): Html {
  return confirmation({
    body: html`<p>Signing in with your password will no longer ask for a code. Your recovery codes stop working.</p>`,
    form: 'remove',
    csrf,
    label: 'Remove authenticator app',
    cancel: securityPath,
  });
}

async function renderSetup(
  { csrf, user }: PageContext,
  { secret, uri, setup }: TotpSetup,
  errors?: FieldErrors,
): Promise<Html> {
  const qrCode = await renderQrCode(uri, 'QR code for the authenticator app');
  const typed = secret.match(/.{1,4}/g)?.join(' ') ?? '';
  const fields = {
    label: 'Code',
    name: 'code',
    hint: 'The 6-digit code from the app.',
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    errors,
  } as const;
  const buttons = html`${button({ label: 'Add app', kind: 'primary' })}${linkButton({ href: securityPath, label: 'Cancel' })}`;
  const body = html`${hiddenField('setup', setup)}
${textField(fields)}${actionRow(buttons)}`;
  return html`${errorSummary(errors)}
${section({
  title: '1. Scan the code with the app',
  lead: 'Any authenticator app works, and many password managers. If you cannot scan the code, enter the key.',
  body: html`${qrCode}${detailList([
    ['Key', code(typed)],
    ['Account', user.email],
  ])}`,
})}
${section({ title: '2. Enter the code that it shows', body: form({ name: 'finish', csrf, body }) })}`;
}

function renderCodes(codes: readonly string[], done: string): Html {
  const list = codes.map((one) => html`<li class="code">${one}</li>`);
  const actions = html`<button type="button" class="button small" data-copy="recovery-codes" hidden>Copy<span class="hidden-text"> recovery codes</span></button>`;
  return html`${notice({ tone: 'good', body: done })}
${section({
  title: 'Recovery codes',
  lead: 'Each works once, instead of a code from the app. Keep them where you can find them without your phone: they are not shown again.',
  actions,
  body: html`<ul class="secret-list" id="recovery-codes">${list}</ul><p class="hint" role="status" data-copied></p>`,
})}
${linkButton({ href: securityPath, label: 'Done', isPrimary: true })}`;
}

/** A QR code as SVG, dark on white in every colour scheme: cameras do not read it otherwise. */
async function renderQrCode(text: string, label: string): Promise<Html> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const modules = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<div class="qr-code"><svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="${modules.join('')}" fill="#000"/></svg></div>`;
}
