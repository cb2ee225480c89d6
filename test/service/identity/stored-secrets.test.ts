import * as openid from 'openid-client';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp } from '../../support/oauth-app.ts';
import { sendRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { allow } from '../../support/signed-in-visitor.ts';
import { readStored } from '../../support/stored-text.ts';
import { openVisitedService, type VisitedService } from '../../support/visited-service.ts';
import type { Visitor } from '../../support/visitor.ts';

let salon: VisitedService;
/** Every secret that was shown, by what it is. */
const secrets = new Map<string, string>();

beforeAll(async () => {
  salon = await openVisitedService({ config: { logLevel: 'debug' } });
  const { visitor, person } = await salon.openSignedIn();
  keep('password', person.password);
  await useApi();
  await useAuthenticator(visitor);
  await useLinks(visitor);
  await useOauth(visitor);
  for (const [name, value] of visitor.cookies) {
    // The ID of a request for consent is also in the address of its page.
    if (name !== 'salon_authorization') keep(`cookie ${name}`, value);
  }
});
afterAll(() => salon[Symbol.asyncDispose]());

function keep(name: string, value: unknown): string {
  const text = String(value);
  expect(text.length, name).toBeGreaterThan(5);
  secrets.set(name, text);
  return text;
}

/** Keys and secrets that the API shows once, also to a client that repeats its request. */
async function useApi() {
  const post = async (path: string, body: object, idempotencyKey: string) => {
    const send = () =>
      sendRequest(`${salon.service.origin}/v1${path}`, {
        ...{ method: 'POST', key: salon.service.keys.owner, body },
        headers: { 'idempotency-key': idempotencyKey },
      });
    const [first, repeated] = [await send(), await send()];
    expect(first.status, first.text).toBeLessThan(300);
    expect(repeated.headers['idempotent-replayed']).toBe('true');
    expect(toJson(repeated)).toEqual(toJson(first));
    return toJson(first);
  };
  const key = await post('/api-keys', { name: 'till', role: 'viewer' }, 'one');
  keep('API key', key['key']);
  keep('rolled API key', (await post(`/api-keys/${key['id']}/roll`, {}, 'two'))['key']);
  const webhook = await post('/webhooks', { url: 'http://127.0.0.1:9/' }, 'three');
  keep('webhook secret', webhook['secret']);
  keep(
    'rotated webhook secret',
    (await post(`/webhooks/${webhook['id']}/rotate-secret`, {}, 'four'))['secret'],
  );
  const app = { name: 'Shop', redirect_uris: ['https://shop.example/back'] };
  keep('client secret', (await post('/oauth-clients', app, 'five'))['secret']);
}

/** The seed of an authenticator app, and recovery codes. */
async function useAuthenticator(visitor: Visitor) {
  const form = await visitor.open('/settings/security/authenticator');
  const typed = /\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b/.exec(form.seen)?.[0] ?? '';
  const seed = keep('authenticator seed', typed.replaceAll(' ', ''));
  const code = new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: salon.now() });
  const added = await visitor.submit(form, { code });
  const codes = [...added.text.matchAll(/>((?:[0-9a-z]{4}-){3}[0-9a-z]{4})</g)].map(([, one]) => one);
  expect(codes, added.seen).toHaveLength(10);
  for (const [index, one] of codes.entries()) keep(`recovery code ${index}`, one);
}

async function useLinks(visitor: Visitor) {
  const form = await visitor.open('/settings/team/invite');
  const page = await visitor.submit(form, { email: 'guest@salon.example', role: 'viewer' });
  const path = /\/invitation\/([\w-]+)/.exec(page.text) ?? [];
  keep('invitation', path[1]);
  const guest = salon.visit();
  const password = keep('password of a guest', 'nobody else has these words');
  await guest.submit(await guest.open(path[0] ?? ''), { name: 'Bo Lind', password });
  for (const [name, value] of guest.cookies) keep(`cookie ${name} of a guest`, value);
}

async function useOauth(visitor: Visitor) {
  const app = await openTestApp(salon.service.origin);
  const { url, checks } = await app.begin();
  keep('code verifier', checks.pkceCodeVerifier);
  const answer = await allow(visitor, url);
  keep('authorization code', answer.searchParams.get('code'));
  const tokens = await openid.authorizationCodeGrant(app.config, answer, checks);
  keep('access token', tokens.access_token);
  const refreshed = await app.refresh(keep('refresh token', tokens.refresh_token));
  keep('next access token', refreshed.access);
  keep('next refresh token', refreshed.refresh);
  expect((await sendRequest(`${salon.service.origin}/v1/me`, { key: refreshed.access })).status).toBe(200);
  const device = await openid.initiateDeviceAuthorization(app.config, {});
  keep('device code', device.device_code);
  keep('user code', device.user_code);
  await visitor.submit(await visitor.open('/oauth/device'), { user_code: device.user_code });
  await sendRequest(`${salon.service.origin}/v1/me?access_token=${refreshed.access}`);
}

/** What contains a secret, by name. */
function findIn(text: string): string[] {
  return [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name);
}

describe('a secret that was shown', () => {
  it('is not stored in a form that a copy of the database gives away', async () => {
    const stored = await readStored(salon.service.database);
    expect(stored).toContain('Ana Costa');
    expect(findIn(stored)).toEqual([]);
  });

  it('is not written to the log', () => {
    const log = salon.service.logged.join('\n');
    expect(log).toContain('/oauth/token');
    expect(findIn(log)).toEqual([]);
  });

  it('is not in the audit log that managers read', async () => {
    const key = salon.service.keys.owner;
    let path: string | undefined = '/v1/audit-log?per_page=200';
    let read = '';
    while (path !== undefined) {
      const page: TestResponse = await sendRequest(new URL(path, salon.service.origin).href, { key });
      expect(page.status, page.text).toBe(200);
      read += page.text;
      path = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1];
    }
    expect(read).toContain('api_key.created');
    expect(findIn(read)).toEqual([]);
  });
});
