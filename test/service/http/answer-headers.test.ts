import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, type TestRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

function send(path: string, sent: TestRequest = {}) {
  return sendRequest(service.origin + path, { key: service.keys.owner, ...sent });
}

describe('an answer', () => {
  it.each([
    ['a list', '/v1/clients', {}, 200],
    ['a record', '/v1/me', {}, 200],
    ['a new record', '/v1/clients', { method: 'POST', body: { first_name: 'Ana' } }, 201],
    ['a whole list', '/v1/clients', { headers: { accept: 'application/x-ndjson' } }, 200],
    ['a refusal', '/v1/clients', { key: 'slk_x' }, 401],
    ['an unknown path', '/v1/nothing', {}, 404],
    ['an invalid path', '/v1/%zz', {}, 400],
    ['the health', '/healthz', {}, 200],
    ['the description', '/openapi.json', {}, 200],
  ] as const)('with %s is for one caller, and no other type is guessed', async (_, path, sent, status) => {
    const answer = await send(path, sent);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    });
  });

  it('to what is no request says the same', async () => {
    const { port } = new URL(service.origin);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('nonsense\r\n\r\n');
    expect(await text(socket)).toMatch(/cache-control: private, no-cache\r\nx-content-type-options: nosniff/);
  });

  it('that shows a secret is not stored', async () => {
    const made = await send('/v1/api-keys', { method: 'POST', body: { name: 'Till', role: 'viewer' } });
    const hook = await send('/v1/webhooks', {
      ...{ method: 'POST', body: { url: 'http://127.0.0.1:9/', events: ['*'] } },
    });
    const app = await send('/v1/oauth-clients', {
      method: 'POST',
      body: { name: 'App', flows: ['client_credentials'], scopes: ['clients:read'], role: 'viewer' },
    });
    const ids = [made, hook, app].map((answer) => toJson(answer)['id']);
    const answers = [
      ...[made, hook, app],
      await send(`/v1/api-keys/${ids[0]}/roll`, { method: 'POST' }),
      await send(`/v1/webhooks/${ids[1]}/rotate-secret`, { method: 'POST' }),
      await send(`/v1/oauth-clients/${ids[2]}/rotate-secret`, { method: 'POST' }),
    ];
    for (const { headers, text: body } of answers) {
      expect(body).toMatch(/"(key|secret)":"/);
      expect(headers['cache-control']).toBe('no-store');
    }
  });
});
