import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const malformed = `slk_${'0'.repeat(36)}`;

describe('authentication', () => {
  it.each([
    ['no Authorization header', {}],
    ['an empty one', { authorization: '' }],
    ['a scheme and nothing else', { authorization: 'Bearer' }],
    ['another scheme', { authorization: 'Basic b3duZXI6a2V5' }],
    ['a key without a scheme', { authorization: malformed }],
    ['two keys in one', { authorization: `Bearer ${malformed} ${malformed}` }],
  ])('asks for a credential when it sees %s', async (_, headers) => {
    const answer = await sendRequest(`${service.origin}/api/v1/clients`, { headers });
    expect(answer.status).toBe(401);
    expect(toJson(answer)).toMatchObject({ code: 'authentication_required' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('refuses two Authorization headers, even where the first would do', async () => {
    const good = `Bearer ${service.keys.owner}`;
    const answer = await sendRequest(`${service.origin}/v1/me`, { headers: { Authorization: [good, good] } });
    expect(answer.status).toBe(401);
    expect(toJson(answer)).toMatchObject({ code: 'authentication_required' });
  });

  it('says that a key it does not know is not valid, and costs nobody a request', async () => {
    const answer = await sendRequest(`${service.origin}/v1/me`, { key: malformed });
    expect(answer.status).toBe(401);
    expect(toJson(answer)).toMatchObject({ code: 'invalid_token' });
    expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('takes the scheme written %s', async (scheme) => {
    const headers = { authorization: `${scheme} ${service.keys.owner}` };
    const answer = await sendRequest(`${service.origin}/v1/me`, { headers });
    expect(answer.status).toBe(200);
  });

  it('refuses a key from the request after its revocation on', async () => {
    const { id, key } = await service.addKey({});
    expect((await sendRequest(`${service.origin}/v1/me`, { key })).status).toBe(200);
    await service.revokeKey(id);
    const answer = await sendRequest(`${service.origin}/v1/me`, { key });
    expect(answer.status).toBe(401);
    expect(toJson(answer)['detail']).toMatch(/revoked/);
  });

  it('refuses a key that has expired', async () => {
    const { key } = await service.addKey({ expiresAt: new Date(0) });
    const answer = await sendRequest(`${service.origin}/v1/me`, { key });
    expect(toJson(answer)).toMatchObject({ status: 401, code: 'invalid_token' });
  });

  it('names the scope that a narrowed key lacks', async () => {
    const { key } = await service.addKey({ scopes: ['clients:read'] });
    const answer = await sendRequest(`${service.origin}/v1/appointments`, { key });
    expect(toJson(answer)).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      scope: 'appointments:read',
    });
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="appointments:read"',
    );
    expect((await sendRequest(`${service.origin}/v1/clients`, { key })).status).toBe(200);
  });

  it('names the role that may do what this one may not', async () => {
    const answer = await sendRequest(`${service.origin}/v1/clients`, {
      method: 'POST',
      key: service.keys.viewer,
      body: { first_name: 'Ana' },
    });
    expect(toJson(answer)).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(toJson(answer)['required_role']).toEqual(expect.any(String));
  });

  it('tells a key what it belongs to', async () => {
    const answer = await sendRequest(`${service.origin}/v1/me`, { key: service.keys.stylist });
    expect(toJson(answer)).toMatchObject({
      account: { id: service.id, name: 'Test salon', plan: 'pro' },
      role: 'stylist',
      stylist_id: service.stylistIds[0],
      key: { name: 'stylist', expires_at: null },
    });
  });
});
