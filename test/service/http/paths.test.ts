import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

function send(method: string, path: string) {
  return sendRequest(`${service.origin}${path}`, { method, key: service.keys.owner });
}

describe('paths', () => {
  it.each(['/api/v1', '/v1'])('serves everything under %s', async (prefix) => {
    expect((await send('GET', `${prefix}/appointments`)).status).toBe(200);
    const made = await sendRequest(`${service.origin}${prefix}/clients`, {
      method: 'POST',
      key: service.keys.owner,
      body: { first_name: 'Ana' },
    });
    expect(made.headers['location']).toBe(`/api/v1/clients/${toJson(made)['id']}`);
    expect(toJson(await send('GET', `${prefix}/clients/${toJson(made)['id']}`))).toEqual(toJson(made));
    expect((await send('DELETE', `${prefix}/clients/${toJson(made)['id']}`)).status).toBe(204);
  });

  it.each([
    '/v1',
    '/v1/',
    '/api/v1',
    '/api',
    '/clients',
    '/v1/client',
    '/v1/Clients',
    '/v1/clients/',
    '/v1//clients',
    '/v1/clients/cli_1/notes',
    '/v1/clients/cli_1/',
    '/v1/clients;a=1',
    '/problems/nothing',
    '/problems/constructor',
    `/v1/${'x'.repeat(5000)}`,
  ])('returns 404 at %s', async (path) => {
    const response = await send('GET', path);
    expect(toJson(response)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it.each([
    '/v1/clients/..',
    '/v1/clients/%2e%2e',
    '/v1/clients/..%2fappointments',
    '/v1/clients/cli%00',
    '/v1/clients/cli_%F0%9F%92%87',
    `/v1/clients/${'x'.repeat(65)}`,
    `/v1/clients/${'x'.repeat(101)}`,
    '/v1/clients/cli_00000000000000000000000000',
    '/v1/appointments/cli_1',
  ])('finds no record at %s', async (path) => {
    const response = await send('GET', path);
    expect(toJson(response)).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('names the missing record', async () => {
    const response = await send('GET', '/v1/clients/cli_1');
    expect(toJson(response)).toMatchObject({ resource: 'client', id: 'cli_1' });
  });

  it.each(['/v1/%zz', '/v1/clients/%', '/v1/clients/%c3%28'])('rejects the invalid path %s', async (path) => {
    const response = await send('GET', path);
    expect(toJson(response)).toMatchObject({ status: 400, code: 'invalid_parameter' });
    expect(response.headers['x-request-id']).toBe(toJson(response)['request_id']);
  });

  it.each(['/api/v2/clients', '/v2/clients', '/api/v0', '/v11'])(
    'rejects the unknown version %s',
    async (path) => {
      const response = await send('GET', path);
      expect(toJson(response)).toMatchObject({ status: 400, code: 'unsupported_api_version' });
    },
  );

  it.each([
    ['PATCH', '/v1/clients', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/api/v1/appointments', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/v1/clients/cli_1', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'],
    ['DELETE', '/v1/appointments/apt_1', 'GET, HEAD, PUT, PATCH, OPTIONS'],
    ['GET', '/v1/appointments/apt_1/cancel', 'POST, OPTIONS'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/v1/me', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/v1/me', 'GET, HEAD, OPTIONS'],
  ])('rejects %s %s and lists the allowed methods', async (method, path, allow) => {
    const response = await send(method, path);
    expect(toJson(response)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(response.headers['allow']).toBe(allow);
  });

  it('responds to OPTIONS with the methods only', async () => {
    const response = await sendRequest(`${service.origin}/v1/clients/cli_1`, { method: 'OPTIONS' });
    expect(response).toMatchObject({ status: 204, text: '' });
    expect(response.headers['allow']).toBe('GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
  });

  it.each(['/v1/clients?per_page=2', '/v1/me', '/healthz'])(
    'responds to HEAD %s like GET, without the body',
    async (path) => {
      const [head, get] = [await send('HEAD', path), await send('GET', path)];
      expect(head.status).toBe(200);
      expect(head.text).toBe('');
      for (const name of ['content-type', 'content-length', 'link', 'salon-collection-version']) {
        expect(head.headers[name]).toBe(get.headers[name]);
      }
    },
  );
});

describe('the public routes', () => {
  it('link to the docs and the health check', async () => {
    const response = await sendRequest(`${service.origin}/`);
    expect(toJson(response)).toEqual({
      service: 'salon',
      docs: '/docs',
      openapi: '/openapi.json',
      health: '/healthz',
      readiness: '/readyz',
    });
  });
});
