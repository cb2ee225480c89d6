import { describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.ts';
import { allIds, clients, idsOf } from '../../support/list-server.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openRecognised, recognise } from '../../support/open-recognised.ts';

describe('a server without pages', () => {
  const all = clients.slice(0, 437);

  it.each([
    ['a bare array', json(all)],
    ['rows alone', json({ data: all })],
  ])('is recognised by rows that come again for every page: %s', async (_form, reply) => {
    await using server = await openMisbehavingServer(() => reply);
    await using client = await openRecognised(server.origin);
    expect(client.dialect()).toMatchObject({ paging: 'none', pageParameter: null, perPageParameter: null });
    expect(client.dialect('webhooks').paging).toBe('unknown');
    const before = server.received.length;
    expect(await idsOf(client)).toEqual(allIds.slice(0, 437));
    expect(server.received).toHaveLength(before + 1);
  });

  it('is asked with at most twelve requests a list', async () => {
    await using server = await openMisbehavingServer(() => json(all));
    await recognise(server.origin);
    const counts = Map.groupBy(server.received, ({ path }) => path);
    expect([...counts.values()].every((requests) => requests.length <= 12)).toBe(true);
    expect(server.received.every(({ method }) => method === 'GET')).toBe(true);
  });

  it.each([15, 100, 500])('is not clear of a page that looks full: %s', async (count) => {
    const rows = Array.from({ length: count }, (_, index) => ({ id: `${index}` }));
    await using server = await openMisbehavingServer(() => json(rows));
    await using client = await openRecognised(server.origin);
    expect(client.dialect().paging).toBe('unknown');
    expect((await refusal(idsOf(client))).message).toContain(`a page of ${count} clients may not be all`);
  });

  it('says nothing about the other lists of the server', async () => {
    let appointments: readonly object[] = [];
    await using server = await openMisbehavingServer(({ path }) =>
      path.endsWith('clients') ? json(all) : json(appointments),
    );
    await using client = await openRecognised(server.origin);
    appointments = all.slice(0, 100);
    expect(await idsOf(client)).toHaveLength(437);
    expect((await refusal(collect(client.appointments.list()))).message).toContain(
      'where paging is "unknown": a page of 100 appointments',
    );
  });

  it('is refused once a list that was too short to show its pages may have a second one', async () => {
    let count = 3;
    await using server = await openMisbehavingServer(() => json(clients.slice(0, count)));
    await using client = await openRecognised(server.origin);
    expect(client.dialect().paging).toBe('unknown');
    expect(await idsOf(client)).toEqual(allIds.slice(0, 3));
    count = 50;
    expect((await refusal(idsOf(client))).message).toContain(
      'where paging is "unknown": a page of 50 clients',
    );
  });

  it.each([true, false])('is never called whole; read until two passes agree: %s', async (consistent) => {
    await using server = await openMisbehavingServer(() => json(all));
    await using client = openClient(server.origin, { dialect: { pageParameter: null } });
    const list = client.clients.list({}, { consistent });
    await collect(list);
    expect(list.consistency()?.kind).toBe('not proven');
  });

  it('is not assumed for a total larger than the page', async () => {
    await using server = await openMisbehavingServer(() => json({ data: all, total: 450 }));
    await using client = openClient(server.origin, { dialect: { paging: 'none' } });
    expect(await refusal(idsOf(client))).toMatchObject({
      code: 'unexpected_response',
      message: expect.stringContaining('says that there are more clients (the total)'),
    });
  });
});

describe('a server that filters by every parameter it does not know, and repeats the offset', () => {
  it.each([7, 37])('is recognised by the names of its own parameters, with %s clients', async (count) => {
    const all = clients.slice(0, count);
    await using server = await openMisbehavingServer(({ query }) => {
      const isFiltered = [...query.keys()].some((name) => name !== '$skip' && name !== '$limit');
      const skip = Number(query.get('$skip') ?? 0);
      const limit = Math.min(Number(query.get('$limit') ?? 10), 25);
      const data = isFiltered ? [] : all.slice(skip, skip + limit);
      return json({ total: isFiltered ? 0 : count, limit, skip, data });
    });
    await using client = await openRecognised(server.origin);
    const feathers = { paging: 'offset', pageParameter: '$skip', perPageParameter: '$limit' };
    expect(client.dialect()).toMatchObject(feathers);
    expect(await idsOf(client)).toEqual(allIds.slice(0, count));
  });
});
