import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ clients: 23, appointments: 60 });
});
afterAll(() => service[Symbol.asyncDispose]());

function get(path: string): Promise<TestResponse> {
  return sendRequest(`${service.origin}${path}`, { key: service.keys.owner });
}

function toLinks(response: TestResponse): Record<string, string> {
  const links = [...(response.headers['link'] ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, path = '', rel]) => [rel, path]));
}

function toIds(response: TestResponse): string[] {
  return (toJson(response)['data'] as { id: string }[]).map(({ id }) => id);
}

describe('lists', () => {
  it('have data and pagination only', async () => {
    const response = await get('/v1/clients?page=2&per_page=10');
    expect(Object.keys(toJson(response))).toEqual(['data', 'pagination']);
    expect(toJson(response)['pagination']).toEqual({ page: 2, per_page: 10, total: 23 });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Buffer.byteLength(response.text)).toBe(Number(response.headers['content-length']));
  });

  it.each([
    [1, ['first', 'last', 'next']],
    [2, ['first', 'last', 'next', 'prev']],
    [3, ['first', 'last', 'prev']],
    [9, ['first', 'last', 'prev']],
  ])('link page %i of 3 to %j', async (page, rels) => {
    const links = toLinks(await get(`/v1/clients?page=${page}&per_page=10`));
    expect(Object.keys(links).sort()).toEqual(rels);
    expect(links['first']).toBe('/api/v1/clients?page=1&per_page=10');
    expect(links['last']).toBe('/api/v1/clients?page=3&per_page=10');
    if (page > 1) {
      expect(links['prev']).toBe(`/api/v1/clients?page=${Math.min(page - 1, 3)}&per_page=10`);
    }
  });

  it.each([
    ['/v1/clients?per_page=4', 23],
    ['/v1/clients?per_page=5&sort=-last_name', 23],
    ['/api/v1/appointments?per_page=7&sort=start_time', 60],
    ['/v1/appointments?per_page=9&status=completed,confirmed,pending,cancelled,no_show', 60],
  ])('return every record once by following next from %s', async (path, total) => {
    const ids: string[] = [];
    let page = 0;
    for (let next: string | undefined = path; next !== undefined; ) {
      const response: TestResponse = await get(next);
      page += 1;
      expect(toJson(response)['pagination']).toMatchObject({ page, total });
      ids.push(...toIds(response));
      next = toLinks(response)['next'];
    }
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
  });

  it('keep filters and order in their links', async () => {
    const response = await get('/v1/clients?per_page=1&q=a%26b%20%22%3E&sort=-created_at');
    expect(toLinks(response)['first']).toBe(
      '/api/v1/clients?q=a%26b%20%22%3E&sort=-created_at&page=1&per_page=1',
    );
  });

  it('prefer the cursor to the page', async () => {
    const next = toLinks(await get('/v1/clients?per_page=10'))['next'] ?? '';
    const [moved, right] = [await get(next.replace('page=2', 'page=77')), await get(next)];
    expect(toIds(moved)).toEqual(toIds(right));
    expect(toJson(moved)['pagination']).toMatchObject({ page: 77 });
  });

  it('have a version that every write increases', async () => {
    const before = Number((await get('/v1/clients')).headers['salon-collection-version']);
    await sendRequest(`${service.origin}/v1/clients`, {
      method: 'POST',
      key: service.keys.owner,
      body: { last_name: 'Núñez' },
    });
    const after = Number((await get('/v1/clients?page=3')).headers['salon-collection-version']);
    expect(after).toBeGreaterThan(before);
  });

  it('have one page if empty', async () => {
    const response = await get('/v1/clients?q=nobody-is-called-this');
    expect(toJson(response)).toEqual({ data: [], pagination: { page: 1, per_page: 50, total: 0 } });
    expect(Object.keys(toLinks(response))).toEqual(['first', 'last']);
  });
});
