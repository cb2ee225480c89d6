import { describe, expect, it } from 'vitest';
import {
  hang,
  html,
  json,
  openMisbehavingServer,
  type Reply,
  reset,
} from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

const created = json({ id: 'cli_1', first_name: 'Ana' }, { status: 201 });

/** A server that says with `/me` whether it honours keys, and responds to the first POST in another way. */
function openKeyServer(first: Reply, honoursKeys: boolean) {
  let posts = 0;
  return openMisbehavingServer(({ method, path }) => {
    if (method === 'POST') return posts++ === 0 ? first : created;
    const headers: Record<string, string> = honoursKeys ? { 'salon-idempotency-keys': '86400' } : {};
    return path.endsWith('/me') ? json({}, { headers }) : json({ message: 'No.' }, { status: 404 });
  });
}

describe('a POST whose result is unknown', () => {
  it.each([
    ['a reset', reset],
    ['a 500', html('Oh no', { status: 500 })],
  ])('is repeated with its key once the server says that it honours keys, after %s', async (_what, first) => {
    await using server = await openKeyServer(first, true);
    await using client = openClient(server.origin);
    expect(await client.clients.create({ first_name: 'Ana' })).toMatchObject({
      outcome: 'done',
      id: 'cli_1',
    });
    expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/v1/clients',
      'GET /api/v1/me',
      'POST /api/v1/clients',
    ]);
    const keys = server.received.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
    expect(new Set(keys).size).toBe(1);
    expect(client.dialect().idempotencyKeys).toBe(true);
  });

  it('stays unknown if the server does not say so, which is asked once', async () => {
    await using server = await openKeyServer(reset, false);
    await using client = openClient(server.origin);
    const create = () => client.request('POST', 'clients', { body: {} });
    expect((await refusal(create())).code).toBe('result_unknown');
    await create();
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
  });

  it('stays unknown after a timeout, without a further request', async () => {
    await using server = await openKeyServer(hang, true);
    await using client = openClient(server.origin, { timeoutMs: 200, retries: 0 });
    expect((await refusal(client.request('POST', 'clients', { body: {} }))).code).toBe('result_unknown');
    // On a busy machine the time may be over before the request arrives.
    expect(server.received.length).toBeLessThanOrEqual(1);
  });
});
