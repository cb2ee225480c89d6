import { describe, expect, it } from 'vitest';
import { collect } from '../support/collect.ts';
import { allIds, clients, idsOf, listing, plain } from '../support/list-server.ts';
import {
  html,
  json,
  openMisbehavingServer,
  type Received,
  type Reply,
  reset,
} from '../support/misbehaving-server.ts';
import { openClient, refusal } from '../support/open-client.ts';
import { openRecognised } from '../support/open-recognised.ts';

describe('a list is read completely', () => {
  const linkTo = (page: number, perPage: number) => ({
    link: `</api/v1/clients?page=${page}&per_page=${perPage}>; rel="next"`,
  });
  const cases: [string, (request: Received) => Reply][] = [
    ['with the documented shape', plain],
    [
      'with smaller pages than requested',
      listing(
        ({ rows, page, perPage, total }) =>
          json({ data: rows, pagination: { page, per_page: perPage, total } }),
        50,
      ),
    ],
    [
      'with meta.total_count and items',
      listing(({ rows, total }) => json({ items: rows, meta: { total_count: total } })),
    ],
    [
      'with results, count and next',
      listing(({ rows, page, total, isLast }) =>
        json({
          results: rows,
          count: total,
          next: isLast ? null : `/api/v1/clients?page=${page + 1}&per_page=200`,
        }),
      ),
    ],
    ['under the name of the resource', listing(({ rows, total }) => json({ clients: rows, total }))],
    ['inside data', listing(({ rows, total }) => json({ data: { items: rows, total } }))],
    [
      'as a bare array with Link',
      listing(({ rows, page, perPage, isLast }) =>
        json(rows, {
          headers: isLast ? { link: '</api/v1/clients>; rel="first"' } : linkTo(page + 1, perPage),
        }),
      ),
    ],
    [
      'as a bare array with X-Total-Count',
      listing(({ rows, total }) => json(rows, { headers: { 'x-total-count': String(total) } })),
    ],
    ['as a bare array without metadata', listing(({ rows }) => json(rows))],
    ['without any total, in small pages', listing(({ rows }) => json({ data: rows }), 45)],
    ['with a total in text', listing(({ rows, total }) => json({ data: rows, total: String(total) }))],
    ['with a total of zero', listing(({ rows }) => json({ data: rows, total: 0 }))],
    ['with a negative total', listing(({ rows }) => json({ data: rows, total: -1 }))],
    ['with a total of null', listing(({ rows }) => json({ data: rows, pagination: { total: null } }))],
    ['with a total that is too large', listing(({ rows }) => json({ data: rows, total: 9999 }))],
    [
      'with a total that grows',
      listing(({ rows, page, total }) => json({ data: rows, total: total - 3 + page })),
    ],
    [
      'with a total only on the first page',
      listing(({ rows, page, total }) => json(page === 1 ? { data: rows, total } : { data: rows })),
    ],
    [
      'with links to another host',
      listing(({ rows, total }) =>
        json({ data: rows, total }, { headers: { link: '<https://evil.example/other?page=2>; rel="next"' } }),
      ),
    ],
    [
      'with links without the path prefix',
      listing(({ rows, page, isLast }) =>
        json(
          { data: rows },
          {
            headers: isLast
              ? { link: '</>; rel="first"' }
              : { link: `</clients?page=${page + 1}&per_page=200>; rel="next"` },
          },
        ),
      ),
    ],
  ];
  it.each(cases)('%s', async (_form, script) => {
    await using server = await openMisbehavingServer(script);
    await using client = await openRecognised(server.origin);
    expect(await idsOf(client)).toEqual(allIds);
  });
});

