import { describe, expect, it } from 'vitest';
import { body, html, json, openMisbehavingServer, type Reply } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

const token = 'opaque.key-of/a+server=0123456789';
const credential = { kind: 'bearer', token } as const;
const echoes: readonly (readonly [string, Reply])[] = [
  ['a detail', json({ detail: `Key ${token} is revoked.` }, { status: 401 })],
  ['a list of errors', json({ errors: [{ detail: `${token}?`, code: token }] }, { status: 422 })],
  ['a title of a page', html(`No ${token}`, { status: 502 })],
  ['a plain text', body(`Bearer ${token}`, { status: 400 })],
  ['a text that is cut', body(`${'x'.repeat(90)} ${token}`, { status: 400 })],
  ['an extra member', json({ code: 'insufficient_scope', seen: [token] }, { status: 403 })],
  ['the request ID', json({}, { status: 500, headers: { 'x-request-id': token } })],
  ['a success that is not JSON', body(`Hello ${token}`)],
  ['a redirect', body('', { status: 302, headers: { location: `/login?return=${token}` } })],
];

describe('a key that the server repeats', () => {
  it.each(echoes)('is masked in %s', async (_where, reply) => {
    await using server = await openMisbehavingServer(() => reply);
    await using client = openClient(server.origin, { credential, retries: 0 });
    const error = await refusal(client.clients.delete('cli_1'));
    expect(JSON.stringify([error, error.message, error.cause ?? null])).not.toContain(token.slice(0, 12));
  });

  it('is masked in the events of the client, and the scheme of the header is shown', async () => {
    const sunset = { sunset: token, 'set-cookie': `sid=${token}`, 'x-echo': token };
    await using server = await openMisbehavingServer(() => json({ id: 'c' }, { headers: sunset }));
    await using client = openClient(server.origin, { credential });
    await client.request('GET', `clients/c?api_key=${token}&page=1`);
    const seen = client.events.map((event) =>
      'headers' in event ? { ...event, shown: event.headers() } : event,
    );
    expect(JSON.stringify(seen)).not.toContain(token.slice(0, 12));
    expect(seen).toContainEqual(
      expect.objectContaining({
        type: 'request',
        url: `${server.origin}/api/v1/clients/c?api_key=…&page=1`,
        shown: expect.objectContaining({ authorization: 'Bearer …' }),
      }),
    );
  });
});
