import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';
import { sendRequest } from '../../support/send-request.ts';
import { allow, cancel } from '../../support/signed-in-visitor.ts';

let scene: OauthScene;
beforeAll(async () => {
  scene = await openOauthScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

const refused = { error: 'invalid_grant' };

describe('an authorization code', () => {
  it('is of no use without the verifier of the app that began: it cannot be injected', async () => {
    const [victim, attacker] = [await scene.app.begin(), await scene.app.begin()];
    const stolen = await allow(scene.visitor, victim.url);
    stolen.searchParams.set('state', attacker.checks.expectedState);
    await expect(
      openid.authorizationCodeGrant(scene.app.config, stolen, attacker.checks),
    ).rejects.toMatchObject(refused);
  });

  it('is of no use to another app', async () => {
    const { url, checks } = await scene.app.begin();
    const code = (await allow(scene.visitor, url)).searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, code_verifier: checks.pkceCodeVerifier };
    const grant = openid.genericGrantRequest(scene.shop.config, form.grant_type, {
      ...form,
      redirect_uri: 'http://127.0.0.1:51234/callback',
    });
    await expect(grant).rejects.toMatchObject(refused);
  });

  it('works once: the second use ends what the first one got', async () => {
    const { url, checks } = await scene.app.begin();
    const answer = await allow(scene.visitor, url);
    const tokens = await openid.authorizationCodeGrant(scene.app.config, answer, checks);
    await expect(openid.authorizationCodeGrant(scene.app.config, answer, checks)).rejects.toMatchObject(
      refused,
    );
    expect((await sendRequest(`${scene.service.origin}/v1/me`, { key: tokens.access_token })).status).toBe(
      401,
    );
  });

  it('works once also when it is sent twice at the same moment', async () => {
    const { url, checks } = await scene.app.begin();
    const answer = await allow(scene.visitor, url);
    const uses = await Promise.allSettled(
      Array.from({ length: 5 }, () => openid.authorizationCodeGrant(scene.app.config, answer, checks)),
    );
    expect(uses.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  it('must come back with the redirect URI that it was asked for', async () => {
    const { url, checks } = await scene.app.begin();
    const code = (await allow(scene.visitor, url)).searchParams.get('code') ?? '';
    const answer = await scene.post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: 'salon-cli',
      code,
      code_verifier: checks.pkceCodeVerifier,
      redirect_uri: 'http://127.0.0.1:51235/callback',
    });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
  });
});

describe('PKCE cannot be downgraded', () => {
  it.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method', { code_challenge_method: undefined }],
  ])('with %s', async (_, change) => {
    const page = await scene.open(change);
    expect(new URL(page.url).searchParams.get('error')).toBe('invalid_request');
  });

  it('by leaving out the verifier', async () => {
    const { url } = await scene.app.begin();
    const code = (await allow(scene.visitor, url)).searchParams.get('code') ?? '';
    const redirect_uri = 'http://127.0.0.1:51234/callback';
    const answer = await scene.post('/oauth/token', {
      ...{ grant_type: 'authorization_code', client_id: 'salon-cli', code, redirect_uri },
    });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
  });

  it('for confidential apps either', async () => {
    const { url } = await scene.shop.begin();
    url.searchParams.delete('code_challenge');
    const page = await scene.visitor.open(`${url.pathname}${url.search}`);
    expect(new URL(page.url).searchParams.get('error')).toBe('invalid_request');
  });
});

describe('a mix-up of servers', () => {
  it('shows in the issuer of every answer, also of a refusal', async () => {
    const first = await scene.app.begin();
    expect((await allow(scene.visitor, first.url)).searchParams.get('iss')).toBe(scene.service.origin);
    const second = await scene.app.begin();
    expect((await cancel(scene.visitor, second.url)).searchParams.get('iss')).toBe(scene.service.origin);
    expect(new URL((await scene.open({ scope: 'everything' })).url).searchParams.get('iss')).toBe(
      scene.service.origin,
    );
  });

  it('is noticed by the app', async () => {
    const { url, checks } = await scene.app.begin();
    const answer = await allow(scene.visitor, url);
    answer.searchParams.set('iss', 'https://evil.example');
    await expect(openid.authorizationCodeGrant(scene.app.config, answer, checks)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('"iss"') },
    });
  });
});
