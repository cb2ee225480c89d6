import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopes } from '../../../src/contract/roles.ts';
import { openTestApp, type TestApp } from '../../support/oauth-app.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { cancel, signInVisitor } from '../../support/signed-in-visitor.ts';
import type { Visitor } from '../../support/visitor.ts';

let service: TestService;
let visitor: Visitor;
let app: TestApp;
beforeAll(async () => {
  service = await openTestService();
  await service.addPerson();
  visitor = await signInVisitor(service.origin);
  app = await openTestApp(service.origin);
});
afterAll(() => service[Symbol.asyncDispose]());

async function readMe(token: string) {
  return toJson(await sendRequest(`${service.origin}/v1/me`, { key: token }));
}

describe('the authorization code flow with openid-client', () => {
  it('gives an app the rights that a person has allowed', async () => {
    const tokens = await app.connect(visitor, { scope: 'clients:read payments:read' });
    expect(tokens.scope).toBe('clients:read payments:read');
    expect(await readMe(tokens.access)).toMatchObject({
      role: 'owner',
      scopes: ['clients:read', 'payments:read'],
      key: null,
      user: { name: 'Ana Costa', email: 'ana@salon.example' },
      app: { id: 'salon-cli', name: 'Salon command line' },
    });
    const clients = `${service.origin}/v1/clients`;
    const write = { key: tokens.access, method: 'POST', body: { first_name: 'Bo' } };
    expect((await sendRequest(clients, { key: tokens.access })).status).toBe(200);
    expect(toJson(await sendRequest(clients, write))).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      scope: 'clients:write',
    });
  });

  it('gives all that the app may ask for when it names no scope', async () => {
    expect((await app.connect(visitor)).scope).toBe(scopes.join(' '));
  });

  it('accepts any port of a loopback redirect, IPv6 included', async () => {
    for (const redirect_uri of ['http://127.0.0.1:8/callback', 'http://[::1]:61000/callback']) {
      const tokens = await app.connect(visitor, { redirect_uri });
      expect(tokens.access).toMatch(/^slt_[\w-]{43}$/);
    }
  });

  it('accepts the service as the resource, with and without the path of the API', async () => {
    for (const resource of [service.origin, `${service.origin}/`, `${service.origin}/api/v1`]) {
      const tokens = await app.connect(visitor, { resource });
      expect(await readMe((await app.refresh(tokens.refresh)).access)).toMatchObject({ role: 'owner' });
    }
  });

  it('tells the app when the person refuses', async () => {
    const { url, checks } = await app.begin();
    const answer = await cancel(visitor, url);
    await expect(openid.authorizationCodeGrant(app.config, answer, checks)).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  it('never gives more than the role of the person, now and later', async () => {
    await service.addPerson({ email: 'vi@salon.example', name: 'Vi Lund', role: 'viewer' });
    const viewer = await signInVisitor(service.origin, 'vi@salon.example');
    const { url } = await app.begin();
    const page = await viewer.open(`${url.pathname}${url.search}`);
    expect(page.seen).toContain('It also asks for what your role (viewer) does not allow');
    const { access } = await app.connect(viewer);
    const write = { key: access, method: 'POST', body: { first_name: 'Bo' } };
    const refused = await sendRequest(`${service.origin}/v1/clients`, write);
    expect(toJson(refused)).toMatchObject({ status: 403, code: 'permission_denied' });
    await service.addPerson({ email: 'vi@salon.example', role: 'receptionist' });
    // On PostgreSQL, the service hears of the other program's change a moment later.
    const readStatus = async () => (await sendRequest(`${service.origin}/v1/clients`, write)).status;
    await expect.poll(readStatus).toBe(201);
  });

  it('ends all access when the app revokes a token', async () => {
    for (const kind of ['access', 'refresh'] as const) {
      const tokens = await app.connect(visitor);
      await openid.tokenRevocation(app.config, tokens[kind]);
      expect(await readMe(tokens.access)).toMatchObject({ status: 401, code: 'invalid_token' });
      await expect(app.refresh(tokens.refresh)).rejects.toMatchObject({ error: 'invalid_grant' });
    }
  });

  it('ends all access when a person disconnects the app', async () => {
    const tokens = await app.connect(visitor, { scope: 'clients:read' });
    const list = await visitor.open('/settings/apps');
    expect(list.seen).toContain('Salon command line');
    const [path = ''] = /\/settings\/apps\/grt_\w+\/disconnect/.exec(list.text) ?? [];
    await visitor.press(await visitor.open(path), 'Disconnect');
    expect(await readMe(tokens.access)).toMatchObject({ status: 401, code: 'invalid_token' });
    await expect(app.refresh(tokens.refresh)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('shows others than owners only their own apps', async () => {
    await app.connect(visitor);
    await service.addPerson({ email: 'rita@salon.example', name: 'Rita', role: 'receptionist' });
    const other = await signInVisitor(service.origin, 'rita@salon.example');
    expect((await other.open('/settings/apps')).seen).toContain('No connected apps.');
    const list = await visitor.open('/settings/apps');
    const [path = ''] = /\/settings\/apps\/grt_\w+\/disconnect/.exec(list.text) ?? [];
    expect((await other.open(path)).status).toBe(404);
  });
});
