import { detailList, notice } from '../web/components.ts';
import { button, errorSummary, form, hiddenField, textField } from '../web/form-fields.ts';
import { html } from '../web/html.ts';
import { renderSmallPage } from '../web/layout.ts';
import { type PageContext, toPageContext } from '../web/page-context.ts';
import type { HtmlResponse, Page, PageResponse } from '../web/page-response.ts';
import type { Visit } from '../web/visit.ts';
import { accountField, chooseAccount, listAccountsFor } from './consent-accounts.ts';
import { acceptDevice, type DeviceRequest, findDevice, refuseDevice } from './devices.ts';
import { renderRights } from './rights.ts';

const codeField = 'user_code';

/** `/oauth/device`: connects a device on which a person sees a code. */
export const devicePage: Page = {
  isPrivate: true,

  render: async (visit) => showCodeForm(visit, { code: visit.query.get(codeField) ?? '' }),

  async accept(visit, sent) {
    const context = toPageContext(visit);
    const code = sent.get(codeField) ?? '';
    const found = await findDevice(context, code);
    if ('problem' in found) {
      const { problem, retryAfterMs } = found;
      const wait = retryAfterMs === undefined ? { status: 422 } : { status: 429, retryAfterMs };
      return { ...showCodeForm(visit, { code, problem }), ...wait };
    }
    switch (sent.get('decision')) {
      case 'allow':
        await acceptDevice(await chooseAccount(context, found.app, sent.get('account')), found);
        return showEnd(
          'Connected',
          `${found.app.name} is connected. You can close this page and continue there.`,
        );
      case 'cancel':
        await refuseDevice(context, found);
        return showEnd('Not connected', `${found.app.name} was not connected. You can close this page.`);
      default:
        return showRequest(visit, context, found);
    }
  },
};

function showCodeForm(visit: Visit, { code, problem }: { code: string; problem?: string }): HtmlResponse {
  const errors = problem === undefined ? undefined : { [codeField]: problem };
  const fields = html`${textField({ label: 'Code', name: codeField, value: code, errors, hint: 'Such as BCDF-GHJK. It is shown on the device.', hasFocus: errors === undefined, maxLength: 20 })}
${button({ label: 'Continue', kind: 'primary' })}`;
  return {
    html: renderSmallPage({
      title: 'Connect a device',
      isInvalid: errors !== undefined,
      body: html`${errorSummary(errors)}${form({ name: 'code', csrf: visit.csrf, body: fields })}`,
    }),
  };
}

async function showRequest(visit: Visit, context: PageContext, device: DeviceRequest): Promise<PageResponse> {
  const { app, scopes, code } = device;
  const accounts = await listAccountsFor(context, app);
  const [only, ...others] = accounts;
  const fields = html`${hiddenField(codeField, code)}${accountField(accounts)}
${renderRights(scopes, others.length === 0 ? only?.role : undefined, app)}
${detailList([
  ['Code', html`<strong>${code}</strong>`],
  ['Requested from', device.address ?? 'an unknown address'],
  ['By', device.agent ?? 'an unknown program'],
])}
${notice({ tone: 'warning', body: 'Continue only if you started this yourself and your device shows the same code. Otherwise, the sender of the code can act on your behalf.' })}
<p class="quiet">Signed in as ${context.user.name} (${context.user.email}).</p>
<div class="actions">${button({ label: 'Allow', kind: 'primary', name: 'decision', value: 'allow' })}${button({ label: 'Cancel', name: 'decision', value: 'cancel' })}</div>`;
  return {
    html: renderSmallPage({
      title: `Connect ${app.name}`,
      lead: html`<strong>${app.name}</strong> on another device wants to use ${others.length === 0 ? html`<strong>${only?.name}</strong>` : 'one of your accounts'} on your behalf.`,
      body: form({ name: 'device', csrf: visit.csrf, body: fields }),
      footer: 'You can revoke access at any time under Connected apps.',
    }),
  };
}

function showEnd(title: string, lead: string): HtmlResponse {
  const body = html`<a href="/settings/apps">Connected apps</a>`;
  return { html: renderSmallPage({ title, lead, body }) };
}
