import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';

let now = new Date('2026-11-22T10:00:00Z');
let scene: OauthScene;
beforeAll(async () => {
  scene = await openOauthScene({ now: () => now });
});
afterAll(() => scene[Symbol.asyncDispose]());

const body = { name: 'Books', flows: ['client_credentials'], role: 'owner' };
const key = { name: 'Some', role: 'owner' };

async function post(path: string, by: string, sent: object) {
  const request = { method: 'POST', key: by, body: sent };
  return toJson(await sendRequest(`${scene.service.origin}/v1${path}`, request));
}

async function getToken({ id, secret }: { id: string; secret: string }) {
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const { body: answer } = await scene.post('/oauth/token', form);
  return { access_token: '', ...answer };
}

const readMe = async (by: string) => (await sendRequest(`${scene.service.origin}/v1/me`, { key: by })).status;

it('an app that was added with a key gets no token once the key has expired, and those it has stop', async () => {
  const expires_at = '2026-11-22T10:00:15.000Z';
  const short = await post('/api-keys', scene.service.keys.owner, { ...key, expires_at });
  const app = await scene.addClient(body, String(short['key']));
  expect(app).toMatchObject({ secret_by: short['id'], secret_expires_at: expires_at });
  expect((await scene.visitor.open('/settings/oauth-clients')).seen).toContain('Secret expires');
  const { access_token } = await getToken(app);
  const made = await post('/api-keys', access_token, key);
  expect(made).toMatchObject({ expires_at, created_with: app.id });
  const never = await post('/api-keys', access_token, { ...key, expires_at: null });
  expect(never).toMatchObject({ code: 'validation_failed', status: 422 });
  now = new Date(expires_at);
  expect([await readMe(access_token), await readMe(String(made['key']))]).toEqual([401, 401]);
  expect(await getToken(app)).toMatchObject({ error: 'invalid_client' });
});

it("a secret that a key has generated for somebody else's app stops when the key is revoked", async () => {
  const leaked = await post('/api-keys', scene.service.keys.owner, key);
  const { id } = await scene.addClient(body);
  const rotated = await post(`/oauth-clients/${id}/rotate-secret`, String(leaked['key']), {});
  const app = { id, secret: String(rotated['secret']) };
  const { access_token } = await getToken(app);
  expect(await readMe(access_token)).toBe(200);
  await sendRequest(`${scene.service.origin}/v1/api-keys/${leaked['id']}`, {
    ...{ method: 'DELETE', key: scene.service.keys.owner },
  });
  expect(await readMe(access_token)).toBe(401);
  expect(await getToken(app)).toMatchObject({ error: 'invalid_client' });
});

it('a key that rolls the one that created it is refused, and both go on', async () => {
  const parent = await post('/api-keys', scene.service.keys.owner, key);
  const child = await post('/api-keys', String(parent['key']), key);
  const refused = await post(`/api-keys/${parent['id']}/roll`, String(child['key']), { overlap_seconds: 0 });
  expect(refused).toMatchObject({
    ...{ code: 'permission_denied', status: 403 },
    detail: expect.stringContaining('The API key in use was created by the key or app that it would replace'),
  });
  expect([await readMe(String(parent['key'])), await readMe(String(child['key']))]).toEqual([200, 200]);
});
