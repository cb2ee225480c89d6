import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, type TestResponse } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

/** Requests are counted by the hour. */
const now = () => new Date('2026-11-21T09:30:00Z');

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ clients: 5, appointments: 20, now });
});
afterAll(() => service[Symbol.asyncDispose]());

const path = '/v1/appointments?status=confirmed,completed&per_page=3';

function get(tag?: string, key = service.keys.owner): Promise<TestResponse> {
  return sendRequest(`${service.origin}${path}`, {
    key,
    headers: tag === undefined ? {} : { 'if-none-match': tag },
  });
}

describe('an unchanged list', () => {
  it.each([
    ['alone', (tag: string) => tag],
    ['as a weak ETag', (tag: string) => `W/${tag}`],
    ['among others', (tag: string) => `"other", ${tag}`],
    ['as *', () => '*'],
  ])('is sent without a body if If-None-Match has its ETag %s', async (_, toHeader) => {
    const whole = await get();
    const response = await get(toHeader(whole.headers['etag'] ?? ''));
    expect(response).toMatchObject({ status: 304, text: '' });
    for (const name of ['etag', 'link', 'salon-collection-version', 'ratelimit-policy', 'api-version']) {
      expect(response.headers[name]).toBe(whole.headers[name]);
    }
    expect(Number(response.headers['x-ratelimit-remaining'])).toBeLessThan(
      Number(whole.headers['x-ratelimit-remaining']),
    );
  });

  it('is sent in full to a key with other rights', async () => {
    const { headers } = await get();
    expect((await get(headers['etag'], service.keys.stylist)).status).toBe(200);
  });

  it('is sent in full after a write', async () => {
    const { headers } = await get();
    const [stylistId] = service.stylistIds;
    const clients = await sendRequest(`${service.origin}/v1/clients`, { key: service.keys.owner });
    const made = await sendRequest(`${service.origin}/v1/appointments`, {
      key: service.keys.owner,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: JSON.parse(clients.text).data[0].id,
        stylist_id: stylistId,
        service: 'Cut',
        start_time: '2040-01-02T10:00:00Z',
        duration: 30,
      }),
    });
    expect(made.status).toBe(201);
    const response = await get(headers['etag']);
    expect(response.status).toBe(200);
    expect(response.headers['etag']).not.toBe(headers['etag']);
  });

  it('is refused to a key without the right', async () => {
    const { headers } = await get();
    expect((await get(headers['etag'], 'slk_wrong')).status).toBe(401);
  });
});
