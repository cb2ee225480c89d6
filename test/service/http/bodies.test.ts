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
    ['no member', {}, '', 'required'],
    ['an unknown member', { first_name: 'A', age: 3 }, '/age', 'unknown_field'],
    ['a member to be escaped', { first_name: 'A', 'a/b~c': 3 }, '/a~1b~0c', 'unknown_field'],
    ['__proto__', '{"first_name":"A","__proto__":{"x":1}}', '/__proto__', 'unknown_field'],
    ['constructor', '{"first_name":"A","constructor":{"prototype":1}}', '/constructor', 'unknown_field'],
    ['a name that is a number', { first_name: 1 }, '/first_name', 'invalid_format'],
    ['a name too long', { first_name: 'x'.repeat(101) }, '/first_name', 'out_of_range'],
    ['half a surrogate pair', '{"first_name":"\\ud800"}', '/first_name', 'invalid_format'],
    ['NUL', '{"first_name":"a\\u0000b"}', '/first_name', 'invalid_format'],
    ['an address without @', { email: 'ana' }, '/email', 'invalid_format'],
    ['an address with two', { email: 'a@b@c' }, '/email', 'invalid_format'],
    ['a phone with letters', { phone: '0800-SALON' }, '/phone', 'invalid_format'],
    ['a phone too short', { phone: '123456' }, '/phone', 'invalid_format'],
    ['a day that does not exist', { first_name: 'A', birthday: '2026-02-30' }, '/birthday', 'invalid_format'],
    ['a birthday to come', { first_name: 'A', birthday: '9999-01-01' }, '/birthday', 'out_of_range'],
    ['a tag that is none', { first_name: 'A', tags: ['new', 7] }, '/tags/1', 'invalid_format'],
    ['an empty tag', { first_name: 'A', tags: [''] }, '/tags/0', 'out_of_range'],
    ['too many tags', { first_name: 'A', tags: Array(21).fill('x') }, '/tags', 'out_of_range'],
    [
      'consent given as a text',
      { first_name: 'A', sms_marketing_consent: 'yes' },
      '/sms_marketing_consent',
      'invalid_format',
    ],
    [
      'a stylist nobody knows',
      { first_name: 'A', preferred_stylist_id: 'sty_1' },
      '/preferred_stylist_id',
      'not_found',
    ],
  ])('refuses a client with %s', async (_, body, pointer, code) => {
    const answer = await post('/clients', body, json);
    expect(answer.status).toBe(422);
    expect(toJson(answer)).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer, code, detail: expect.any(String) }],
    });
  });

  it.each([
    ['an empty object', {}, ['/client_id', '/stylist_id', '/service', '/start_time', '/duration']],
    ['a duration of text', booking({ duration: '45' }), ['/duration']],
    ['a duration of nothing', booking({ duration: 0 }), ['/duration']],
    ['a duration beyond a day', booking({ duration: 1441 }), ['/duration']],
    ['half a minute', booking({ duration: 0.5 }), ['/duration']],
    ['a start without a zone', booking({ start_time: '2026-11-21T09:00:00' }), ['/start_time']],
    ['a start on 30 February', booking({ start_time: '2026-02-30T09:00:00Z' }), ['/start_time']],
    ['a start with a zone by name', booking({ start_time: '2026-11-21T09:00:00Z[UTC]' }), ['/start_time']],
    ['a status nobody knows', booking({ status: 'asleep' }), ['/status']],
    [
      'several broken rules',
      booking({ duration: 0, status: 1, colour: 1 }),
      ['/duration', '/status', '/colour'],
    ],
  ])('refuses an appointment with %s, naming each place once', async (_, body, pointers) => {
    const answer = await post('/appointments', body);
    expect(answer.status).toBe(422);
    const errors = toJson(answer)['errors'] as { pointer: string }[];
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([...pointers].sort());
  });

  it('lists a hundred violations at most', async () => {
    const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`member${index}`, index]));
    const answer = await post('/clients', body);
    expect(toJson(answer)['errors']).toHaveLength(100);
  });

  it.each([
    ['cut short', '{"first_name":'],
    ['with a comma too many', '{"first_name":"A",}'],
    ['with single quotes', "{'first_name':'A'}"],
    ['of a hundred thousand opening brackets', '['.repeat(100_000)],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('calls a body %s malformed, and says where', async (_, body) => {
    const answer = await post('/clients', body, json);
    expect(toJson(answer)).toMatchObject({ status: 400, code: 'malformed_json' });
    expect(toJson(answer)['detail']).toMatch(/position|Unexpected|UTF-8/);
  });

  it('survives a value nested a hundred thousand deep', async () => {
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const answer = await post('/clients', `{"first_name":"A","deep":${nested}}`, json);
    expect(toJson(answer)).toMatchObject({ status: 422, errors: [{ pointer: '/deep' }] });
  });

  it.each([
    ['no type', {}],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['what is no type', { 'content-type': 'json' }],
    ['a compressed body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('takes JSON in UTF-8 only, not %s', async (_, headers) => {
    const answer = await post('/clients', '{"first_name":"A"}', headers);
    expect(toJson(answer)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
  ])('takes a body of the type %s', async (type) => {
    const answer = await post('/clients', '{"first_name":"A"}', { 'content-type': type });
    expect(answer.status).toBe(201);
  });

  it.each([json, { 'content-type': 'text/plain' }, {}])(
    'counts an empty body as none (%o)',
    async (headers) => {
      const answer = await post('/clients', '', headers);
      expect(toJson(answer)).toMatchObject({ status: 422, errors: [{ pointer: '', code: 'required' }] });
    },
  );

  it.each(['GET', 'DELETE'])('lets a %s without a body carry its type', async (method) => {
    const answer = await sendRequest(`${service.origin}/v1/clients/cli_1`, {
      method,
      key: service.keys.owner,
      headers: json,
    });
    expect(answer.status).toBe(404);
  });

  it('passes over the body of an operation that takes none', async () => {
    const answer = await sendRequest(`${service.origin}/v1/clients/cli_1`, {
      method: 'DELETE',
      key: service.keys.owner,
      headers: { 'content-type': 'text/plain' },
      body: 'force',
    });
    expect(answer.status).toBe(404);
  });

  it('refuses a body over 1 MiB by its announced length, before it is sent', async () => {
    const headers = { ...json, 'content-length': 1_048_577, expect: '100-continue' };
    const answer = await post('/clients', undefined, headers);
    expect(toJson(answer)).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(answer.headers['connection']).toBe('close');
  });

  it('refuses a body over 1 MiB that comes in chunks', async () => {
    const headers = { ...json, 'transfer-encoding': 'chunked' };
    const answer = await post('/clients', Buffer.alloc(1_048_577, 0x20), headers);
    expect(toJson(answer)).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  it('keeps the connection after a body that was read and refused', async () => {
    const answer = await post('/clients', '{', { ...json, connection: 'keep-alive' });
    expect(answer.headers['connection']).toBe('keep-alive');
  });
});

function booking(change: object): object {
  const right = { client_id: 'cli_1', stylist_id: 'sty_1', service: 'Cut', duration: 30 };
  return { ...right, start_time: '2026-11-21T09:00:00Z', ...change };
}
