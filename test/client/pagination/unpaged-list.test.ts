import { describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.ts';
import { allIds, clients, idsOf } from '../../support/list-server.ts';
import { json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

describe('a server without pages', () => {
  const all = clients.slice(0, 437);

  it.each([
    ['a bare array', json(all)],
    ['rows alone', json({ data: all })],
  ])('is detected when its second page repeats the first: %s', async (_form, reply) => {
    await using server = await openMisbehavingServer(() => reply);
    await using client = openClient(server.origin);
    expect(await idsOf(client)).toEqual(allIds.slice(0, 437));
    expect(server.received).toHaveLength(3);
    expect(client.dialect().pageParameter).toBeNull();
    const message =
      'The server shows no page but one of 437 clients: it does not paginate, or not in a known way.';
    expect(client.events.filter(({ type }) => type === 'warning')).toEqual([{ type: 'warning', message }]);
    expect(await idsOf(client)).toEqual(allIds.slice(0, 437));
    expect(server.received).toHaveLength(4);
  });

  it.each([
    ['as many rows as were requested', ({ query }: Received) => Number(query.get('per_page') ?? 200), 3],
    ['a hundred rows', () => 100, 4],
    ['one row', () => 1, 4],
  ])('is recognized with %s, and looked at again for the next list', async (_what, count, requests) => {
    await using server = await openMisbehavingServer((request) => json(clients.slice(0, count(request))));
    await using client = openClient(server.origin);
    const list = client.clients.list();
    const rows = (await collect(list)).flatMap((page) => page.rows);
    expect(rows).toEqual(clients.slice(0, rows.length));
    expect(list.consistency()?.kind).toBe('not proven');
    expect(server.received).toHaveLength(requests);
    expect(client.dialect().paging).toBe('page');
  });

  it.each(['consistent', 'page_parameter none'])('is never called whole: %s', async (how) => {
    await using server = await openMisbehavingServer(() => json(all));
    const dialect = how === 'consistent' ? {} : { pageParameter: null };
    await using client = openClient(server.origin, { dialect });
    const list = client.clients.list({}, { consistent: how === 'consistent' });
    await collect(list);
    expect(list.consistency()?.kind).toBe('not proven');
  });

  it('is not assumed for a total larger than the page', async () => {
    await using server = await openMisbehavingServer(() => json({ data: all, total: 450 }));
    await using client = openClient(server.origin);
    expect(await refusal(idsOf(client))).toMatchObject({
      code: 'unexpected_response',
      message: expect.stringContaining('says that there are more clients (the total)'),
    });
  });
});
