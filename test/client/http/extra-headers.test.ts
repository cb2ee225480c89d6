import { describe, expect, it } from 'vitest';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient } from '../../support/open-client.ts';

describe('additional headers', () => {
  it('are sent with every request, and masked in its events', async () => {
    await using server = await openMisbehavingServer(() => json({ id: 'cli_1' }));
    await using client = openClient(server.origin, {
      headers: { 'X-Gateway': 'abc', 'X-Tenant': 'salon-17-secret' },
    });
    await client.clients.get('cli_1');
    expect(server.received[0]?.headers).toMatchObject({ 'x-gateway': 'abc', 'x-tenant': 'salon-17-secret' });
    const shown = client.events.flatMap((event) => (event.type === 'request' ? [event.headers()] : []));
    expect(shown).toMatchObject([{ 'x-gateway': '…', 'x-tenant': '…' }]);
  });

  it.each(['Host', 'Content-Length', 'Idempotency-Key', 'Proxy-Authorization', 'bad name'])(
    'cannot set %s',
    (name) => {
      expect(() => openClient('http://127.0.0.1:1', { headers: { [name]: 's3cret' } })).toThrow(
        expect.objectContaining({ code: 'usage', message: expect.not.stringContaining('s3cret') }),
      );
    },
  );
});
