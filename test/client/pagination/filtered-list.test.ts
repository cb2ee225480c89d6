import { describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.ts';
import { json, openMisbehavingServer, problem, type Received } from '../../support/misbehaving-server.ts';
import { openClient } from '../../support/open-client.ts';
import { openSails } from '../../support/servers/sails.ts';
import { openSharedService } from '../../support/service.ts';

describe('a list from a server that ignores filters', () => {
  const statuses = ['confirmed', 'cancelled', 'confirmed', 'no_show', 'confirmed', 'confirmed'];
  const all = statuses.map((status, index) => ({ id: `apt_${index}`, status }));

  function page({ query }: Received) {
    const [number, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))];
    const data = all.slice((number - 1) * size, number * size);
    return json({ data, pagination: { page: number, per_page: size, total: all.length } });
  }

  it.each([
    [undefined, ['apt_0', 'apt_2', 'apt_4', 'apt_5']],
    [3, ['apt_0', 'apt_2', 'apt_4']],
    [1, ['apt_0']],
  ])('with limit %s has only matching rows, with one warning', async (limit, ids) => {
    await using server = await openMisbehavingServer(page);
    await using client = openClient(server.origin);
    const pages = await collect(client.appointments.list({ status: 'confirmed' }, { limit }));
    const rows = pages.flatMap((page) => page.rows);
    expect(rows.map(({ id }) => id)).toEqual(ids);
    const warnings = client.events.filter(({ type }) => type === 'warning');
    expect(warnings).toHaveLength(limit === 1 ? 0 : 1);
  });
});

describe('a filter on a field that the rows do not show', () => {
  const rows = [
    { id: '1', name: 'Ana' },
    { id: '2', name: 'Bo' },
  ];
  const whole = (data: readonly object[]) =>
    json({ data, pagination: { page: 1, per_page: 200, total: data.length } });

  async function list(answer: (email: string | null) => ReturnType<typeof json>) {
    await using server = await openMisbehavingServer(({ query }) => answer(query.get('email')));
    await using client = openClient(server.origin);
    const pagedList = client.clients.list({ email: 'ana@x.test' });
    const found = (await collect(pagedList)).flatMap((page) => page.rows.map(({ id }) => id));
    const warnings = client.events.filter(({ type }) => type === 'warning');
    return { found, warnings, unverified: pagedList.consistency()?.unverified };
  }

  it.each([
    ['finds nothing for an impossible value', whole([])],
    ['rejects an impossible value', problem(422, 'validation_failed')],
  ])('is trusted if the server %s', async (_how, answer) => {
    const { found, ...said } = await list((email) =>
      email === 'ana@x.test' ? whole(rows.slice(0, 1)) : answer,
    );
    expect(found).toEqual(['1']);
    expect(said).toEqual({ warnings: [], unverified: undefined });
  });

  it('is reported and unverified if the server ignores it', async () => {
    const { found, warnings, unverified } = await list(() => whole(rows));
    expect(found).toEqual(['1', '2']);
    expect(warnings).toEqual([
      {
        type: 'warning',
        message: expect.stringContaining('ignored the filter email, and the rows do not show'),
      },
    ]);
    expect(unverified).toEqual(['email']);
  });
});

describe('a filter that the server does not have', () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({
    id: `${index}`,
    email: `c${index % 3}@x.test`,
    note: `n${index}`,
  }));
  const dialect = { filterNames: { email: null, q: null } };

  it.each([
    [{ email: 'c1@x.test' }, undefined, 10],
    [{ email: 'c1@x.test' }, 4, 4],
    [{ q: 'N2' }, undefined, 11],
    [{ q: 'n2 c0@' }, undefined, 3],
  ])('is not sent, and %j with limit %s finds %i rows here', async (query, limit, count) => {
    await using server = await openMisbehavingServer(() =>
      json({ data: rows, pagination: { page: 1, per_page: 200, total: rows.length } }),
    );
    await using client = openClient(server.origin, { dialect });
    const pages = await collect(client.clients.list(query, { limit }));
    expect(pages.flatMap((page) => page.rows)).toHaveLength(count);
    expect(server.received.every((request) => !request.query.has('email') && !request.query.has('q'))).toBe(
      true,
    );
    expect(client.events.filter(({ type }) => type === 'warning')).toEqual([]);
  });
});

