import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey } from '../../../src/contract/api-key.ts';
import type { Me } from '../../../src/contract/endpoints.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let now = new Date('2026-11-21T12:00:00Z');
let service: TestService;
beforeAll(async () => {
  service = await openTestService({ now: () => now });
});
afterAll(() => service[Symbol.asyncDispose]());

const malformed = `slk_${'0'.repeat(36)}`;

function resourceMetadata(): string {
  return `resource_metadata="${service.origin}/.well-known/oauth-protected-resource"`;
}

describe('authentication', () => {
  it.each([
    ['no Authorization header', {}],
    ['an empty Authorization header', { authorization: '' }],
    ['a scheme only', { authorization: 'Bearer' }],
    ['another scheme', { authorization: 'Basic b3duZXI6a2V5' }],
    ['a key without a scheme', { authorization: malformed }],
    ['two keys in one header', { authorization: `Bearer ${malformed} ${malformed}` }],
  ])('is required with %s', async (_, headers) => {
    const response = await sendRequest(`${service.origin}/api/v1/clients`, { headers });
    expect(response.status).toBe(401);
    expect(toJson(response)).toMatchObject({ code: 'authentication_required' });
    expect(response.headers['www-authenticate']).toBe(`Bearer ${resourceMetadata()}`);
  });

  it('rejects two Authorization headers, even if the first is valid', async () => {
    const good = `Bearer ${service.keys.owner}`;
    const response = await sendRequest(`${service.origin}/v1/me`, {
      headers: { Authorization: [good, good] },
    });
    expect(response.status).toBe(401);
    expect(toJson(response)).toMatchObject({ code: 'authentication_required' });
  });

  it('rejects an unknown key without counting a request', async () => {
    const response = await sendRequest(`${service.origin}/v1/me`, { key: malformed });
    expect(response.status).toBe(401);
    expect(toJson(response)).toMatchObject({ code: 'invalid_token' });
    expect(response.headers['www-authenticate']).toBe(`Bearer error="invalid_token", ${resourceMetadata()}`);
    expect(response.headers['x-ratelimit-limit']).toBeUndefined();
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('accepts the scheme %s', async (scheme) => {
    const headers = { authorization: `${scheme} ${service.keys.owner}` };
    const response = await sendRequest(`${service.origin}/v1/me`, { headers });
    expect(response.status).toBe(200);
  });

  it('rejects a key after another process has revoked it', async () => {
    const { id, key } = await service.addKey({});
    expect((await sendRequest(`${service.origin}/v1/me`, { key })).status).toBe(200);
    await service.revokeKey(id);
    const read = async () => toJson(await sendRequest(`${service.origin}/v1/me`, { key }))['detail'];
    await expect.poll(read).toMatch(/revoked/);
  });

  it('rejects an expired key', async () => {
    const expiresAt = new Date(now.getTime() + 1000);
    const { key } = await service.addKey({ expires_at: expiresAt.toISOString() });
    expect((await sendRequest(`${service.origin}/v1/me`, { key })).status).toBe(200);
    now = expiresAt;
    const response = await sendRequest(`${service.origin}/v1/me`, { key });
    expect(toJson(response)).toMatchObject({ status: 401, code: 'invalid_token' });
  });

  it('names the scope that a key lacks', async () => {
    const { key } = await service.addKey({ scopes: ['clients:read'] });
    const response = await sendRequest(`${service.origin}/v1/appointments`, { key });
    expect(toJson(response)).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      scope: 'appointments:read',
    });
    expect(response.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="appointments:read"',
    );
    expect((await sendRequest(`${service.origin}/v1/clients`, { key })).status).toBe(200);
  });

  it('names the required role', async () => {
    const response = await sendRequest(`${service.origin}/v1/clients`, {
      method: 'POST',
      key: service.keys.viewer,
      body: { first_name: 'Ana' },
    });
    expect(toJson(response)).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(toJson(response)['required_role']).toEqual(expect.any(String));
  });

  it('returns the account, role and scopes of a key', async () => {
    const response = await sendRequest(`${service.origin}/v1/me`, { key: service.keys.stylist });
    expect(toJson(response)).toMatchObject({
      account: { id: service.id, name: 'Test salon', plan: 'pro' },
      role: 'stylist',
      stylist_id: service.stylistIds[0],
      key: { name: 'stylist', expires_at: null },
    });
  });

  it.each([
    ['viewer', [], /:write$|^(?:webhooks|api_keys|audit):/],
    ['stylist', ['clients:write', 'payments:write'], /^(?:webhooks|api_keys|audit):|^stylists:write$/],
    ['manager', ['clients:write', 'api_keys:write', 'audit:read'], /^$/],
  ] as const)(
    'names the scopes that a %s may use, here and in the list of keys',
    async (role, used, unusable) => {
      const me = toJson(await sendRequest(`${service.origin}/v1/me`, { key: service.keys[role] })) as Me;
      expect(me.scopes).toEqual(expect.arrayContaining(['clients:read', ...used]));
      expect(me.scopes.filter((scope) => unusable.test(scope))).toEqual([]);
      const listed = toJson(await sendRequest(`${service.origin}/v1/api-keys`, { key: service.keys.owner }));
      const { data } = listed as { data: readonly ApiKey[] };
      expect(data.find(({ name }) => name === role)?.scopes).toEqual(me.scopes);
    },
  );
});
