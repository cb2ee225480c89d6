import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const json = { 'content-type': 'application/json' };

function post(path: string, body: unknown, headers = {}) {
  return sendRequest(`${service.origin}/api/v1${path}`, {
    method: 'POST',
    key: service.keys.owner,
    body,
    headers,
  });
}

describe('bodies', () => {
  it.each([
    ['a list', [], '', 'invalid_format'],
    ['null', 'null', '', 'required'],
    ['a text', '"Ana"', '', 'invalid_format'],
    ['no fields', {}, '', 'required'],
    ['an unknown field', { first_name: 'A', age: 3 }, '/age', 'unknown_field'],
    ['a field name to escape', { first_name: 'A', 'a/b~c': 3 }, '/a~1b~0c', 'unknown_field'],
    ['__proto__', '{"first_name":"A","__proto__":{"x":1}}', '/__proto__', 'unknown_field'],
    ['constructor', '{"first_name":"A","constructor":{"prototype":1}}', '/constructor', 'unknown_field'],
    ['a number as name', { first_name: 1 }, '/first_name', 'invalid_format'],
    ['too long a name', { first_name: 'x'.repeat(101) }, '/first_name', 'out_of_range'],
    ['half a surrogate pair', '{"first_name":"\\ud800"}', '/first_name', 'invalid_format'],
    ['NUL', '{"first_name":"a\\u0000b"}', '/first_name', 'invalid_format'],
    ['an address without @', { email: 'ana' }, '/email', 'invalid_format'],
    ['an address with two @', { email: 'a@b@c' }, '/email', 'invalid_format'],
    ['a phone number with letters', { phone: '0800-SALON' }, '/phone', 'invalid_format'],
    ['too short a phone number', { phone: '123456' }, '/phone', 'invalid_format'],
    ['a nonexistent birthday', { first_name: 'A', birthday: '2026-02-30' }, '/birthday', 'invalid_format'],
    ['a future birthday', { first_name: 'A', birthday: '9999-01-01' }, '/birthday', 'out_of_range'],
    ['a number as tag', { first_name: 'A', tags: ['new', 7] }, '/tags/1', 'invalid_format'],
    ['an empty tag', { first_name: 'A', tags: [''] }, '/tags/0', 'out_of_range'],
    ['too many tags', { first_name: 'A', tags: Array(21).fill('x') }, '/tags', 'out_of_range'],
    [
      'a text as consent',
      { first_name: 'A', sms_marketing_consent: 'yes' },
      '/sms_marketing_consent',
      'invalid_format',
    ],
    [
      'an unknown stylist',
      { first_name: 'A', preferred_stylist_id: 'sty_1' },
      '/preferred_stylist_id',
      'not_found',
    ],
  ])('rejects a client with %s', async (_, body, pointer, code) => {
    const response = await post('/clients', body, json);
    expect(response.status).toBe(422);
    expect(toJson(response)).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer, code, detail: expect.any(String) }],
    });
  });

  it.each(['/payments/pay_1/void', '/webhooks/whk_1/test', '/deliveries/dlv_1/redeliver'])(
    'rejects fields where none are known: %s',
    async (path) => {
      const target = `${service.origin}/api/v1${path}`;
      const send = (body?: object) =>
        sendRequest(target, { method: 'POST', key: service.keys.owner, body, headers: json });
      const response = await send({ amount: 1 });
      expect(toJson(response)).toMatchObject({
        status: 422,
        errors: [{ pointer: '/amount', code: 'unknown_field' }],
      });
      expect((await send({})).status).toBe(404);
      expect((await send()).status).toBe(404);
    },
  );

  it.each([
    ['an empty object', {}, ['/client_id', '/stylist_id', '/service', '/start_time', '/duration']],
    ['a text as duration', booking({ duration: '45' }), ['/duration']],
    ['a duration of 0', booking({ duration: 0 }), ['/duration']],
    ['a duration over a day', booking({ duration: 1441 }), ['/duration']],
    ['half a minute', booking({ duration: 0.5 }), ['/duration']],
    ['a start without a zone', booking({ start_time: '2026-11-21T09:00:00' }), ['/start_time']],
    ['a start on 30 February', booking({ start_time: '2026-02-30T09:00:00Z' }), ['/start_time']],
    ['a start with a named zone', booking({ start_time: '2026-11-21T09:00:00Z[UTC]' }), ['/start_time']],
    ['an unknown status', booking({ status: 'asleep' }), ['/status']],
    ['several errors', booking({ duration: 0, status: 1, colour: 1 }), ['/duration', '/status', '/colour']],
  ])('rejects an appointment with %s, reporting each field once', async (_, body, pointers) => {
    const response = await post('/appointments', body);
    expect(response.status).toBe(422);
    const errors = toJson(response)['errors'] as { pointer: string }[];
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([...pointers].sort());
  });

  it('lists at most a hundred violations', async () => {
    const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`member${index}`, index]));
    const response = await post('/clients', body);
    expect(toJson(response)['errors']).toHaveLength(100);
  });

  it.each([
    ['that is incomplete', '{"first_name":'],
    ['with an extra comma', '{"first_name":"A",}'],
    ['with single quotes', "{'first_name':'A'}"],
    ['of a hundred thousand opening brackets', '['.repeat(100_000)],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('rejects a body %s with the position', async (_, body) => {
    const response = await post('/clients', body, json);
    expect(toJson(response)).toMatchObject({ status: 400, code: 'malformed_json' });
    expect(toJson(response)['detail']).toMatch(/position|Unexpected|UTF-8/);
  });

  it('survives a hundred thousand levels of nesting', async () => {
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const response = await post('/clients', `{"first_name":"A","deep":${nested}}`, json);
    expect(toJson(response)).toMatchObject({ status: 422, errors: [{ pointer: '/deep' }] });
  });

  it.each([
    ['no type', {}],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['an invalid type', { 'content-type': 'json' }],
    ['a compressed body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('rejects %s, because only JSON in UTF-8 is accepted', async (_, headers) => {
    const response = await post('/clients', '{"first_name":"A"}', headers);
    expect(toJson(response)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
  ])('accepts the type %s', async (type) => {
    const response = await post('/clients', '{"first_name":"A"}', { 'content-type': type });
    expect(response.status).toBe(201);
  });

  it.each([json, { 'content-type': 'text/plain' }, {}])(
    'treats an empty body as missing (%o)',
    async (headers) => {
      const response = await post('/clients', '', headers);
      expect(toJson(response)).toMatchObject({ status: 422, errors: [{ pointer: '', code: 'required' }] });
    },
  );

  it.each(['GET', 'DELETE'])('allows Content-Type on a %s without a body', async (method) => {
    const response = await sendRequest(`${service.origin}/v1/clients/cli_1`, {
      method,
      key: service.keys.owner,
      headers: json,
    });
    expect(response.status).toBe(404);
  });

  it('ignores the body of a DELETE', async () => {
    const response = await sendRequest(`${service.origin}/v1/clients/cli_1`, {
      method: 'DELETE',
      key: service.keys.owner,
      headers: { 'content-type': 'text/plain' },
      body: 'force',
    });
    expect(response.status).toBe(404);
  });

  it('rejects a body over 1 MiB by its Content-Length, before it is sent', async () => {
    const headers = { ...json, 'content-length': 1_048_577, expect: '100-continue' };
    const response = await post('/clients', undefined, headers);
    expect(toJson(response)).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(response.headers['connection']).toBe('close');
  });

  it('rejects a chunked body over 1 MiB', async () => {
    const headers = { ...json, 'transfer-encoding': 'chunked' };
    const response = await post('/clients', Buffer.alloc(1_048_577, 0x20), headers);
    expect(toJson(response)).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it('keeps the connection open after rejecting a complete body', async () => {
    const response = await post('/clients', '{', { ...json, connection: 'keep-alive' });
    expect(response.headers['connection']).toBe('keep-alive');
  });
});

function booking(change: object): object {
  const right = { client_id: 'cli_1', stylist_id: 'sty_1', service: 'Cut', duration: 30 };
  return { ...right, start_time: '2026-11-21T09:00:00Z', ...change };
}
