import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventPatterns, eventTypes } from '../../../src/contract/events.ts';
import { sendRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const url = 'http://127.0.0.1:9/hook';

function send(method: string, path: string, sent: object = {}): Promise<TestResponse> {
  return sendRequest(`${service.origin}/api/v1${path}`, { method, key: service.keys.owner, ...sent });
}

describe('a webhook', () => {
  it('returns its secret only when created or rotated', async () => {
    const made = await send('POST', '/webhooks', { body: { url } });
    const { secret, ...webhook } = toJson(made);
    expect(made).toMatchObject({ status: 201, headers: { location: `/api/v1/webhooks/${webhook['id']}` } });
    const path = `/webhooks/${webhook['id']}`;
    const rotated = await send('POST', `${path}/rotate-secret`);
    expect(rotated.status).toBe(200);

    const tested = await send('POST', `${path}/test`);
    expect(tested.status).toBe(202);
    const responses = [
      tested,
      await send('GET', path),
      await send('GET', '/webhooks'),
      await send('PUT', path, { body: { description: 'till' } }),
      await send('GET', `${path}/deliveries`),
      await send('POST', `${path}/redeliver`, { body: { created_from: '2026-01-01' } }),
      await send('POST', `/deliveries/${toJson(tested)['id']}/redeliver`),
    ];
    const texts = [
      ...responses.map(({ text, headers }) => text + JSON.stringify(headers)),
      ...service.logged,
    ];
    for (const one of [secret, toJson(rotated)['secret']]) {
      expect(String(one)).toMatch(/^whsec_/);
      expect(texts.filter((text) => text.includes(String(one)))).toEqual([]);
    }
    expect(texts.filter((text) => text.includes('whsec_'))).toEqual([]);
  });

  it.each([
    ['ftp://shop.example/', '/url'],
    ['http://93.184.216.34/', '/url'],
    ['https://10.0.0.7/', '/url'],
    ['https://ada:secret@93.184.216.34/', '/url'],
    ['https://93.184.216.34/#here', '/url'],
    ['shop.example', '/url'],
    ['', '/url'],
  ])('rejects the URL "%s"', async (bad, pointer) => {
    const response = await send('POST', '/webhooks', { body: { url: bad } });
    expect(toJson(response)).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ pointer }] });
    expect(response.text).not.toContain('secret');
  });

  it.each([
    [{ url, events: ['booking.unknown'] }, '/events/0'],
    [{ url, events: [] }, '/events'],
    [{ url, secret: 'whsec_mine' }, '/secret'],
    [{ events: ['*'] }, '/url'],
  ])('rejects %o', async (body, pointer) => {
    const response = await send('POST', '/webhooks', { body });
    expect(toJson(response)).toMatchObject({ status: 422, errors: [{ pointer }] });
  });

  it('with a loopback address is rejected unless the service allows it', async () => {
    await using open = await openTestService({ config: { allowsLoopbackWebhooks: false } });
    const response = await sendRequest(`${open.origin}/api/v1/webhooks`, {
      ...{ method: 'POST', key: open.keys.owner },
      body: { url: 'https://127.0.0.1:9/hook' },
    });
    expect(toJson(response)).toMatchObject({ status: 422, errors: [{ pointer: '/url' }] });
  });
});

describe('the deliveries of a webhook', () => {
  it('link from page to page and have no version or ETag', async () => {
    const { id } = toJson(await send('POST', '/webhooks', { body: { url } }));
    for (let count = 0; count < 3; count++) await send('POST', `/webhooks/${id}/test`);
    const first = await send('GET', `/webhooks/${id}/deliveries?per_page=2`);
    expect(toJson(first)).toMatchObject({ pagination: { page: 1, per_page: 2, total: 3 } });
    expect(first.headers).not.toHaveProperty('etag');
    expect(first.headers).not.toHaveProperty('salon-collection-version');
    const next = /<\/api\/v1([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1];
    const second = toJson(await send('GET', String(next)));
    expect(second['data']).toHaveLength(1);
  });
});

it('event types are listed with the patterns that select them', async () => {
  const response = await send('GET', '/webhooks/event-types');
  expect(toJson(response)).toEqual({ data: [...eventTypes], patterns: [...eventPatterns] });
});
