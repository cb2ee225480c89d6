import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let day = 0;
let made: TestResponse;
let path = '';
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  day += 1;
  const client = toJson(await send('POST', '/v1/clients', { body: { first_name: 'Bo' } }));
  const start_time = new Date(Date.UTC(2031, 0, day, 9)).toISOString();
  const booking = { client_id: client['id'], stylist_id: service.stylistIds[0], service: 'Cut' };
  made = await send('POST', '/v1/appointments', { body: { ...booking, start_time, duration: 30 } });
  path = String(made.headers['location']);
});

function send(method: string, target: string, sent: { body?: unknown; headers?: object } = {}) {
  const { body, headers = {} } = sent;
  return sendRequest(service.origin + target, {
    method,
    key: service.keys.owner,
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

function tagOf(response: TestResponse): string {
  return `"${toJson(response)['updated_at']}"`;
}

describe('an appointment', () => {
  it('has its updated_at as ETag in every response', async () => {
    expect(made.headers['etag']).toBe(tagOf(made));
    const changes = [
      await send('GET', path),
      await send('PUT', path, { body: { notes: 'x' } }),
      await send('PATCH', path, { body: { notes: 'y' } }),
      await send('POST', `${path}/cancel`),
    ];
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(changes.map(({ headers }) => headers['etag'])).toEqual(changes.map(tagOf));
    expect(new Set(changes.map(tagOf)).size).toBe(4);
  });

  it('is not sent again if its ETag is current', async () => {
    const headers = { 'if-none-match': made.headers['etag'] };
    expect(await send('GET', path, { headers })).toMatchObject({ status: 304, text: '' });
  });

  it.each([
    ['PUT', '', { notes: 'x' }],
    ['PATCH', '', { notes: 'x' }],
    ['POST', '/cancel', undefined],
  ])('is changed by %s%s only if If-Match has its ETag', async (method, below, body) => {
    const stale = { 'if-match': '"2020-01-01T00:00:00.000Z"' };
    const refused = await send(method, path + below, { body, headers: stale });
    expect(toJson(refused)).toMatchObject({
      status: 412,
      code: 'precondition_failed',
      etag: made.headers['etag'],
    });
    expect((await send('GET', path)).text).toBe(made.text);
    const known = { 'if-match': made.headers['etag'] };
    expect((await send(method, path + below, { body, headers: known })).status).toBe(200);
  });

  it('can be sent back in full', async () => {
    const response = await send('PUT', path, { body: toJson(made) });
    expect([response.status, response.text]).toEqual([200, made.text]);
  });

  it.each([
    [{ id_: 1 }, '/id_', 'unknown_field'],
    [{ status: 'asleep' }, '/status', 'invalid_format'],
    [{ service: null }, '/service', 'invalid_format'],
    [{ duration: 0 }, '/duration', 'out_of_range'],
  ])('rejects the change %j', async (body, pointer, code) => {
    const response = await send('PUT', path, { body });
    expect(toJson(response)).toMatchObject({ status: 422, errors: [{ pointer, code }] });
  });
});

describe('a cancellation', () => {
  it.each([
    ['without a body', undefined, null],
    ['with an empty object', {}, null],
    ['with a reason', { cancellation_reason: 'ill' }, 'ill'],
    ['with a reason of null', { cancellation_reason: null }, null],
  ])('%s is accepted', async (_, body, cancellation_reason) => {
    const response = await send('POST', `${path}/cancel`, { body });
    expect(toJson(response)).toMatchObject({ status: 'cancelled', cancellation_reason });
    expect(response.headers['location']).toBeUndefined();
  });

  it.each([
    ['an unknown field', { reason: 'ill' }, 422],
    ['a list', [], 422],
    ['too long a reason', { cancellation_reason: 'x'.repeat(1001) }, 422],
  ])('with %s is rejected', async (_, body, status) => {
    expect((await send('POST', `${path}/cancel`, { body })).status).toBe(status);
    expect((await send('GET', path)).text).toBe(made.text);
  });

  it('of a final appointment reports the current and the allowed statuses', async () => {
    await send('PUT', path, { body: { status: 'completed', allow_early: true } });
    expect(toJson(await send('POST', `${path}/cancel`))).toMatchObject({
      status: 409,
      code: 'invalid_status_transition',
      current_status: 'completed',
      allowed_statuses: [],
    });
  });
});
