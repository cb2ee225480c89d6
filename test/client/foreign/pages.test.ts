import { describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.ts';
import { allIds, idsOf, plain } from '../../support/list-server.ts';
import { json, openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openRecognised } from '../../support/open-recognised.ts';

describe('the page size', () => {
  it.each([400, 422])('is not sent where the sign-in found that it is refused with %i', async (status) => {
    await using server = await openMisbehavingServer((request) =>
      request.query.has('per_page') ? json({ error: 'no' }, { status }) : plain(request),
    );
    await using client = await openRecognised(server.origin);
    expect(client.dialect().perPageParameter).toBeNull();
    const before = server.received.length;
    expect(await idsOf(client)).toEqual(allIds);
    expect(server.received.slice(before).some(({ query }) => query.has('per_page'))).toBe(false);
  });

  it('is kept after an error that names another parameter', async () => {
    const refused = problem(400, 'invalid_parameter', {
      errors: [{ parameter: 'q', code: 'x', detail: 'x' }],
    });
    await using server = await openMisbehavingServer(() => refused);
    await using client = openClient(server.origin);
    expect((await refusal(idsOf(client))).code).toBe('invalid_parameter');
    expect(server.received).toHaveLength(1);
  });

  it('is as small as the limit allows', async () => {
    await using server = await openMisbehavingServer(plain);
    await using client = openClient(server.origin);
    const pages = await collect(client.clients.list({}, { limit: 3 }));
    expect(pages).toMatchObject([{ total: 450, rows: [{ id: 'cli_1' }, { id: 'cli_2' }, { id: 'cli_3' }] }]);
    expect(server.received.map(({ query }) => query.get('per_page'))).toEqual(['3']);
  });
});

describe('a list query', () => {
  it('uses the server’s parameter names', async () => {
    await using server = await openMisbehavingServer(plain);
    const dialect = { filterNames: { status: 'state' }, pageParameter: 'p', perPageParameter: 'size' };
    await using client = openClient(server.origin, { dialect });
    const query = { status: 'pending,confirmed', sort: '-start_time' } as const;
    await refusal(collect(client.appointments.list(query, { parameters: { region: 'north' } })));
    const sent = server.received.map(({ query: parameters }) => Object.fromEntries(parameters));
    const everywhere = { state: 'pending,confirmed', sort: '-start_time', size: '200', region: 'north' };
    expect(sent[0]).toEqual(everywhere);
    expect(sent).toContainEqual({ ...everywhere, size: '50', p: '2' });
  });

  it('follows a cursor with all its parameters', async () => {
    const next = { link: '</api/v1/clients?page=2&per_page=200&q=a&tag=x&tag=y&after=abc>; rel="next"' };
    await using server = await openMisbehavingServer(({ query }) =>
      json(
        { data: [{ id: query.get('after') }] },
        { headers: query.has('after') ? { link: '</>; rel="prev"' } : next },
      ),
    );
    await using client = openClient(server.origin, { dialect: { paging: 'page' } });
    await collect(client.clients.list({ q: 'a' }));
    expect(String(server.received[1]?.query)).toBe('page=2&per_page=200&q=a&tag=x&tag=y&after=abc');
  });
});

it('is not resumed where a list is read some days at a time', async () => {
  await using server = await openMisbehavingServer(plain);
  const dialect = { lists: { appointments: { mostDays: 31 } } };
  await using client = openClient(server.origin, { dialect });
  const range = { start_time_from: '2026-03-01T00:00:00Z', start_time_to: '2026-06-01T00:00:00Z' };
  const from = { page: 2, perPage: 100, rows: 100 };
  const read = async () => collect(client.appointments.list(range, { from }));
  const error = await refusal(read());
  expect(error.message).toContain('cannot be resumed');
  expect(server.received).toEqual([]);
});
