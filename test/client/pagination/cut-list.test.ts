import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../src/client/dialect/dialect.ts';
import { collect } from '../../support/collect.ts';
import { clients } from '../../support/list-server.ts';
import {
  body,
  json,
  openMisbehavingServer,
  type Received,
  type Reply,
} from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openRecognised } from '../../support/open-recognised.ts';

const rows = clients.slice(0, 50);

async function read(
  reply: (request: Received, index: number) => Reply,
  dialect: Partial<Dialect> = { paging: 'page' },
) {
  await using server = await openMisbehavingServer(reply);
  await using client = openClient(server.origin, { dialect });
  const list = client.clients.list();
  const pages = await collect(list);
  return { rows: pages.flatMap((page) => page.rows), report: list.consistency() };
}

describe('a total that is as large as a full page', () => {
  const paged =
    (total: (count: number) => number, end: (start: number) => readonly object[] = () => []) =>
    ({ query }: Received) => {
      const start = (Number(query.get('page') ?? 1) - 1) * 50;
      const found = clients.slice(start, start + 50);
      const page = start < total(50) || total(1) === 1 ? found : end(start);
      return json({ data: page, total: total(page.length) });
    };

  it('is refused, naming the setting, if it counts that page alone', async () => {
    expect(await refusal(read(paged((count) => count)))).toMatchObject({
      code: 'unexpected_response',
      message: expect.stringContaining('where total_key is "total": the total is 50'),
      members: { setting: 'total_key' },
    });
  });

  it.each([
    ['has no rows', () => []],
    ['repeats the rows', () => rows],
  ])('is believed where the next page %s', async (_end, end) => {
    const result = await read(paged(() => 50, end));
    expect(result.rows).toEqual(rows);
    expect(result.report?.kind).toBe('exact');
  });
});

describe('a list that says that there is more, and not how to read it, fails', () => {
  it.each([
    ['has_more', { data: rows, has_more: true }],
    ['meta.has_next_page', { data: rows, meta: { has_next_page: true } }],
    ['last', { content: rows, last: false }],
    ['next_cursor', { data: rows, next_cursor: 'abc' }],
    ['pagination.total_pages', { data: rows, pagination: { total_pages: 3 } }],
    ['the total', { data: rows, total: 51 }],
    ['the total', { PaginationResponse: { TotalResults: 51 }, clients: rows }],
    ['the total', { data: rows, recordsTotal: 51 }],
    ['info.more_records', { data: rows, info: { count: 50, more_records: true } }],
    ['page_context.has_more_page', { data: rows, page_context: { has_more_page: true } }],
    ['has_more', { data: rows, has_more: 1 }],
    ['complete', { data: rows, complete: false }],
    ['remaining', { data: rows, remaining: 25 }],
    ['next', { data: rows, next: true }],
    ['next', { data: rows, next: { page: 2, limit: 50 } }],
  ])('naming %s', async (name, page) => {
    const error = await refusal(read(() => json(page), { pageParameter: null }));
    expect(error.code).toBe('unexpected_response');
    expect(error.message).toContain(`there are more clients (${name})`);
    const repeated = await refusal(read(() => json(page)));
    for (const { hint } of [error, repeated]) expect(hint).toContain('salon profiles set');
  });

  it.each([
    ['a status 206 alone', json(rows, { status: 206 }), 'status 206'],
    [
      'a Link header to another server',
      json(rows, { headers: { link: '<https://other.example/x>; rel="next"' } }),
      'Link',
    ],
    [
      'an @odata.nextLink to another server',
      json({ value: rows, '@odata.nextLink': 'https://other.example/somewhere' }),
      '@odata.nextLink',
    ],
  ])('for %s', async (_what, reply, name) => {
    expect((await refusal(read(() => reply))).message).toContain(name);
  });
});

describe('a list whose second page', () => {
  it.each([400, 401, 403, 500])('is a %i fails, instead of ending with the first', async (status) => {
    const reply = ({ query }: Received) =>
      query.get('page') === '2' ? json({ message: 'No' }, { status }) : json({ data: rows.slice(0, 20) });
    expect(await refusal(read(reply))).toMatchObject({ status });
  });

  it.each([
    ['is empty', json([])],
    ['has no content', body('', { status: 204 })],
    ['has no rows and no total', json({ data: null })],
  ])('%s although the first had a larger total is a disagreement', async (_what, second) => {
    const first = json({ data: rows.slice(0, 20), pagination: { page: 1, per_page: 20, total: 50 } });
    const { report } = await read(({ query }) => (Number(query.get('page') ?? 1) > 1 ? second : first));
    expect(report).toMatchObject({ kind: 'disagreement', distinct: 20, lastTotal: 50 });
  });
});

