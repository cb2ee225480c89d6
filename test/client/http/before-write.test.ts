import { describe, expect, it } from 'vitest';
import { SalonError } from '../../../src/contract/errors.ts';
import { html, json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

const refuse = () => {
  throw new SalonError('confirmation_required', 'Not today.');
};

describe('a client that rejects writes', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post', 'PURGE'])(
    'does not send a %s',
    async (method) => {
      await using server = await openMisbehavingServer(() => json({}));
      await using client = openClient(server.origin, { beforeWrite: refuse });
      expect(await refusal(client.request(method, '/clients'))).toMatchObject({ message: 'Not today.' });
      expect(server.received).toEqual([]);
    },
  );

  it('does not create or delete, and only reads for an update', async () => {
    await using server = await openMisbehavingServer(() => json({ id: 'cli_1' }));
    await using client = openClient(server.origin, { beforeWrite: refuse });
    await refusal(client.clients.create({ first_name: 'Ana' }));
    await refusal(client.clients.delete('cli_1'));
    await refusal(client.clients.update('cli_1', { notes: 'x' }));
    expect(server.received.map(({ method }) => method)).toEqual(['GET']);
  });

  it.each(['GET', 'HEAD'])('sends a %s without calling beforeWrite', async (method) => {
    await using server = await openMisbehavingServer(() => json({}));
    await using client = openClient(server.origin, { beforeWrite: refuse });
    await client.request(method, '/clients');
    expect(server.received).toHaveLength(1);
  });
});

describe('a client that confirms writes', () => {
  it('calls beforeWrite once for all attempts, and sends the request afterwards', async () => {
    const failure = html('Bad gateway', { status: 502 });
    await using server = await openMisbehavingServer((_, index) => (index === 0 ? failure : json({})));
    const calls: object[] = [];
    const beforeWrite = async (request: object) =>
      void calls.push({ ...request, sent: server.received.length });
    await using client = openClient(server.origin, { beforeWrite });
    await client.request('PUT', '/clients/cli_1', { body: {} });
    expect(calls).toEqual([{ method: 'PUT', path: '/api/v1/clients/cli_1', sent: 0 }]);
    expect(server.received).toHaveLength(2);
  });
});
