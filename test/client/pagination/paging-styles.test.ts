import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../src/client/dialect/dialect.ts';
import { collect } from '../../support/collect.ts';
import {
  json,
  openMisbehavingServer,
  problem,
  type Received,
  type Reply,
} from '../../support/misbehaving-server.ts';
import { openRecognised } from '../../support/open-recognised.ts';

interface Slice {
  readonly rows: readonly object[];
  readonly start: number;
  readonly end: number;
  readonly total: number;
  readonly hasMore: boolean;
}

/** A way to page: where a request starts, and what the response says. */
interface Style {
  readonly start: (request: Received, size: number, all: readonly object[]) => number;
  readonly reply: (slice: Slice, size: number) => Reply;
}

const numberOf = ({ query }: Received, name: string) => Number(query.get(name) ?? 0);
const zeroBased = (request: Received, size: number) => numberOf(request, 'page') * size;
const byOffset = (request: Received) => numberOf(request, 'offset');
const byCursor = (name: string) => (request: Received) =>
  Number((request.query.get(name) ?? 'at:0').slice(3));
const afterId = (name: string) => (request: Received, _size: number, all: readonly object[]) =>
  all.findIndex((row) => 'id' in row && row.id === request.query.get(name)) + 1;
const asCursor = ({ hasMore, end }: Slice) => (hasMore ? `at:${end}` : null);
const pageOf = ({ start }: Slice, size: number) => Math.floor(start / size);

