import { describe, expect, it } from 'vitest';
import { sendRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { openTestService } from '../../support/service.ts';

const start = Date.parse('2026-11-21T09:30:00Z');
const hourEnds = Date.parse('2026-11-21T10:00:00Z') / 1000;

function toRate({ headers }: TestResponse): (string | undefined)[] {
  return [
    'ratelimit-policy',
    'ratelimit',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ].map((name) => headers[name]);
}

describe('the hourly limit', () => {
  it('is in the headers of every authenticated response, errors included', async () => {
    await using service = await openTestService({ now: () => new Date(start), hourlyLimit: 5 });
    const key = service.keys.owner;
    const paths = ['/v1/me', '/v1/clients?page=0', '/v1/clients/cli_1'];
    const responses: TestResponse[] = [];
    for (const path of paths) {
      responses.push(await sendRequest(`${service.origin}${path}`, { key }));
    }
    expect(responses.map(({ status }) => status)).toEqual([200, 400, 404]);
    expect(responses.map(toRate)).toEqual(
      [4, 3, 2].map((left) => [
        '"hourly";q=5;w=3600',
        `"hourly";r=${left};t=1800`,
        '5',
        String(left),
        String(hourEnds),
      ]),
    );
  });

  it('allows exactly that many requests per hour for all keys of the account', async () => {
    let now = start;
    await using service = await openTestService({ now: () => new Date(now), hourlyLimit: 20 });
    const { owner, viewer } = service.keys;
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const key = index % 2 === 0 ? owner : viewer;
        return (await sendRequest(`${service.origin}/v1/me`, { key })).status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);

    const refused = await sendRequest(`${service.origin}/v1/clients`, { key: owner });
    expect(toJson(refused)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.headers['retry-after']).toBe('1800');
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');

    now = hourEnds * 1000;
    expect((await sendRequest(`${service.origin}/v1/me`, { key: owner })).status).toBe(200);
  });

  it('does not count public routes', async () => {
    await using service = await openTestService({ now: () => new Date(start), hourlyLimit: 1 });
    const key = service.keys.owner;
    for (const path of ['/healthz', '/openapi.json', '/', '/v1/nothing', '/v1/me']) {
      const response = await sendRequest(`${service.origin}${path}`, { key });
      expect(response.headers['x-ratelimit-limit']).toBe(path === '/v1/me' ? '1' : undefined);
    }
    expect((await sendRequest(`${service.origin}/v1/me`, { key })).status).toBe(429);
  });
});
