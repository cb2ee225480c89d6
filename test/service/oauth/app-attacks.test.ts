import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { readStored } from '../../support/stored-text.ts';

let scene: OauthScene;
beforeAll(async () => {
  scene = await openOauthScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

describe('an app', () => {
  it.each([
    [{ response_type: 'token' }, 'invalid_request'],
    [{ response_type: 'code id_token' }, 'invalid_request'],
    [{ response_type: 'none' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ scope: 'openid' }, 'invalid_scope'],
    [{ scope: 'clients:read clients:delete' }, 'invalid_scope'],
    [{ scope: 'offline_access' }, 'invalid_scope'],
    [{ resource: 'https://other.example/' }, 'invalid_target'],
    [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
    [{ prompt: 'none' }, 'interaction_required'],
  ])('cannot ask for %j', async (change, error) => {
    const { url } = await scene.app.begin();
    for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value);
    const { pathname, search } = url;
    let location = (await scene.visitor.send(`${pathname}${search}`)).headers['location'] ?? '';
    location = location.replace('#', '?');
    expect(new URL(location, scene.service.origin).searchParams.get('error')).toBe(error);
  });

  it('gets no token for another service beside this one', async () => {
    const { refresh } = await scene.app.connect(scene.visitor, { scope: 'clients:read' });
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'salon-cli',
      refresh_token: refresh,
    });
    for (const resource of [scene.service.origin, 'https://other.example/'])
      form.append('resource', resource);
    const response = await fetch(`${scene.service.origin}/oauth/token`, { method: 'POST', body: form });
    expect(await response.json()).toMatchObject({ error: 'invalid_target' });
  });

  it('that can create keys says whether they outlive its access', async () => {
    const lasting = 'An API key that it creates is yours: it stays valid when you disconnect it.';
    expect((await scene.open({ scope: 'api_keys:write' })).seen).toContain(lasting);
    expect((await scene.open({ scope: 'clients:write' })).seen).not.toContain(lasting);
  });

  it('gets no tokens by a password, and no client by registration', async () => {
    const answer = await scene.post('/oauth/token', {
      ...{ grant_type: 'password', client_id: 'salon-cli', username: 'ana@salon.example', password: 'x' },
    });
    expect([answer.status, answer.body.error]).toEqual([400, 'unsupported_grant_type']);
    expect(
      (await fetch(`${scene.service.origin}/oauth/register`, { method: 'POST', body: '{}' })).status,
    ).toBe(404);
  });

  it('that is public cannot use client credentials or introspection', async () => {
    const form = { client_id: 'salon-cli', grant_type: 'client_credentials' };
    expect((await scene.post('/oauth/token', form)).body.error).toBe('invalid_request');
    const { access } = await scene.app.connect(scene.visitor);
    expect((await scene.post('/oauth/introspect', { client_id: 'salon-cli', token: access })).body).toEqual({
      active: false,
    });
  });

  it('cannot revoke or see tokens of another account', async () => {
    const neighbour = await scene.service.addAccount();
    const body = { name: 'Spy', flows: ['client_credentials'], scopes: ['clients:read'], role: 'viewer' };
    const { id, secret } = await scene.addClient(body, neighbour.keys.owner);
    const { access } = await scene.app.connect(scene.visitor);
    const spy = { client_id: id, client_secret: secret, token: access };
    expect((await scene.post('/oauth/introspect', spy)).body).toEqual({ active: false });
    expect((await scene.post('/oauth/revoke', spy)).status).toBe(200);
    expect((await sendRequest(`${scene.service.origin}/v1/me`, { key: access })).status).toBe(200);
  });

  it('of another account cannot be connected', async () => {
    const neighbour = await scene.service.addAccount();
    const body = { name: 'Phish', redirect_uris: ['https://phish.example/'] };
    const { id } = await scene.addClient(body, neighbour.keys.owner);
    const page = await scene.open({ client_id: id, redirect_uri: 'https://phish.example/' });
    expect(page.status).toBe(403);
    expect(page.seen).toContain('This app belongs to another account');
  });
});

describe('a token', () => {
  it('is not accepted in a URL', async () => {
    const { access } = await scene.app.connect(scene.visitor);
    const response = await fetch(`${scene.service.origin}/v1/clients?access_token=${access}`);
    expect(response.status).toBe(401);
  });

  it('is asked for with POST, as a form, and by no script of another site', async () => {
    const token = `${scene.service.origin}/oauth/token`;
    expect((await fetch(token)).status).toBe(405);
    const json = await fetch(token, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(json.status).toBe(400);
    const foreign = await scene.post(
      '/oauth/token',
      { client_id: 'salon-cli', grant_type: 'x' },
      { origin: 'https://evil.example' },
    );
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    expect(foreign.headers.get('cache-control')).toBe('no-store');
  });
});

describe('the server', () => {
  it('answers under its own name only', async () => {
    const path = '/.well-known/oauth-authorization-server';
    const response = await sendRequest(`${scene.service.origin}${path}`, {
      headers: { host: 'evil.example' },
    });
    expect(response.status).toBe(404);
    expect(toJson(response)['detail']).toBe('This service is reached under localhost or 127.0.0.1 only.');
  });

  it('keeps no token, code or secret in readable form', async () => {
    const tokens = await scene.app.connect(scene.visitor);
    const device = await openid.initiateDeviceAuthorization(scene.app.config, {});
    const stored = await readStored(scene.service.database);
    expect(stored).toContain('salon-cli');
    const secrets = [tokens.access, tokens.refresh, device.device_code, device.user_code.replace('-', '')];
    for (const secret of secrets) expect(stored.includes(secret)).toBe(false);
  });

  it('logs none of them either', () => {
    expect(scene.service.logged.join('')).not.toMatch(/sl[trs]_[\w-]{20}/);
  });
});
