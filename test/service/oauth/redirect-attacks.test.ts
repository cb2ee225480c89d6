import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';
import { signInVisitor } from '../../support/signed-in-visitor.ts';
import { createVisitor } from '../../support/visitor.ts';

let scene: OauthScene;
beforeAll(async () => {
  scene = await openOauthScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

describe('a redirect URI', () => {
  it.each([
    'https://shop.example/back/',
    'https://shop.example/bac',
    'https://shop.example/back?x=1',
    'https://shop.example/back#x',
    'https://shop.example/Back',
    'https://SHOP.example/back',
    'https://shop.example:444/back',
    'http://shop.example/back',
    'https://shop.example/x/../back',
    'https://shop.example/%62ack',
    'https://shop.example@evil.example/back',
    'https://evil.shop.example/back',
    'https://shop.example.evil.example/back',
    'javascript:alert(1)',
    '//shop.example/back',
    '',
  ])('off by a little is answered with a page, not a redirect: %s', async (uri) => {
    const { url } = await scene.shop.begin();
    url.searchParams.set('redirect_uri', uri);
    const page = await scene.visitor.open(`${url.pathname}${url.search}`);
    expect(page.status).toBe(400);
    expect(page.url).toMatch(/^\/oauth\//);
    expect(page.headers['location']).toBeUndefined();
  });

  it.each([
    'http://127.0.0.1:5000/other',
    'http://localhost:5000/callback',
    'http://127.0.0.2:5000/callback',
    'http://127.0.0.1:5000@evil.example/callback',
    'https://127.0.0.1:5000/callback',
    'http://127.0.0.1.evil.example/callback',
  ])('of a native app has any port, but nothing else: %s', async (uri) => {
    expect((await scene.open({ redirect_uri: uri })).status).toBe(400);
  });

  it('is not followed for an unknown app', async () => {
    const page = await scene.open({
      client_id: 'app_00000000000000000000000000',
      redirect_uri: 'https://evil.example/',
    });
    expect([page.status, page.headers['location']]).toEqual([400, undefined]);
    expect(page.seen).toContain('This app is not registered.');
  });
});

describe('the consent page', () => {
  it('cannot be framed, nor leak its address', async () => {
    const { headers } = await scene.open({});
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['referrer-policy']).toBe('strict-origin');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('lets its form lead to the app and nowhere else', async () => {
    const { headers } = await scene.open({});
    expect(headers['content-security-policy']).toContain("form-action 'self' http://127.0.0.1:51234;");
  });

  it('cannot be answered by another site, from another browser, or again', async () => {
    const page = await scene.open({});
    const form = { ...page.forms[0]?.values, decision: 'allow' };
    const forged = await scene.visitor.send(page.url, { form: { decision: 'allow' } });
    expect(forged.status).toBe(403);
    const foreign = await scene.visitor.send(page.url, {
      form,
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.status).toBe(403);
    const other = await signInVisitor(scene.service.origin);
    expect((await other.open(page.url)).seen).toContain('This request has expired');
    const first = await scene.visitor.send(page.url, { form });
    expect(first.status).toBe(303);
    expect((await scene.visitor.send(page.url, { form })).status).toBe(409);
  });

  it('leads an answer only into the browser that began: a resumed request is bound to its cookie', async () => {
    const page = await scene.open({});
    const answer = await scene.visitor.send(page.url, {
      form: { ...page.forms[0]?.values, decision: 'allow' },
    });
    const stranger = createVisitor(scene.service.origin);
    const { pathname } = new URL(answer.headers['location'] ?? '');
    const resumed = await stranger.open(pathname);
    expect([resumed.status, resumed.headers['location']]).toEqual([400, undefined]);
  });

  it('names the app as text, whatever its name is', async () => {
    const { id } = await scene.addClient({
      name: '<b>Shop</b> "&amp;',
      redirect_uris: ['https://x.example/'],
    });
    const page = await scene.open({
      client_id: id,
      redirect_uri: 'https://x.example/',
      scope: 'clients:read',
    });
    expect(page.text).not.toContain('<b>Shop');
    expect(page.text).toContain('&lt;b&gt;Shop&lt;/b&gt;');
  });
});
