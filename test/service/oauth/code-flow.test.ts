import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopes } from '../../../src/contract/roles.ts';
import { allow, cancel, signInVisitor } from '../../support/oauth-browser.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import type { Visitor } from '../../support/visitor.ts';

let service: TestService;
let visitor: Visitor;
let config: openid.Configuration;
beforeAll(async () => {
  service = await openTestService();
  await service.addPerson();
  visitor = await signInVisitor(service.origin);
  config = await discover('salon-cli');
});
afterAll(() => service[Symbol.asyncDispose]());

function discover(clientId: string, secret?: string): Promise<openid.Configuration> {
  const authentication = secret === undefined ? openid.None() : openid.ClientSecretBasic(secret);
  return openid.discovery(new URL(service.origin), clientId, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  });
}

const redirect = 'http://127.0.0.1:51234/callback';

async function authorize(parameters: Record<string, string> = {}) {
  const verifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...parameters,
  });
  return { url, checks: { pkceCodeVerifier: verifier, expectedState: state } };
}

async function signIn(parameters: Record<string, string> = {}) {
  const { url, checks } = await authorize(parameters);
  return openid.authorizationCodeGrant(config, await allow(visitor, url), checks);
}

async function readMe(token: string) {
  return toJson(await sendRequest(`${service.origin}/v1/me`, { key: token }));
}

describe('the authorization code flow with openid-client', () => {
  it('gives an app the rights that a person has allowed', async () => {
    const tokens = await signIn({ scope: 'clients:read payments:read' });
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'clients:read payments:read',
    });
    expect(await readMe(tokens.access_token)).toMatchObject({
      role: 'owner',
      scopes: ['clients:read', 'payments:read'],
      key: null,
      user: { name: 'Ana Costa', email: 'ana@salon.example' },
      app: { id: 'salon-cli' },
    });
    const clients = `${service.origin}/v1/clients`;
    const sent = { key: tokens.access_token, method: 'POST', body: { first_name: 'Bo' } };
    expect((await sendRequest(clients, { key: tokens.access_token })).status).toBe(200);
    expect(toJson(await sendRequest(clients, sent))).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      scope: 'clients:write',
    });
  });

  it('gives all that the app may ask for when it names no scope', async () => {
    const tokens = await signIn();
    expect(tokens.scope).toBe(scopes.join(' '));
  });

  it('tells the app when the person refuses', async () => {
    const { url, checks } = await authorize();
    const answer = await cancel(visitor, url);
    await expect(openid.authorizationCodeGrant(config, answer, checks)).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  it('refreshes with a new refresh token each time', async () => {
    const tokens = await signIn({ scope: 'clients:read' });
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(await readMe(next.access_token)).toMatchObject({ scopes: ['clients:read'] });
  });

  it('ends all access when the app revokes a token', async () => {
    const tokens = await signIn();
    await openid.tokenRevocation(config, tokens.refresh_token ?? '');
    expect(await readMe(tokens.access_token)).toMatchObject({ status: 401, code: 'invalid_token' });
    await expect(openid.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});
