import { expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';

it.each([
  ['appointments list', '--status', 'status', ['confirmed,arrived', 'completed']],
  ['payments list', '--status', 'status', ['pending', 'failed']],
  ['webhooks create https://x.test --secret-file s', '--events', 'events', ['booking.*', 'client.updated']],
])('%s adds up repeated %s', async (line, flag, member, values) => {
  const list = { data: [], pagination: { page: 1, per_page: 50, total: 0 } };
  await using server = await openMisbehavingServer(({ method }) =>
    json(method === 'GET' ? list : { id: 'whk_1' }),
  );
  using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' } });
  await machine.salon([...line.split(' '), ...values.flatMap((value) => [flag, value])]);
  const sent = server.received.map(
    ({ query, body }) => query.get(member) ?? (body === '' ? [] : JSON.parse(body)[member])?.join(','),
  );
  expect(sent).toContain(values.join(','));
});

it('adds up repeated --columns', async () => {
  const list = { data: [{ id: 'c1', first_name: 'Ana' }], pagination: { page: 1, per_page: 50, total: 1 } };
  await using server = await openMisbehavingServer(() => json(list));
  using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' } });
  const { stdout } = await machine.salon(['clients', 'list', '-c', 'first_name', '-c', 'id', '-f', 'csv']);
  expect(stdout).toBe('first_name,id\nAna,c1\n');
});
