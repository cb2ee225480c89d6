import { describe, expect, it } from 'vitest';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

describe('a proxy', () => {
  it('forwards requests to a host that only it knows', async () => {
    await using proxy = await openMisbehavingServer(() => json({ id: 'cli_1' }));
    await using client = openClient('http://salon.invalid', { proxy: { http: proxy.origin } });
    expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
    expect(proxy.received).toMatchObject([
      { headers: { host: 'salon.invalid' }, path: '/api/v1/clients/cli_1' },
    ]);
  });

  it.each([
    ['the host is in noProxy', (proxy: string) => ({ http: proxy, noProxy: '127.0.0.1' })],
    ['it is for the other scheme', (proxy: string) => ({ https: proxy })],
  ])('is not used if %s', async (_why, route) => {
    await using proxy = await openMisbehavingServer(() => json({}));
    await using server = await openMisbehavingServer(() => json({ id: 'cli_1' }));
    await using client = openClient(server.origin, { proxy: route(proxy.origin) });
    expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
    expect(proxy.received).toEqual([]);
  });

  it('that is down causes connection_failed', async () => {
    await using client = openClient('http://salon.invalid', {
      proxy: { http: 'http://127.0.0.1:1' },
      retries: 0,
    });
    expect((await refusal(client.me())).code).toBe('connection_failed');
  });
});
