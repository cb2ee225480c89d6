import { SalonError } from '../../contract/errors.ts';
import type { Scope } from '../../contract/roles.ts';
import { readOauthClient } from '../db/identity/oauth-clients.ts';
import { type OauthTokenRow, readDeviceCode, updateDeviceCode } from '../db/identity/oauth-tokens.ts';
import { recordRefusedCaller } from '../domain/audit-refusals.ts';
import { refundAttempt, takeAttempt } from '../domain/window-limit.ts';
import { toLimit } from '../identity/attempt-limits.ts';
import { builtInApp } from '../identity/built-in-app.ts';
import { type App, createGrant } from '../identity/oauth-grants.ts';
import { toTokenHash } from '../identity/random-token.ts';
import { detailList, notice } from '../web/components.ts';
import { button, errorSummary, form, hiddenField, textField } from '../web/form-fields.ts';
import { html } from '../web/html.ts';
import { renderSmallPage } from '../web/layout.ts';
import { type PageContext, toPageContext } from '../web/page-context.ts';
import type { HtmlResponse, PageResponse, WebPage } from '../web/page-response.ts';
import type { PageVisit } from '../web/visit.ts';
import { renderRights, toScopes } from './authorization.ts';
import { accountField, chooseAccount, listAccountsFor } from './consent-accounts.ts';
import { lifetimes } from './issuer.ts';

const codeField = 'user_code';

/** `/oauth/device`: connects a device on which a person sees a code. */
export const devicePage: WebPage = {
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

function showCodeForm(visit: PageVisit, { code, problem }: { code: string; problem?: string }): HtmlResponse {
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

async function showRequest(
  visit: PageVisit,
  context: PageContext,
  device: DeviceRequest,
): Promise<PageResponse> {
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

/** A device that waits for a person. */
interface DeviceRequest {
  readonly app: App;
  readonly scopes: readonly Scope[];
  /** As the device shows it. */
  readonly code: string;
  /** Where the device is, and what it calls itself. */
  readonly address: string | null;
  readonly agent: string | null;
}

interface DeviceProblem {
  /** A sentence for the person. */
  readonly problem: string;
  readonly retryAfterMs?: number;
}

/** What the provider has stored with a device code. */
interface DevicePayload {
  readonly params?: { readonly scope?: string; readonly resource?: string | readonly string[] };
  readonly deviceInfo?: { readonly address?: string | null; readonly agent?: string | null };
  readonly error?: string;
}

/** The device with a code that a person has typed. Guessing is limited for each person. */
async function findDevice(context: PageContext, typed: string): Promise<DeviceRequest | DeviceProblem> {
  const { database, environment, user } = context;
  const code = toCode(typed);
  if (code === '') return { problem: 'Enter the code that the device shows.' };
  const now = environment.now();
  const limit = toLimit('device_code', user.id);
  const waitMs = await database.transaction('service', (tx) => takeAttempt(tx, [limit], now));
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / 60_000);
    const problem = `Too many wrong codes. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
    return { problem, retryAfterMs: waitMs };
  }
  const row = await readDeviceCode(database.reader, toTokenHash(code));
  const app = row === undefined ? undefined : await findApp(database.reader, row);
  if (row === undefined || app === undefined || isOver(row, now)) {
    await recordRefusedCaller(context, { operation: 'oauth.device', code: 'not_found' });
    return {
      problem:
        'No device is waiting with this code. It may have expired or been used. Start again on the device.',
    };
  }
  await database.transaction('service', (tx) => refundAttempt(tx, { returned: [limit], cleared: [] }, now));
  const { params, deviceInfo }: DevicePayload = JSON.parse(row.payload);
  return {
    app,
    scopes: toScopes(params?.scope),
    code: `${code.slice(0, 4)}-${code.slice(4)}`,
    address: deviceInfo?.address ?? null,
    agent: deviceInfo?.agent ?? null,
  };
}

/** Lets the device act for the person in the account of the context. Throws `not_found` if it no longer waits. */
async function acceptDevice(
  context: PageContext,
  { app, scopes, address, code }: DeviceRequest,
): Promise<void> {
  await context.database.transaction('service', async (tx) => {
    const row = await readDeviceCode(tx, toTokenHash(toCode(code)));
    if (row === undefined || isOver(row, context.environment.now())) throw gone();
    const lifetimeMs = lifetimes.deviceCode * 1000;
    const grantId = await createGrant(tx, context, { client: app, scopes, address, lifetimeMs });
    const payload: DevicePayload = JSON.parse(row.payload);
    await updateDeviceCode(tx, row.hash, {
      grant_id: grantId,
      scopes: scopes.join(' '),
      payload: JSON.stringify({
        ...payload,
        accountId: context.user.id,
        grantId,
        scope: scopes.join(' '),
        resource: payload.params?.resource,
      }),
    });
  });
}

/** Tells the device that the person refused. Throws `not_found` if it no longer waits. */
async function refuseDevice(context: PageContext, { code }: DeviceRequest): Promise<void> {
  await context.database.transaction('service', async (tx) => {
    const row = await readDeviceCode(tx, toTokenHash(toCode(code)));
    if (row === undefined || isOver(row, context.environment.now())) throw gone();
    const payload: DevicePayload = { ...JSON.parse(row.payload), error: 'access_denied' };
    await updateDeviceCode(tx, row.hash, {
      grant_id: null,
      scopes: null,
      payload: JSON.stringify({ ...payload, errorDescription: 'The request was denied.' }),
    });
  });
}

/** Normalizes a typed code: capital letters, without separators. */
function toCode(typed: string): string {
  return typed
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
    .slice(0, 20);
}

/** Whether a device no longer waits: its code has expired, or a person has decided. */
function isOver({ expires_ms, grant_id, payload }: OauthTokenRow, now: Date): boolean {
  return expires_ms <= now.getTime() || grant_id !== null || JSON.parse(payload).error !== undefined;
}

async function findApp(
  reader: PageContext['database']['reader'],
  { client_id }: OauthTokenRow,
): Promise<App | undefined> {
  if (client_id === builtInApp.id) return builtInApp;
  return client_id === null ? undefined : readOauthClient(reader, client_id);
}

function gone(): SalonError {
  return new SalonError('not_found', 'The device is no longer waiting. Start again on the device.');
}
