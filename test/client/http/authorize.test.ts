import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import type { ClientEvent } from '../../../src/client/events.ts';
import type { RenewableCredential } from '../../../src/client/http/credential.ts';
import { json, openMisbehavingServer, problem, type Received } from '../../support/misbehaving-server.ts';

const page = json({ data: [], pagination: { page: 1, per_page: 50, total: 0 } });
const refused = (token: string) =>
  json({ error: { code: 'x', message: `Bad token ${token}` } }, { status: 401 });
const tokenOf = ({ headers }: Received) => headers.authorization?.replace('Bearer ', '') ?? 'none';

/** Hands out token-1, token-2 and so on. */
function createTokens(origin: string): RenewableCredential & { renewals: string[] } {
  let current = 'token-number-1';
  const renewals: string[] = [];
  return {
    kind: 'renewable',
    origin,
    renewals,
    read: async () => current,
    async renew(old) {
      renewals.push(old);
      current = `token-number-${renewals.length + 1}`;
      return current;
    },
  };
}

describe('an access token that is renewed', () => {
  it('is read for each request', async () => {
    await using server = await openMisbehavingServer(() => page);
    let count = 0;
    const credential = { ...createTokens(server.origin), read: async () => `token-number-${++count}` };
    await using client = createClient({ baseUrl: server.origin, credential });
    await client.request('GET', 'clients');
    await client.request('GET', 'clients');
    expect(server.received.map(tokenOf)).toEqual(['token-number-1', 'token-number-2']);
  });

  it('is renewed after 401, and the request is repeated once, a write with the same key', async () => {
    await using server = await openMisbehavingServer((request, index) =>
      index === 0 ? refused(tokenOf(request)) : json({ id: 'c1', first_name: 'Zoe' }, { status: 201 }),
    );
    const credential = createTokens(server.origin);
    await using client = createClient({ baseUrl: server.origin, credential });
    await client.clients.create({ first_name: 'Zoe' });
    expect(credential.renewals).toEqual(['token-number-1']);
    expect(server.received.map(tokenOf)).toEqual(['token-number-1', 'token-number-2']);
    expect(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('leads to the error of the server when the new one is refused, too', async () => {
    await using server = await openMisbehavingServer((request) => refused(tokenOf(request)));
    const credential = createTokens(server.origin);
    await using client = createClient({ baseUrl: server.origin, credential });
    const failure = client.request('GET', 'clients');
    await expect(failure).rejects.toMatchObject({
      status: 401,
      message: expect.not.stringContaining('token-number'),
    });
    expect(server.received.length).toBe(2);
  });

  it('is not renewed for other refusals', async () => {
    await using server = await openMisbehavingServer(() => problem(403, 'permission_denied'));
    const credential = createTokens(server.origin);
    await using client = createClient({ baseUrl: server.origin, credential });
    await expect(client.request('GET', 'clients')).rejects.toMatchObject({ status: 403 });
    expect(credential.renewals).toEqual([]);
  });

  it('is hidden in everything that is observed', async () => {
    await using server = await openMisbehavingServer((request) => json({ echo: tokenOf(request) }));
    const events: ClientEvent[] = [];
    const credential = createTokens(server.origin);
    await using client = createClient({
      baseUrl: server.origin,
      credential,
      observe: (event) => events.push(event),
    });
    await client.request('GET', 'clients');
    const shown = events.map((event) =>
      event.type === 'request' || event.type === 'response' ? [event.headers(), event.body()] : event,
    );
    expect(JSON.stringify(shown)).toContain('echo');
    expect(JSON.stringify(shown)).not.toContain('token-number');
  });

  it('gives way to an Authorization header of the caller', async () => {
    await using server = await openMisbehavingServer(() => page);
    const credential = createTokens(server.origin);
    const headers = { authorization: 'Basic abc' };
    await using client = createClient({ baseUrl: server.origin, credential, headers });
    await client.request('GET', 'clients');
    expect(server.received[0]?.headers.authorization).toBe('Basic abc');
  });

  it('is not sent to another origin', () => {
    const credential = createTokens('https://salon.example.com');
    const create = () => createClient({ baseUrl: 'https://other.example.com', credential });
    expect(create).toThrow('The saved sign-in belongs to https://salon.example.com');
  });

  it('is refused where it cannot be sent', async () => {
    await using server = await openMisbehavingServer(() => page);
    const credential = { ...createTokens(server.origin), read: async () => 'a\r\nx-admin: 1' };
    await using client = createClient({ baseUrl: server.origin, credential });
    await expect(client.request('GET', 'clients')).rejects.toMatchObject({ code: 'usage' });
    expect(server.received).toEqual([]);
  });
});
