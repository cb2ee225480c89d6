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

  it('is not clear of a page that looks full', async () => {
    await using server = await openMisbehavingServer(() => json(clients.slice(0, 100)));
    expect(await recognise(server.origin)).not.toHaveProperty('paging');
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
