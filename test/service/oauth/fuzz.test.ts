import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileText } from '../../support/near-valid.ts';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';
import { countBySpeed } from '../../support/speed.ts';

// Frozen, so that every request is within one window of the limit; most are answered before it counts.
const now = new Date('2026-11-22T10:00:00Z');

let scene: OauthScene;
beforeAll(async () => {
  scene = await openOauthScene({ now: () => now });
});
afterAll(() => scene[Symbol.asyncDispose]());

const values: Readonly<Record<string, readonly string[]>> = {
  client_id: ['salon-cli', 'app_0', ''],
  grant_type: [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:device_code',
  ],
  scope: ['clients:read', 'clients:read  clients:write', ' '],
  redirect_uri: ['http://127.0.0.1:1/callback'],
  response_type: ['code'],
  code_challenge: ['x'.repeat(43)],
  code_challenge_method: ['S256', 'plain'],
  token: [`slt_${'x'.repeat(43)}`],
  refresh_token: [`slr_${'x'.repeat(43)}`],
  code: ['x'.repeat(43)],
  device_code: ['x'.repeat(43)],
  user_code: ['BBBB-BBBB'],
  resource: ['https://x.example/', 'x'],
  state: ['s'],
  prompt: ['none', 'login'],
  decision: ['allow', 'cancel'],
  csrf: ['x.y'],
};

const parameters = fc.array(
  fc
    .constantFrom(...Object.keys(values))
    .chain((name) =>
      fc
        .oneof({ weight: 3, arbitrary: fc.constantFrom(...(values[name] ?? [''])) }, hostileText)
        .map((value) => [name, value.toWellFormed()]),
    ),
  { maxLength: 8 },
);

const headers = fc.record(
  {
    authorization: fc.constantFrom('Basic', 'Basic !!', 'Basic eDp5', 'Bearer x', `Basic ${btoa('%:%')}`),
    cookie: fc.constantFrom('salon_authorization=x', 'salon_resume=../x; a', ';;=', `x=${'y'.repeat(4000)}`),
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded; charset=x',
    ),
    accept: fc.constantFrom('text/html', '*/*', 'x'),
  },
  { requiredKeys: [] },
);

const requests = [
  ['GET', '/oauth/authorize'],
  ['GET', '/oauth/authorize/x%00y'],
  ['GET', '/oauth/consent/x%ff'],
  ['POST', '/oauth/consent/x'],
  ['GET', '/oauth/device'],
  ['POST', '/oauth/device'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/device_authorization'],
  ['POST', '/oauth/revoke'],
  ['POST', '/oauth/introspect'],
] as const;

describe.each(requests)('%s %s', (method, path) => {
  it('answers any input without an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(parameters, headers, async (pairs, sent) => {
        const query = new URLSearchParams(pairs as [string, string][]).toString();
        const isForm = method === 'POST';
        const response = await scene.visitor.send(isForm ? path : `${path}?${query}`, {
          ...(isForm ? { form: query } : {}),
          headers: sent,
        });
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: countBySpeed(40, 1000) },
    );
  });
});

describe.each(requests.filter(([method]) => method === 'POST'))('%s %s', (_, path) => {
  it('refuses a body of a megabyte', async () => {
    const response = await scene.visitor.send(path, { form: `token=${'x'.repeat(1_000_000)}` });
    // The requests above have used up the limit of devices.
    expect([400, 413, 429]).toContain(response.status);
  });
});
