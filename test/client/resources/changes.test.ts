import { expect, it } from 'vitest';
import { systemRandom } from '../../../src/client/http/retry.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

it('changes are read from a position on', async () => {
  const service = await openSharedService();
  const credential = { kind: 'bearer', token: service.keys.manager } as const;
  await using client = openClient(service.origin, { credential, random: systemRandom });
  const { position } = await client.changes({ kinds: 'client' });
  const { id = '', record } = await client.clients.create({ first_name: 'Ada' });
  const { data } = await client.changes({ after: position, kinds: 'client', per_page: 200 });
  expect(data).toContainEqual({ resource: 'client', id, deleted: false, record });
  expect(await refusal(client.changes({ after: 'abc' }))).toMatchObject({ code: 'invalid_parameter' });
});

it('a request that waits may take as much longer', async () => {
  const page = { data: [], position: 'abc', has_more: false };
  await using server = await openMisbehavingServer(
    () => (response) => void setTimeout(() => json(page)(response), 1_200),
  );
  await using client = openClient(server.origin, { timeoutMs: 1_000 });
  expect(await client.changes({ after: 'abc', wait: '60s' })).toEqual(page);
  expect(server.received.at(-1)?.query.get('wait')).toBe('60s');
});

it.each([
  ['a list', { data: [], pagination: {} }],
  ['a record', { position: 'abc' }],
])('changes are refused when the response is %s', async (_what, body) => {
  await using server = await openMisbehavingServer(() => json(body));
  await using client = openClient(server.origin);
  expect(await refusal(client.changes())).toMatchObject({ code: 'unexpected_response' });
});

it('changes are not asked for on a server of another kind', async () => {
  await using server = await openMisbehavingServer(() => json({ data: [], position: 'abc' }));
  await using client = openClient(server.origin, { dialect: { paging: 'page' } });
  expect(await refusal(client.changes())).toMatchObject({ code: 'not_supported' });
  expect(server.received).toHaveLength(0);
});
