import { describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.ts';
import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  problem,
  type Received,
} from '../../support/misbehaving-server.ts';
import { openClient } from '../../support/open-client.ts';

interface Row {
  readonly id: string;
  readonly last_name: string | null;
}

const names = ['Zola', 'Ito', null, 'ito', 'Ábel', 'Moreau', 'Weiß', 'Adam'];
const rows: readonly Row[] = Array.from({ length: 450 }, (_, index) => ({
  id: `cli_${index}`,
  last_name: names[index % names.length] ?? null,
}));

interface ServerOptions {
  readonly list?: readonly Row[];
  readonly version?: number;
  /** How the server handles `sort`. */
  readonly order?: (list: readonly Row[], sort: string | null) => readonly Row[];
}

const ignoring = (list: readonly Row[]) => list;
const keeping = (list: readonly Row[], sort: string | null) => {
  if (sort === null) return list;
  const sorted = list.toSorted((one, other) => ((one.last_name ?? '') < (other.last_name ?? '') ? -1 : 1));
  return sort.startsWith('-') ? sorted.toReversed() : sorted;
};

function openListServer({ list = rows, version, order = ignoring }: ServerOptions = {}) {
  return openMisbehavingServer(({ query }) => {
    const page = Number(query.get('page') ?? 1);
    const perPage = Number(query.get('per_page'));
    const data = order(list, query.get('sort')).slice((page - 1) * perPage, page * perPage);
    const headers = version === undefined ? {} : { 'salon-collection-version': String(version) };
    return json({ data, pagination: { page, per_page: perPage, total: list.length } }, { headers });
  });
}

async function list(server: Pick<MisbehavingServer, 'origin'>, sort: string, limit?: number) {
  await using client = openClient(server.origin);
  const pagedList = client.clients.list({ sort } as object, { limit });
  const pages = await collect(pagedList);
  return {
    ids: pages.flatMap((page) => page.rows.map(({ id }) => id)),
    totals: new Set(pages.map(({ total }) => total)),
    isSortedHere: pagedList.isSortedHere?.(),
    report: pagedList.consistency()?.kind,
    warnings: client.events.filter(({ type }) => type === 'warning'),
  };
}

const sorts = (received: readonly Received[]) => received.map(({ query }) => query.get('sort'));
const warning = (sort: string) => ({
  type: 'warning',
  message: `The server ignored the order ${sort}; reading the whole list to sort it here.`,
});

describe('an order the server ignores', () => {
  it('is applied here with one warning: no name first, equal names in list order', async () => {
    await using server = await openListServer();
    const { ids, ...metadata } = await list(server, 'last_name');
    const order = [null, 'Ábel', 'Adam', 'Ito', 'ito', 'Moreau', 'Weiß', 'Zola'];
    const rank = (row: Row) => order.indexOf(row.last_name === 'ito' ? 'Ito' : row.last_name);
    expect(ids).toEqual(rows.toSorted((one, other) => rank(one) - rank(other)).map(({ id }) => id));
    expect(metadata).toEqual({
      totals: new Set([450]),
      isSortedHere: true,
      report: 'consistent',
      warnings: [warning('last_name')],
    });
  });

  it('is applied before the limit', async () => {
    await using server = await openListServer();
    const { ids } = await list(server, '-last_name', 3);
    expect(ids).toEqual(['cli_0', 'cli_8', 'cli_16']);
  });

  it.each([
    ['is nearly in that order', [...rows.slice(0, 300).map(nameAsIndexed), { id: 'late', last_name: '000' }]],
    ['has no names on its first page', [...rows.map(withoutName), { id: 'late', last_name: null }, ...rows]],
  ])('is applied if the list %s', async (_what, all) => {
    await using server = await openListServer({ list: all });
    const { isSortedHere } = await list(server, 'last_name');
    expect(isSortedHere).toBe(true);
  });
});

describe('an order the server supports', () => {
  it.each<[string, ServerOptions, number | undefined, (string | null)[]]>([
    [
      'is trusted from a server with versions',
      { version: 7, order: ignoring },
      undefined,
      Array(3).fill('last_name'),
    ],
    [
      'needs no extra request for a single page',
      { list: rows.slice(0, 50), order: keeping },
      undefined,
      ['last_name'],
    ],
    ['is seen from one page in the opposite order', { order: keeping }, 10, ['last_name', '-last_name']],
  ])('%s', async (_how, options, limit, requested) => {
    await using server = await openListServer(options);
    const { isSortedHere, warnings } = await list(server, 'last_name', limit);
    expect({ isSortedHere, warnings, requested: sorts(server.received) }).toEqual({
      isSortedHere: false,
      warnings: [],
      requested,
    });
  });

  it('is recognized if the server rejects the opposite order', async () => {
    await using server = await openMisbehavingServer(({ query }) =>
      query.get('sort') === 'last_name'
        ? json({ data: [{ id: 'a', last_name: 'A' }], pagination: { page: 1, per_page: 1, total: 2 } })
        : problem(400, 'invalid_parameter'),
    );
    expect((await list(server, 'last_name', 1)).isSortedHere).toBe(false);
  });

  it('may use a field that rows do not show', async () => {
    await using server = await openListServer();
    expect((await list(server, 'last_name:desc')).isSortedHere).toBe(false);
  });
});

/** Names in ascending order, as creation order may have. */
function nameAsIndexed(row: Row, index: number): Row {
  return { ...row, last_name: String(index + 100) };
}

function withoutName(_row: Row, index: number): Row {
  return { id: `nameless_${index}`, last_name: null };
}
