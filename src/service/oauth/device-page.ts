import { SalonError } from '../../contract/errors.ts';
import type { Writer } from '../db/engine.ts';
import { type OauthTokenRow, readDeviceCode, updateDeviceCode } from '../db/identity/oauth-grants.ts';
import { recordRefusedCaller } from '../domain/audit-access.ts';
import { refundAttempt, takeAttempt } from '../domain/window-limit.ts';
import { createGrant, findApp } from '../identity/oauth-grants.ts';
import { toLimit } from '../identity/password-sign-in.ts';
import { toTokenHash } from '../identity/tickets.ts';
import { detailList, notice } from '../web/components.ts';
import { field, hidden, renderFields } from '../web/form-fields.ts';
import { button, form, onForm } from '../web/forms.ts';
import { html } from '../web/html.ts';
import type { PageContext } from '../web/visit.ts';
import { FormError, type SmallPage, type WebPage } from '../web/web-page.ts';
import { askForConsent, chooseAccount, toScopes } from './consent.ts';
import { lifetimes } from './issuer.ts';

const codeFields = {
  user_code: field(
    { type: 'string', minLength: 1, maxLength: 20 },
    {
      label: 'Code',
      hint: 'Such as BCDF-GHJK. It is shown on the device.',
      missing: 'Enter the code that the device shows.',
      hasFocus: true,
    },
  ),
};
const shownCode = { user_code: hidden };

/** `/oauth/device`: connects a device on which a person sees a code. */
export const devicePage: WebPage = {
  async render(context, refused) {
    const values = { user_code: context.query.get('user_code') ?? '' };
    const fields = renderFields(codeFields, { values, refused });
    const body = html`${fields}${button({ label: 'Continue', kind: 'primary' })}`;
    return { title: 'Connect a device', body: form(context, { name: 'code', body }) };
  },

  forms: {
    code: onForm(codeFields, async (context: PageContext, { user_code }) =>
      showRequest(context, await findDevice(context, user_code)),
    ),

    async device(context, sent) {
      const found = await findDevice(context, sent.get('user_code') ?? '');
      const { name } = found.app;
      if (sent.get('decision') === 'allow') {
        await acceptDevice(await chooseAccount(context, found.app, sent.get('account')), found);
        return showEnd('Connected', `${name} is connected. You can close this page and continue there.`);
      }
      await refuseDevice(context, found);
      return showEnd('Not connected', `${name} was not connected. You can close this page.`);
    },
  },
};

async function showRequest(context: PageContext, device: DeviceRequest): Promise<SmallPage> {
  const { code: user_code, address, agent } = device;
  const { fields, ...page } = await askForConsent(context, {
    ...device,
    place: ' on another device',
    warning: html`${detailList([
      ['Code', html`<strong>${user_code}</strong>`],
      ['Requested from', address ?? 'an unknown address'],
      ['By', agent ?? 'an unknown program'],
    ])}
${notice({ tone: 'warning', body: 'Continue only if you started this yourself and your device shows the same code. Otherwise, the sender of the code can act on your behalf.' })}`,
  });
  const body = html`${renderFields(shownCode, { values: { user_code } })}${fields}`;
  return { ...page, body: form(context, { name: 'device', body }) };
}

function showEnd(title: string, lead: string): SmallPage {
  return { title, lead, body: html`<a href="/settings/apps">Connected apps</a>` };
}

/** What the provider has stored with a device code. */
interface DevicePayload {
  readonly params?: { readonly scope?: string; readonly resource?: string | readonly string[] };
  readonly deviceInfo?: { readonly address?: string | null; readonly agent?: string | null };
  readonly error?: string;
}

/** The device with a code that a person has typed. Guessing is limited for each person. Throws `FormError`. */
async function findDevice(context: PageContext, typed: string) {
  const { database, environment, user } = context;
  const code = toCode(typed);
  if (code === '') throw new FormError({ user_code: 'Enter the code that the device shows.' });
  const now = environment.now();
  const limit = toLimit('device_code', user.id);
  const waitMs = await database.transaction('service', (tx) => takeAttempt(tx, [limit], now));
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / 60_000);
    const problem = `Too many wrong codes. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
    throw new FormError({ user_code: problem }, waitMs);
  }
  const row = await readDeviceCode(database.reader, toTokenHash(code));
  const app = row?.client_id ? await findApp(database.reader, row.client_id) : undefined;
  if (row === undefined || app === undefined || isOver(row, now)) {
    await recordRefusedCaller(context, { operation: 'oauth.device', code: 'not_found' });
    const problem =
      'No device is waiting with this code. It may have expired or been used. Start again on the device.';
    throw new FormError({ user_code: problem });
  }
  await database.transaction('service', (tx) => refundAttempt(tx, { returned: [limit], cleared: [] }, now));
  const { params, deviceInfo }: DevicePayload = JSON.parse(row.payload);
  return {
    app,
    scopes: toScopes(params?.scope),
    /** As the device shows it. */
    code: `${code.slice(0, 4)}-${code.slice(4)}`,
    /** Where the device is, and what it calls itself. */
    address: deviceInfo?.address ?? null,
    agent: deviceInfo?.agent ?? null,
  };
}

/** A device that waits for a person. */
type DeviceRequest = Awaited<ReturnType<typeof findDevice>>;

/** Lets the device act for the person in the account of the context. */
async function acceptDevice(context: PageContext, device: DeviceRequest): Promise<void> {
  const { app, scopes, address } = device;
  const scope = scopes.join(' ');
  const lifetimeMs = lifetimes.deviceCode * 1000;
  await decide(context, device, async (tx, { params }) => {
    const grantId = await createGrant(tx, context, { client: app, scopes, address, lifetimeMs });
    const added = { accountId: context.user.id, grantId, scope, resource: params?.resource };
    return { grant_id: grantId, scopes: scope, added };
  });
}

/** Tells the device that the person refused. */
async function refuseDevice(context: PageContext, device: DeviceRequest): Promise<void> {
  const added = { error: 'access_denied', errorDescription: 'The request was denied.' };
  await decide(context, device, async () => ({ grant_id: null, scopes: null, added }));
}

interface Decision extends Pick<OauthTokenRow, 'grant_id' | 'scopes'> {
  /** What the provider reads with the device code. */
  readonly added: object;
}

/** Stores what a person has decided. Throws `not_found` if the device no longer waits. */
async function decide(
  { database, environment }: PageContext,
  { code }: DeviceRequest,
  toDecision: (tx: Writer, payload: DevicePayload) => Promise<Decision>,
): Promise<void> {
  await database.transaction('service', async (tx) => {
    const row = await readDeviceCode(tx, toTokenHash(toCode(code)));
    if (row === undefined || isOver(row, environment.now())) {
      throw new SalonError('not_found', 'The device is no longer waiting. Start again on the device.');
    }
    const payload: DevicePayload = JSON.parse(row.payload);
    const { added, ...change } = await toDecision(tx, payload);
    await updateDeviceCode(tx, row.hash, { ...change, payload: JSON.stringify({ ...payload, ...added }) });
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
