import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseServiceConfig } from '../../../src/service/config.ts';
import { openService } from '../../../src/service/service.ts';
import { openTestApp } from '../../support/oauth-app.ts';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService } from '../../support/service.ts';

const metadata = '/.well-known/oauth-authorization-server';

describe('a service of this machine', () => {
  let scene: OauthScene;
  beforeAll(async () => {
    scene = await openOauthScene();
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  it.each(['127.0.0.1', 'localhost', '[::1]'])('is the issuer that an app asks under %s', async (name) => {
    const { port } = new URL(scene.service.origin);
    const host = `${name}:${port}`;
    const found = toJson(await sendRequest(`${scene.service.origin}${metadata}`, { headers: { host } }));
    expect(found).toMatchObject({ issuer: `http://${host}`, token_endpoint: `http://${host}/oauth/token` });
    // Pages are always on localhost.
    expect(found['authorization_endpoint']).toMatch(`http://localhost:${port}/oauth/`);
  });

  it('keeps apps connected when it moves to another port', async () => {
    const tokens = await scene.app.connect(scene.visitor, { scope: 'clients:read' });
    const config = parseServiceConfig({ port: '0', database: scene.service.database, logLevel: 'silent' });
    const environment = {
      now: () => new Date(),
      random: (size: number) => crypto.getRandomValues(new Uint8Array(size)),
      log: { write: () => true },
      env: scene.service.env,
    };
    await using moved = await openService(config, environment);
    expect(moved.origin).not.toBe(scene.service.origin);
    const next = await (await openTestApp(moved.origin)).refresh(tokens.refresh);
    expect((await sendRequest(`${moved.origin}/v1/clients`, { key: next.access })).status).toBe(200);
  });
});

it('requests that wait for a person are limited by address', async () => {
  const now = new Date('2026-11-22T10:00:00Z');
  await using frozen = await openOauthScene({ now: () => now });
  const begin = async () => {
    const body = new URLSearchParams({ client_id: 'salon-cli' });
    return fetch(`${frozen.service.origin}/oauth/device_authorization`, { method: 'POST', body });
  };
  const answers = await Promise.all(Array.from({ length: 61 }, begin));
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited.map(({ headers }) => headers.get('retry-after'))).toEqual(['60']);
  const { url } = await frozen.app.begin();
  const page = await frozen.visitor.open(`${url.pathname}${url.search}`);
  expect([page.status, page.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
  expect(page.seen).toContain('Too many requests from this address.');
});

describe('a service behind a proxy', () => {
  it('is the issuer of its public URL, with cookies for HTTPS only', async () => {
    const publicUrl = 'https://salon.example';
    await using service = await openTestService({ config: { publicUrl } });
    const host = 'salon.example';
    const found = toJson(await sendRequest(`${service.origin}${metadata}`, { headers: { host } }));
    expect(found).toMatchObject({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth/authorize`,
      token_endpoint: `${publicUrl}/oauth/token`,
    });
    const query = new URLSearchParams({
      ...{ client_id: 'salon-cli', response_type: 'code', redirect_uri: 'http://127.0.0.1:8/callback' },
      ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    });
    const path = `${service.origin}/oauth/authorize?${query}`;
    const response = await sendRequest(path, { headers: { host, accept: 'text/html' } });
    expect([response.status, response.headers['location']]).toEqual([
      303,
      expect.stringMatching(/^\/oauth\/consent\//),
    ]);
    const cookies = [response.headers['set-cookie']].flat().join('\n');
    expect(cookies).toMatch(/salon_authorization=[^;]+; path=\/oauth\/consent\/[^;]+;.*secure/i);
    expect(cookies).toContain('httponly');
  });

  it('offers no OAuth over plain HTTP', async () => {
    await using service = await openTestService({ config: { publicUrl: 'http://salon.example' } });
    const response = await sendRequest(`${service.origin}${metadata}`, {
      headers: { host: 'salon.example' },
    });
    expect(response.status).toBe(404);
    expect(toJson(response)['detail']).toBe(
      'OAuth needs HTTPS: start the service with its public https URL.',
    );
  });
});
