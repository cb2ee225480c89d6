import { expect, it } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { collect } from '../../support/collect.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

it('a server of another kind is not asked for what only ours has', async () => {
  // Whatever is at these paths would mean something else.
  await using server = await openMisbehavingServer(() => json({ id: 1, account: {}, moved: {}, data: [] }));
  await using client = openClient(server.origin, { dialect: { paging: 'none' } });
  const calls: readonly [keyof typeof endpoints, () => Promise<unknown>][] = [
    ['getMe', () => client.me()],
    ['getSalon', () => client.salon.get()],
    ['updateSalon', () => client.salon.update({ phone: null })],
    ['mergeClients', () => client.clients.merge('1', { from: '2' })],
    ['unmergeClients', () => client.clients.unmerge('1')],
    ['createApiKey', () => client.apiKeys.create({ name: 'x' })],
    ['createBlockedTime', () => client.blockedTimes.create({})],
    ['listWaitlistEntries', async () => collect(client.waitlist.list())],
    ['listEventTypes', () => client.webhooks.eventTypes()],
  ];
  for (const [name, call] of calls) {
    const { method, path } = endpoints[name];
    expect(await refusal(call())).toMatchObject({
      code: 'not_supported',
      message: `This server does not support ${method} ${path}.`,
    });
  }
  expect(await client.dryRun()).toBe(undefined);
  expect(server.received).toEqual([]);
});

it('a server of another kind is asked for its lists, records and what is below them', async () => {
  await using server = await openMisbehavingServer(({ path }) =>
    json(/\d/.test(path) ? { id: 1, status: 'cancelled' } : []),
  );
  await using client = openClient(server.origin, { dialect: { paging: 'none', rowsKey: null } });
  await client.clients.get('1');
  await client.appointments.cancel('1');
  await client.payments.refund('1');
  expect(server.received.map(({ path }) => path.replace(/^\/api\/v1/, ''))).toEqual([
    '/clients/1',
    '/appointments/1/cancel',
    '/payments/1/refunds',
  ]);
});