describe('a time filter of a server that compares times as texts', () => {
  const rows = ['09:59:58.000Z', '09:59:59.500Z', '10:00:00.000Z', '10:00:00.001Z'].map((time, index) => ({
    id: `${index}`,
    updated_at: `2026-11-20T${time}`,
  }));

  it.each([
    [undefined, ['2', '3']],
    [1, ['2']],
  ])('finds what changed in the very second, without a warning, with limit %s', async (limit, ids) => {
    await using server = await openMisbehavingServer(({ query }) => {
      const found = rows.filter(({ updated_at }) => updated_at >= (query.get('updated_since') ?? ''));
      return json({ data: found, pagination: { page: 1, per_page: 200, total: found.length } });
    });
    await using client = openClient(server.origin, { dialect: { paging: 'page' } });
    const list = client.clients.list({ updated_since: '2026-11-20T10:00:00Z' }, { limit });
    expect((await collect(list)).flatMap((page) => page.rows.map(({ id }) => id))).toEqual(ids);
    expect(client.events.filter(({ type }) => type === 'warning')).toEqual([]);
  });
});

describe('a search that the server ignores', () => {
  it('is done here, with a warning', async () => {
    const rows = [
      { id: '1', name: 'Ana' },
      { id: '2', name: 'Bo' },
    ];
    await using server = await openMisbehavingServer(() => json({ data: rows, page: 1, total: 2 }));
    await using client = openClient(server.origin, { dialect: { paging: 'page' } });
    const list = client.clients.list({ q: 'bo' });
    expect((await collect(list)).flatMap((page) => page.rows)).toEqual([rows[1]]);
    expect(list.consistency()?.unverified).toBeUndefined();
    const message = 'The server ignored the filter q; filtering the rows here.';
    expect(client.events.filter(({ type }) => type === 'warning')).toEqual([{ type: 'warning', message }]);
  });
});

describe('a filter that finds nothing', () => {
  const appointments = Array.from({ length: 40 }, (_, index) => ({
    id: index + 1,
    client_id: index < 20 ? 1 : 2,
    status: index % 2 === 0 ? 'confirmed' : 'completed',
    start_time: new Date(Date.UTC(2026, 10, 1 + Math.floor(index / 4), 9)).toISOString(),
  }));

  const sails = { paging: 'offset', pageParameter: 'skip', perPageParameter: 'limit' } as const;

  async function read(kind: 'appointments' | 'clients', query: object, server: { readonly origin: string }) {
    await using client = openClient(server.origin, { dialect: sails });
    const list = client[kind].list(query);
    const rows = (await collect(list as AsyncIterable<{ rows: readonly unknown[] }>)).flatMap(
      (page) => page.rows,
    );
    const warnings = client.events.filter(({ type }) => type === 'warning');
    return { rows, warnings, unverified: list.consistency()?.unverified };
  }

  it.each([
    [{ status: 'confirmed,completed' }, 40],
    [{ start_time_from: '2026-11-05T00:00:00Z' }, 24],
    [
      { start_time_from: '2026-11-05T00:00:00Z', start_time_to: '2026-11-06T00:00:00Z', status: 'confirmed' },
      2,
    ],
    [{ start_time_from: '2027-01-01T00:00:00Z' }, 0],
  ])('is checked here where the server knows no such parameter: %j', async (query, count) => {
    await using server = await openSails({ count: 0, models: { appointments } });
    const { rows, warnings } = await read('appointments', query, server);
    expect(rows).toHaveLength(count);
    expect(warnings.map((event) => 'message' in event && event.message)).toEqual(
      Object.keys(query)
        .filter((name) => name !== 'status' || String(Object(query).status).includes(','))
        .map((name) => expect.stringContaining(`finds nothing by ${name}, not even what it has`)),
    );
  });

  it('is believed where the server finds another record by its own value, with two requests', async () => {
    await using server = await openSails({ count: 0, models: { appointments } });
    expect(await read('appointments', { client_id: '3' }, server)).toEqual({
      rows: [],
      warnings: [],
      unverified: undefined,
    });
    const queries = server.received
      .map(({ query }) => String(query))
      .filter((query) => /client_id/.test(query));
    expect(queries.at(-1)).toMatch(/client_id=1\b/);
  });

  it('is believed of an empty list', async () => {
    await using server = await openSails({ count: 0 });
    expect(await read('clients', { q: 'Ana' }, server)).toMatchObject({ rows: [], warnings: [] });
  });

  it('is not proven where no record shows the field', async () => {
    const rows = [{ id: '1', name: 'Ana' }];
    await using server = await openMisbehavingServer(({ query }) =>
      json({ data: query.has('email') ? [] : rows }),
    );
    const found = await read('clients', { email: 'bo@x.test' }, server);
    expect(found).toMatchObject({ rows: [], unverified: ['email'] });
    expect(found.warnings).toMatchObject([{ message: expect.stringContaining('Nothing shows whether') }]);
  });

  it('costs our service no request', async () => {
    const service = await openSharedService();
    await using client = openClient(service.origin, {
      credential: { kind: 'bearer', token: service.keys.manager },
    });
    await collect(client.clients.list({ q: 'nobody at all' }));
    expect(client.events.filter(({ type }) => type === 'response')).toHaveLength(1);
  });
});