describe('a list that goes on for ever fails', () => {
  const more = (token: string, page = rows) => json({ data: page, next: `/api/v1/clients?token=${token}` });

  it.each<[string, (request: Received, index: number) => Reply, RegExp]>([
    [
      'when a link leads back',
      ({ query }) =>
        more(
          query.get('token') === 'b' ? 'a' : 'b',
          query.has('token') ? [{ id: query.get('token') ?? '' }] : rows,
        ),
      /links to a page that was read before/,
    ],
    [
      'when new links bring nothing new',
      (_request, index) => more(String(index), index % 2 === 0 ? rows : [...rows].reverse()),
      /the last 10 pages had no new ones|repeats the page/,
    ],
    [
      'when pages are empty',
      (_request, index) => more(String(index), index === 0 ? rows : []),
      /the last 10 pages had no new ones/,
    ],
    [
      'when numbered pages alternate',
      ({ query }) =>
        json({
          data: Number(query.get('page') ?? 1) % 2 === 1 ? rows : clients.slice(50, 100),
          page: Number(query.get('page') ?? 1),
        }),
      /the last 10 pages had no new ones/,
    ],
  ])('%s', async (_when, reply, message) => {
    const error = await refusal(read(reply));
    expect(error.code).toBe('page_repeated');
    expect(error.message).toMatch(message);
  });
});

describe('an empty list', () => {
  it.each([
    ['{"data": null}', json({ data: null })],
    ['{"clients": null, "total": 0}', json({ clients: null, total: 0 })],
    ['204', body('', { status: 204 })],
    [
      'a total of zero without rows',
      json({ page: { totalElements: 0, totalPages: 0, number: 0, size: 20 } }),
    ],
    ['an empty array', json([])],
  ])('may be %s', async (_form, reply) => {
    expect(await read(() => reply)).toMatchObject({ rows: [], report: { kind: 'exact' } });
  });

  it('is not believed where the server filters by parameters it does not know', async () => {
    const answer = ({ query }: Received) => json(query.size === 0 ? rows : []);
    expect((await refusal(read(answer))).message).toContain(
      'where per_page_parameter is "per_page": there are no clients with per_page=200, and 50 without it',
    );
  });

  it.each([
    ['an empty body', body('')],
    ['an object without rows', json({ status: 'ok' })],
    ['null rows and an error', json({ data: null, error: 'quota' })],
    ['no rows and errors', json({ data: [], errors: [{ message: 'no access' }] })],
    ['a failure', json({ data: null, success: false, message: 'no' })],
  ])('is not %s', async (_what, reply) => {
    expect(['unexpected_response', 'refused']).toContain((await refusal(read(() => reply))).code);
  });
});

describe('a single page', () => {
  it.each([
    ['exact', 'a total that it has', { data: rows, total: 50 }],
    ['exact', 'has_more: false', { data: rows, has_more: false }],
    ['exact', 'next: null', { data: rows, next: null }],
    ['exact', 'the number of pages', { data: rows, page: 1, total_pages: 1 }],
    ['disagreement', 'next: null and a larger total', { data: rows, next: null, total: 90 }],
  ])('is %s with %s', async (kind, _evidence, page) => {
    expect((await read(() => json(page))).report?.kind).toBe(kind);
  });

  it.each([
    ['nothing', { data: rows }],
    ['a count of this page', { data: rows, count: 50 }],
    ['a page number alone', { data: rows, page: 1 }],
  ])('is not proven with %s, and refused where it comes again for page 2', async (_evidence, page) => {
    expect((await read(() => json(page), { paging: 'none' })).report?.kind).toBe('not proven');
    expect((await refusal(read(() => json(page)))).code).toBe('page_repeated');
  });

  it('is refused with a total lower than its rows', async () => {
    const error = await refusal(read(() => json({ data: rows, total: 3 })));
    expect(error.message).toContain('where total_key is "total": the total is 3 beside 50 clients');
  });
});

describe('a member that says that there is more', () => {
  it.each([
    ['next: null', { next: null }],
    ['has_more: false', { has_more: false }],
    ['next_cursor: null', { next_cursor: null }],
  ])('goes before %s', async (_other, other) => {
    const all = clients.slice(0, 120);
    const found = await read(({ query }) => {
      const start = Number(query.get('$skiptoken') ?? 0);
      const link = start + 50 < all.length ? { '@odata.nextLink': `clients?$skiptoken=${start + 50}` } : {};
      return json({ ...other, value: all.slice(start, start + 50), ...link });
    });
    expect(found.rows).toEqual(all);
  });
});

describe('a total', () => {
  it.each(['page', 'offset'])('that only counts a full page is not believed, by %s', async (parameter) => {
    const all = clients.slice(0, 120);
    await using server = await openMisbehavingServer(({ query }) => {
      const position = Number(query.get(parameter) ?? (parameter === 'page' ? 1 : 0));
      const start = parameter === 'page' ? (position - 1) * 50 : position;
      const data = all.slice(start, start + 50);
      return json({ data, [parameter]: position, limit: 50, total: data.length });
    });
    await using client = await openRecognised(server.origin);
    const list = client.clients.list();
    expect((await collect(list)).flatMap((page) => page.rows)).toEqual(all);
    expect(list.consistency()?.kind).toBe('not proven');
  });

  it('of exactly a full page is believed if there is no second page', async () => {
    const found = await read(({ query }) => {
      const data = Number(query.get('page') ?? 1) === 1 ? rows : [];
      return json({ data, page: Number(query.get('page') ?? 1), per_page: 50, total: 50 });
    });
    expect(found).toMatchObject({ rows, report: { kind: 'exact' } });
  });
});