describe('a list', () => {
  it('is not believed to be empty where the server filters by parameters that it does not know', async () => {
    await using server = await openMisbehavingServer((request) => {
      const data = request.query.size === 0 ? clients.slice(0, 3) : [];
      return json({ data, pagination: { page: 1, per_page: 50, total: data.length } });
    });
    await using client = openClient(server.origin);
    expect((await refusal(idsOf(client))).message).toBe(
      'There are no clients with per_page=200, and 3 without it.',
    );
  });

  it('of a server that has nothing at its path is refused with what mends it', async () => {
    await using server = await openMisbehavingServer(() => json({ error: 'no' }, { status: 404 }));
    await using client = openClient(server.origin);
    expect(await refusal(idsOf(client))).toMatchObject({
      ...{ code: 'unexpected_response', status: 404 },
      message: 'The server has nothing at /clients.',
      hint: expect.stringMatching(/salon profiles detect\. .*salon profiles show --dialect > dialect\.json/),
    });
  });

  it('is refused with a total that is lower than its rows', async () => {
    const answer = listing(({ rows }) => json({ data: rows, total: 100 }));
    await using server = await openMisbehavingServer(answer);
    await using client = await openRecognised(server.origin);
    expect((await refusal(idsOf(client))).message).toContain('the total is 100 beside 200 clients');
  });

  it.each([
    ['an object without rows', json({ status: 'ok' })],
    ['a text', json('clients')],
    ['nothing', json(null)],
    ['a web page', html('Welcome')],
  ])('is rejected if the response is %s', async (_what, reply) => {
    await using server = await openMisbehavingServer(() => reply);
    await using client = openClient(server.origin);
    expect((await refusal(idsOf(client))).code).toBe('unexpected_response');
  });

  it.each([
    ['with a total', 450, {}],
    // As a mock of our own API description does.
    ['with the same version and no records in total', 0, { 'salon-collection-version': '0' }],
  ])('is rejected if every page number returns the same page, %s', async (_what, total, headers) => {
    const page = { data: clients.slice(0, 200), pagination: { page: 1, per_page: 200, total } };
    await using server = await openMisbehavingServer(() => json(page, { headers }));
    await using client = openClient(server.origin);
    expect(await refusal(idsOf(client))).toMatchObject({
      code: 'page_repeated',
      members: { page: 2, rows_read: 200 },
    });
  });

  it('is refused with the way to another kind of server where there is nothing', async () => {
    await using server = await openMisbehavingServer(() => json({ error: 'nope' }, { status: 404 }));
    await using client = openClient(server.origin);
    expect((await refusal(idsOf(client))).hint).toContain('salon profiles detect');
  });

  it('is sorted here where an order finds nothing', async () => {
    await using server = await openMisbehavingServer((request) =>
      request.query.has('sort')
        ? json({ data: [], pagination: { page: 1, per_page: 200, total: 0 } })
        : plain(request),
    );
    await using client = openClient(server.origin);
    const sorted = allIds.toSorted((one, other) => (one < other ? -1 : 1));
    const pages = await collect(client.clients.list({ sort: 'id' } as object));
    expect(pages.flatMap((page) => page.rows.map(({ id }) => id))).toEqual(sorted);
  });

  it('reports its progress when a later page fails', async () => {
    await using server = await openMisbehavingServer((request) =>
      request.query.get('page') === '3' ? reset : plain(request),
    );
    await using client = openClient(server.origin);
    expect(await refusal(idsOf(client))).toMatchObject({
      code: 'response_truncated',
      members: { page: 3, rows_read: 400 },
    });
  });

  it('is read with one request if the dialect has no pages', async () => {
    await using server = await openMisbehavingServer(() => json(clients));
    await using client = openClient(server.origin, { dialect: { pageParameter: null } });
    expect(await idsOf(client)).toEqual(allIds);
  });
});

describe('the version of a collection', () => {
  it.each([
    ['41', 41],
    ['old', undefined],
    [undefined, undefined],
  ])('is parsed from the header %s as %s', async (header, version) => {
    const headers = header === undefined ? {} : { 'salon-collection-version': header };
    await using server = await openMisbehavingServer(() =>
      json({ data: [], pagination: { page: 1, per_page: 200, total: 0 } }, { headers }),
    );
    await using client = openClient(server.origin);
    expect(await collect(client.clients.list())).toMatchObject([{ rows: [], version }]);
  });
});
