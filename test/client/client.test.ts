import { describe, expect, it } from 'vitest';
import { collect } from '../support/collect.ts';
import {
  body,
  html,
  json,
  openMisbehavingServer,
  problem,
  type Received,
} from '../support/misbehaving-server.ts';
import { openClient, refusal } from '../support/open-client.ts';

const page = (rows: object[]) => ({ data: rows, pagination: { page: 1, per_page: 200, total: rows.length } });

/** A server with only the documented endpoints, below one prefix. */
function documentedOnly(prefix: string) {
  return ({ path, method }: Received) => {
    if (!path.startsWith(`${prefix}/`)) return html('Not here', { status: 404 });
    if (path === `${prefix}/clients`) return json(page([{ id: 'cli_1' }, { id: 'cli_2', shoe_size: 38 }]));
    if (path.startsWith(`${prefix}/clients/`) && method === 'GET') return body('', { status: 405 });
    return json({ message: 'No route' }, { status: 404 });
  };
}

describe('the path prefix', () => {
  it.each(['', '/', '/api/v1', '/api/v1/', '/v1', '/salon', '/salon/api/v1'])(
    'is detected for a base URL ending with “%s”',
    async (path) => {
      const root = path.startsWith('/salon') ? '/salon' : '';
      await using server = await openMisbehavingServer(documentedOnly(`${root}/v1`));
      await using client = openClient(server.origin + path);
      for (let calls = 0; calls < 2; calls += 1) await collect(client.clients.list());
      const paths = server.received.map((request) => request.path);
      expect(paths.slice(-2)).toEqual([`${root}/v1/clients`, `${root}/v1/clients`]);
      expect(paths.length).toBeLessThanOrEqual(3);
      expect(client.dialect().prefix).toBe('/v1');
    },
  );

  it('is reported once when it is detected', async () => {
    await using server = await openMisbehavingServer(documentedOnly('/v1'));
    await using client = openClient(server.origin);
    for (let calls = 0; calls < 2; calls += 1) await collect(client.clients.list());
    expect(client.events.filter(({ type }) => type === 'learned')).toEqual([
      { type: 'learned', part: 'prefix', value: '/v1' },
    ]);
  });

  it('is not changed by a 404 of the contract', async () => {
    await using server = await openMisbehavingServer(() => problem(404, 'not_found'));
    await using client = openClient(server.origin);
    expect((await refusal(client.clients.delete('cli_1'))).code).toBe('not_found');
    expect(server.received.map(({ path }) => path)).toEqual(['/api/v1/clients/cli_1']);
  });

  it('is the only one tried when it is configured', async () => {
    await using server = await openMisbehavingServer(() => html('Not here', { status: 404 }));
    await using client = openClient(server.origin, { dialect: { prefix: '/rest' } });
    expect((await refusal(client.clients.delete('cli_1'))).code).toBe('not_found');
    expect(server.received.map(({ path }) => path)).toEqual(['/rest/clients/cli_1']);
  });
});

describe('every request', () => {
  it('has the documented headers, and sends its key only to the server', async () => {
    await using server = await openMisbehavingServer(() => json(page([{ id: 'cli_1' }])));
    await using client = openClient(server.origin, { userAgent: 'check/1' });
    await collect(client.clients.list({}, { limit: 1 }));
    expect(server.received[0]?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: 'Bearer slk_test',
      'user-agent': 'check/1',
    });
    expect(client.events.map(({ type }) => type)).toEqual(['request', 'response']);
    expect(JSON.stringify(client.events)).not.toContain('slk_test');
  });

  it('has a user agent with the version by default', async () => {
    await using server = await openMisbehavingServer(() => json(page([])));
    await using client = openClient(server.origin);
    await collect(client.clients.list());
    expect(server.received[0]?.headers['user-agent']).toMatch(/^salon\/\d+\.\d+\.\d+/);
  });

  it('requires authentication when a 401 follows a request without a key', async () => {
    await using server = await openMisbehavingServer(() => body('', { status: 401 }));
    await using client = openClient(server.origin, { credential: undefined });
    expect((await refusal(client.me())).code).toBe('authentication_required');
  });
});

describe('an ID that could change the path', () => {
  it.each(['', '.', '..', 'a/b', 'a?b', 'cli_1\n', '%2e%2e', 'x'.repeat(201)])(
    'is rejected before anything is sent: %j',
    async (id) => {
      await using server = await openMisbehavingServer(() => json({}));
      await using client = openClient(server.origin);
      const calls = [
        client.clients.get(id),
        client.clients.update(id, {}),
        client.clients.delete(id),
        client.appointments.get(id),
      ];
      for (const call of calls) expect((await refusal(call)).code).toBe('usage');
      expect(server.received).toEqual([]);
    },
  );
});

describe('a missing endpoint', () => {
  it('is replaced by a search in the list, with a warning', async () => {
    await using server = await openMisbehavingServer(documentedOnly('/api/v1'));
    await using client = openClient(server.origin);
    expect(await client.clients.get('cli_2')).toEqual({ id: 'cli_2', shoe_size: 38 });
    expect(client.events).toContainEqual({
      type: 'warning',
      message: expect.stringContaining('GET /clients/:id'),
    });
    expect((await refusal(client.clients.get('cli_3'))).code).toBe('not_found');
  });

  it('is named in the error if nothing can replace it', async () => {
    await using server = await openMisbehavingServer(documentedOnly('/api/v1'));
    await using client = openClient(server.origin);
    expect(await refusal(client.me())).toMatchObject({
      code: 'not_supported',
      message: expect.stringContaining('GET /me'),
    });
  });
});

describe('a custom request', () => {
  it.each([
    ['clients', '/api/v1/clients'],
    ['/clients/cli_1', '/api/v1/clients/cli_1'],
    ['stylists', '/api/v1/stylists'],
    ['/api/v1/clients', '/api/v1/clients'],
    ['/healthz', '/healthz'],
  ])('for %s reaches %s', async (path, reached) => {
    await using server = await openMisbehavingServer(() => json({}));
    await using client = openClient(server.origin);
    await client.request('get', path);
    expect(server.received).toMatchObject([{ method: 'GET', path: reached }]);
  });

  it('combines the query of its path with its own', async () => {
    await using server = await openMisbehavingServer(() => json({}));
    await using client = openClient(server.origin);
    await client.request('GET', 'clients?a=1', { query: { b: 'x y&z', c: undefined } });
    expect([...(server.received[0]?.query ?? [])]).toEqual([
      ['a', '1'],
      ['b', 'x y&z'],
    ]);
  });

  it.each([
    '../admin',
    '/api/v1/clients/..',
    'clients/%2E%2e/x',
    'https://evil.example/',
    'a b',
    'a\r\nx: 1',
    '',
  ])('for %j is a usage error', async (path) => {
    await using client = openClient('https://x.example');
    expect((await refusal(client.request('GET', path))).code).toBe('usage');
  });
});

describe('a deprecated API version', () => {
  it('causes one warning', async () => {
    const headers = { deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' };
    await using server = await openMisbehavingServer(() => json({ id: 'cli_1' }, { headers }));
    await using client = openClient(server.origin);
    await client.clients.get('cli_1');
    await client.clients.get('cli_1');
    const warnings = client.events.filter(({ type }) => type === 'warning');
    expect(warnings).toEqual([
      {
        type: 'warning',
        message:
          'This version of the API is deprecated and will be shut down on Fri, 01 Jan 2027 00:00:00 GMT.',
      },
    ]);
  });
});
