import { readOwnSecurity } from '../../../identity/own-account.ts';
import {
  beginTotp,
  finishTotp,
  removeTotp,
  renewRecoveryCodes,
  type TotpSetup,
} from '../../../identity/second-factor.ts';
import { code, detailList, linkButton, notice, section } from '../../components.ts';
import { hidden, renderFields, textField } from '../../form-fields.ts';
import { confirmation, confirmationPage, form, formButtons, onForm } from '../../forms.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../visit.ts';
import type { WebPage } from '../../web-page.ts';
import { securityPath } from './security-pages.ts';

const fields = {
  setup: hidden,
  code: textField({
    label: 'Code',
    hint: 'The 6-digit code from the app.',
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
  }),
};

/** Adds an authenticator app, or removes it. */
export const authenticatorPage: WebPage = {
  async render(context, refused) {
    if (refused === undefined && (await readOwnSecurity(context)).second_factor) {
      return confirmation(context, {
        body: html`<p>Signing in with your password will no longer ask for a code. Your recovery codes stop working.</p>`,
        form: 'remove',
        label: 'Remove authenticator app',
        cancel: securityPath,
      });
    }
    const begun = await beginTotp(context, refused?.sent.get('setup') ?? undefined);
    const shown = renderFields(fields, { values: { setup: begun.setup }, refused });
    const body = html`${shown}${formButtons({ label: 'Add app', cancel: securityPath })}`;
    return html`${await renderSetup(context, begun)}
${section({ title: '2. Enter the code that it shows', body: form(context, { name: 'finish', body }) })}`;
  },

  forms: {
    finish: onForm(fields, async (context: PageContext, entered) =>
      renderCodes(await finishTotp(context, entered), 'The authenticator app was added.'),
    ),
    async remove(context) {
      await removeTotp(context);
      return { redirect: securityPath, notice: 'The authenticator app was removed.' };
    },
  },
};

/** New recovery codes, which are shown once. */
export const recoveryCodesPage = confirmationPage({
  form: 'renew',
  read: async () => undefined,
  ask: () => ({
    body: html`<p>Your old recovery codes stop working.</p>`,
    label: 'Create new codes',
    cancel: securityPath,
  }),
  act: async (context) =>
    renderCodes(await renewRecoveryCodes(context), 'Your old recovery codes no longer work.'),
});

async function renderSetup({ user }: PageContext, { secret, uri }: TotpSetup): Promise<Html> {
  const qrCode = await renderQrCode(uri, 'QR code for the authenticator app');
  const key = secret.match(/.{1,4}/g)?.join(' ') ?? '';
  return section({
    title: '1. Scan the code with the app',
    lead: 'Any authenticator app works, and many password managers. If you cannot scan the code, enter the key.',
    body: html`${qrCode}${detailList([
      ['Key', code(key)],
      ['Account', user.email],
    ])}`,
  });
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
