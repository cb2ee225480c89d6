import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OauthScene, openOauthScene } from '../../support/oauth-scene.ts';
import { allow } from '../../support/signed-in-visitor.ts';

/** oauth4webapi checks each answer by the letter of its RFC. */
const insecure = { [oauth.allowInsecureRequests]: true };

let scene: OauthScene;
let server: oauth.AuthorizationServer;
beforeAll(async () => {
  scene = await openOauthScene();
  const issuer = new URL(scene.service.origin);
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  server = await oauth.processDiscoveryResponse(issuer, found);
});
afterAll(() => scene[Symbol.asyncDispose]());

const commandLine: oauth.Client = { client_id: 'salon-cli' };
const redirect = 'http://127.0.0.1:4321/callback';

async function signIn() {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    ...{ client_id: commandLine.client_id, redirect_uri: redirect, response_type: 'code', state },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: 'clients:read',
  }).toString();
  const answer = oauth.validateAuthResponse(server, commandLine, await allow(scene.visitor, url), state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    commandLine,
    oauth.None(),
    answer,
    redirect,
    verifier,
    insecure,
  );
  return oauth.processAuthorizationCodeResponse(server, commandLine, response);
}

describe('by the rules of oauth4webapi', () => {
  it('metadata names what the contract has, and nothing else (RFC 8414)', () => {
    expect(server).toMatchObject({
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      authorization_response_iss_parameter_supported: true,
    });
    expect(Object.keys(server)).not.toContain('registration_endpoint');
    expect(Object.keys(server)).not.toContain('jwks_uri');
  });

  it('codes are exchanged, and tokens refreshed and used (RFC 6749, 6750, 7636, 9207)', async () => {
    const tokens = await signIn();
    const response = await oauth.refreshTokenGrantRequest(
      server,
      commandLine,
      oauth.None(),
      tokens.refresh_token ?? '',
      insecure,
    );
    const next = await oauth.processRefreshTokenResponse(server, commandLine, response);
    expect(next).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'clients:read' });
    const url = new URL(`${scene.service.origin}/v1/clients`);
    const used = await oauth.protectedResourceRequest(
      next.access_token,
      'GET',
      url,
      undefined,
      null,
      insecure,
    );
    expect(used.status).toBe(200);
  });

  it('a refused token is explained in WWW-Authenticate (RFC 6750)', async () => {
    const url = new URL(`${scene.service.origin}/v1/clients`);
    const sent = oauth.protectedResourceRequest(
      `slt_${'x'.repeat(43)}`,
      'GET',
      url,
      undefined,
      null,
      insecure,
    );
    await expect(sent).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });

  it('devices are authorized (RFC 8628)', async () => {
    const sent = await oauth.deviceAuthorizationRequest(server, commandLine, oauth.None(), {}, insecure);
    const device = await oauth.processDeviceAuthorizationResponse(server, commandLine, sent);
    const form = await scene.visitor.open('/oauth/device');
    const page = await scene.visitor.submit(form, { user_code: device.user_code });
    await scene.visitor.press(page, 'Allow', { decision: 'allow' });
    const response = await oauth.deviceCodeGrantRequest(
      server,
      commandLine,
      oauth.None(),
      device.device_code,
      insecure,
    );
    const tokens = await oauth.processDeviceCodeResponse(server, commandLine, response);
    expect(tokens.refresh_token).toMatch(/^slr_/);
  });

  it.each(['', '/api/v1', '/v1'])('programs find the server for the API at "%s" (RFC 9728)', async (path) => {
    const { origin } = scene.service;
    const refused = await fetch(`${origin}/api/v1/clients`);
    const [, found = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    expect(found).toBe(`${origin}/.well-known/oauth-protected-resource`);
    const resource = new URL(`${origin}${path}`);
    const response = await oauth.resourceDiscoveryRequest(resource, insecure);
    expect(response.url).toBe(`${found}${path}`);
    const metadata = await oauth.processResourceDiscoveryResponse(resource, response);
    expect(metadata).toMatchObject({ authorization_servers: [origin], bearer_methods_supported: ['header'] });
    const issuer = new URL(metadata.authorization_servers?.[0] ?? '');
    const discovered = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    expect(await oauth.processDiscoveryResponse(issuer, discovered)).toMatchObject({ issuer: origin });
  });

  it('apps use client credentials, introspect and revoke tokens (RFC 6749, 7009, 7662)', async () => {
    const { id, secret } = await scene.addClient({
      ...{ name: 'Books', flows: ['client_credentials'], scopes: ['payments:read'], role: 'viewer' },
    });
    const client: oauth.Client = { client_id: id };
    for (const authentication of [oauth.ClientSecretBasic(secret), oauth.ClientSecretPost(secret)]) {
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client,
        authentication,
        {},
        insecure,
      );
      const { access_token } = await oauth.processClientCredentialsResponse(server, client, response);
      const introspect = async () =>
        oauth.processIntrospectionResponse(
          server,
          client,
          await oauth.introspectionRequest(server, client, authentication, access_token, insecure),
        );
      expect(await introspect()).toMatchObject({
        active: true,
        client_id: id,
        scope: 'payments:read',
        iss: scene.service.origin,
        aud: scene.service.origin,
      });
      const revoked = await oauth.revocationRequest(server, client, authentication, access_token, insecure);
      // simple-oauth2 and other libraries read JSON from every answer.
      expect(revoked.headers.get('content-type')).toMatch(/^application\/json/);
      expect(revoked.headers.get('cache-control')).toBe('no-store');
      expect(await revoked.clone().json()).toEqual({});
      await oauth.processRevocationResponse(revoked);
      expect(await introspect()).toEqual({ active: false });
    }
  });
});