/** Every style without any configuration. The page size is the server's own. */
const styles: Readonly<Record<string, Style>> = {
  'a cursor in the body': {
    start: byCursor('cursor'),
    reply: (slice) => json({ items: slice.rows, ...(slice.hasMore ? { cursor: asCursor(slice) } : {}) }),
  },
  'meta.next_cursor': {
    start: byCursor('cursor'),
    reply: (slice) => json({ data: slice.rows, meta: { next_cursor: asCursor(slice) } }),
  },
  nextPageToken: {
    start: byCursor('pageToken'),
    reply: (slice) => json({ clients: slice.rows, nextPageToken: asCursor(slice) ?? '' }),
  },
  'paging.next.after': {
    start: byCursor('after'),
    reply: (slice) =>
      json({
        results: slice.rows,
        ...(slice.hasMore ? { paging: { next: { after: asCursor(slice) } } } : {}),
      }),
  },
  'an X-Next-Cursor header': {
    start: byCursor('cursor'),
    reply: (slice) => json(slice.rows, { headers: { 'x-next-cursor': asCursor(slice) ?? '' } }),
  },
  'has_more and the last ID': {
    start: afterId('starting_after'),
    reply: ({ rows, hasMore }) => json({ object: 'list', data: rows, has_more: hasMore }),
  },
  '@odata.nextLink': {
    start: ({ query }) => Number(query.get('$skiptoken') ?? 0),
    reply: ({ rows, hasMore, end }) =>
      json({
        '@odata.context': '#clients',
        value: rows,
        ...(hasMore ? { '@odata.nextLink': `clients?$skiptoken=${end}` } : {}),
      }),
  },
  'a Spring page, numbered from zero': {
    start: zeroBased,
    reply: (slice, size) =>
      json({
        content: slice.rows,
        ...{ number: pageOf(slice, size), size, totalElements: slice.total },
        ...{ totalPages: Math.ceil(slice.total / size), last: !slice.hasMore },
      }),
  },
  'a Spring slice without totals': {
    start: zeroBased,
    reply: (slice, size) =>
      json({ content: slice.rows, number: pageOf(slice, size), size, last: !slice.hasMore }),
  },
  'a PagedModel': {
    start: zeroBased,
    reply: (slice, size) =>
      json({
        content: slice.rows,
        page: {
          size,
          number: pageOf(slice, size),
          totalElements: slice.total,
          totalPages: Math.ceil(slice.total / size),
        },
      }),
  },
  'HAL with _links.next': {
    start: zeroBased,
    reply: (slice, size) =>
      json({
        _embedded: { people: slice.rows },
        _links: {
          self: { href: '/clients' },
          ...(slice.hasMore ? { next: { href: `/api/v1/clients?page=${pageOf(slice, size) + 1}` } } : {}),
        },
        page: {
          size,
          totalElements: slice.total,
          totalPages: Math.ceil(slice.total / size),
          number: pageOf(slice, size),
        },
      }),
  },
  'pages from zero without a total': { start: zeroBased, reply: ({ rows }) => json(rows) },
  'pages from zero and total_pages': {
    start: zeroBased,
    reply: (slice, size) =>
      json({ data: slice.rows, page: pageOf(slice, size), total_pages: Math.ceil(slice.total / size) }),
  },
  'offset, limit and a total': {
    start: byOffset,
    reply: ({ rows, start, total }, size) => json({ data: rows, offset: start, limit: size, total }),
  },
  'offset and has_more': {
    start: byOffset,
    reply: ({ rows, start, hasMore }) => json({ data: rows, offset: start, has_more: hasMore }),
  },
  'an offset that the response does not repeat': {
    start: byOffset,
    reply: ({ rows }) => json({ data: rows }),
  },
  'Content-Range with a total': {
    start: byOffset,
    reply: ({ rows, start, end, total, hasMore }) =>
      json(rows, {
        status: hasMore ? 206 : 200,
        headers: { 'content-range': rows.length === 0 ? `*/${total}` : `${start}-${end - 1}/${total}` },
      }),
  },
  'Content-Range without a total': {
    start: ({ headers }) => Number(/^(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0),
    reply: ({ rows, start, end }) =>
      rows.length === 0
        ? start === 0
          ? json([], { headers: { 'content-range': '*/*' } })
          : problem(416, 'x')
        : json(rows, { headers: { 'content-range': `${start}-${end - 1}/*` } }),
  },
  'Content-Range with a unit': {
    start: ({ headers }) => Number(/^items=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0),
    reply: ({ rows, start, end, total }) =>
      json(rows, {
        status: 206,
        headers: { 'content-range': `items ${rows.length === 0 ? '*' : `${start}-${end - 1}`}/${total}` },
      }),
  },
  'JSON:API with links.next': {
    start: (request) => numberOf(request, 'page[offset]'),
    reply: ({ rows, hasMore, end }) =>
      json({
        data: rows.map((row) => ({ type: 'clients', ...row, attributes: { vip: true } })),
        links: hasMore
          ? { first: '/x', next: { href: `/api/v1/clients?page[offset]=${end}` } }
          : { first: '/x' },
      }),
  },
  'next as a page number': {
    start: (request, size) => (Number(request.query.get('page') ?? 1) - 1) * size,
    reply: (slice, size) => json({ data: slice.rows, next: slice.hasMore ? pageOf(slice, size) + 2 : null }),
  },
  'an X-Pagination header': {
    start: (request, size) => (Number(request.query.get('page') ?? 1) - 1) * size,
    reply: (slice) =>
      json(slice.rows, {
        headers: { 'x-pagination': JSON.stringify({ HasNext: slice.hasMore, TotalCount: slice.total }) },
      }),
  },
};

async function readStyle(
  style: Style,
  { count, size }: { readonly count: number; readonly size: number },
  dialect: Partial<Dialect> = {},
) {
  const all = Array.from({ length: count }, (_, index) => ({ id: `c${index}`, type: 'clients' }));
  await using server = await openMisbehavingServer((request) => {
    if (request.path !== '/api/v1/clients') return problem(404, 'x');
    const start = style.start(request, size, all);
    const end = Math.min(start + size, count);
    return style.reply({ rows: all.slice(start, end), start, end, total: count, hasMore: end < count }, size);
  });
  await using client = await openRecognised(server.origin, { dialect });
  const list = client.clients.list();
  const ids = (await collect(list)).flatMap((page) => page.rows.map(({ id }) => id));
  return {
    ids,
    expected: all.map(({ id }) => id),
    kind: list.consistency()?.kind,
    detected: client.knownDialect(),
  };
}

describe.each(Object.entries(styles))('a list with %s', (_name, style) => {
  it.each([
    { count: 31, size: 7 },
    { count: 28, size: 7 },
    { count: 7, size: 7 },
    { count: 3, size: 7 },
    { count: 1, size: 1 },
  ])('of $count rows in pages of $size is read completely', async (lengths) => {
    const { ids, expected } = await readStyle(style, lengths);
    expect(ids).toEqual(expected);
  });
});

describe('a detected style', () => {
  it.each([
    ['a Spring slice without totals', { firstPage: 0 }],
    ['has_more and the last ID', { paging: 'last_id', pageParameter: 'starting_after' }],
    ['nextPageToken', { paging: 'cursor', pageParameter: 'pageToken' }],
    ['an offset that the response does not repeat', { paging: 'offset', pageParameter: 'offset' }],
    ['Content-Range without a total', { paging: 'range' }],
  ])('is known afterwards: %s', async (name, expected) => {
    const style = styles[name];
    if (style === undefined) throw new Error(name);
    const { detected } = await readStyle(style, { count: 20, size: 7 });
    expect(detected).toMatchObject(expected);
  });
});
