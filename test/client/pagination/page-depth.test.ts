import { describe, expect, it } from 'vitest';
import { allIds, clients, idsOf } from '../../support/list-server.ts';
import { json, openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';
import { openClient } from '../../support/open-client.ts';

const perPage = 50;
const deepest = 3;

describe('a list that has only its first pages by number', () => {
  it('is read to its end by cursor', async () => {
    await using server = await openMisbehavingServer(({ query }) => {
      const after = query.get('after');
      const page = Number(query.get('page') ?? 1);
      if (after === null && page > deepest) return problem(400, 'use_cursor');
      const start = after === null ? (page - 1) * perPage : Number(after);
      const data = clients.slice(start, start + perPage);
      const end = start + perPage;
      const link = `</api/v1/clients?page=${page + 1}&per_page=${perPage}&after=${end}>; rel="next"`;
      const pagination = { page, per_page: perPage, total: clients.length };
      return json({ data, pagination }, end < clients.length ? { headers: { link } } : {});
    });
    await using client = openClient(server.origin, { retries: 0 });
    expect(await idsOf(client)).toEqual(allIds);
    const followed = server.received.filter(({ query }) => query.has('after'));
    expect(followed).toHaveLength(clients.length / perPage - deepest);
  });
});
