import { describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.ts';
import { allIds, clients, idsOf, plain } from '../../support/list-server.ts';
import { body, openMisbehavingServer, type Received, type Reply } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { type Streamed, streaming } from '../../support/streaming-server.ts';

/** Responds to each request with the next of these, and to further ones with the last. */
function inTurn(...responses: readonly Streamed[]) {
  return (request: Received, index: number): Reply =>
    streaming(request, responses[Math.min(index, responses.length - 1)]);
}

describe('a list in one response', () => {
  it('is asked for in a way that a page is a response too', async () => {
    await using server = await openMisbehavingServer(plain);
    await using client = openClient(server.origin);
    expect(await idsOf(client)).toEqual(allIds);
    expect(server.received.map(({ headers }) => headers.accept)).toEqual([
      'application/x-ndjson, application/json;q=0.9',
      'application/json',
      'application/json',
    ]);
  });

  it('is read with one request', async () => {
    await using server = await openMisbehavingServer(inTurn({}));
    await using client = openClient(server.origin);
    const list = client.clients.list();
    const pages = await collect(list);
    expect(pages.map(({ rows }) => rows.length)).toEqual([100, 100, 100, 100, 50]);
    expect(pages.flatMap(({ rows }) => rows)).toEqual(clients);
    expect(server.received).toHaveLength(1);
    expect(list.consistency()).toMatchObject({
      kind: 'exact',
      rows: 450,
      distinct: 450,
      requests: 1,
      isStreamed: true,
      versions: { first: 1, last: 1 },
    });
    expect(client.events.map(({ type }) => type)).toEqual(['request', 'response']);
  });

  it.each(['gzip', 'Identity, x-gzip'])('may be compressed: %s', async (encoding) => {
    const headers = { 'content-encoding': encoding };
    await using server = await openMisbehavingServer(inTurn({ isCompressed: true, headers }));
    await using client = openClient(server.origin);
    expect(await idsOf(client)).toEqual(allIds);
  });

  it.each([
    ['within a part', 150],
    ['right after a cursor', 101],
    ['before its last line', 454],
  ])('continues after the last cursor when it is cut %s', async (_what, cutAfter) => {
    await using server = await openMisbehavingServer(inTurn({ cutAfter }, {}));
    await using client = openClient(server.origin);
    const list = client.clients.list();
    const pages = await collect(list);
    expect(pages.flatMap(({ rows }) => rows)).toEqual(clients);
    const last = Math.floor(cutAfter / 101) * 100;
    expect(server.received.map(({ query }) => query.get('after'))).toEqual([null, `cli_${last}`]);
    expect(list.consistency()).toMatchObject({ kind: 'exact', requests: 2, rows: 450, distinct: 450 });
  });

  it('is consistent, not exact, if it has changed when it continues', async () => {
    await using server = await openMisbehavingServer(inTurn({ cutAfter: 150 }, { version: 2 }));
    await using client = openClient(server.origin);
    const list = client.clients.list();
    await collect(list);
    expect(list.consistency()).toMatchObject({ kind: 'consistent', versions: { first: 1, last: 2 } });
  });

  it('fails when it is cut again and again at the same place, and can be resumed', async () => {
    await using server = await openMisbehavingServer((request, index) =>
      streaming(request, index < 5 ? { cutAfter: index === 0 ? 150 : 50 } : {}),
    );
    await using client = openClient(server.origin);
    const error = await refusal(collect(client.clients.list()));
    expect(error).toMatchObject({ code: 'response_truncated', members: { rows_read: 100 } });
    expect(server.received).toHaveLength(5);
    const from = error.members['resume_at'] as never;
    const rest = await collect(client.clients.list({}, { from }));
    expect(rest.flatMap(({ rows }) => rows)).toEqual(clients.slice(100));
    expect(server.received).toHaveLength(6);
  });

  it.each<[string, Streamed, string]>([
    ['rows are missing', { end: { end: true, rows: 451 } }, 'unexpected_response'],
    ['the end is no mark', { end: { id: 'cli_451' } }, 'response_truncated'],
    ['a line is no record', { end: [1] }, 'unexpected_response'],
  ])('fails if %s', async (_what, response, code) => {
    await using server = await openMisbehavingServer(inTurn(response));
    await using client = openClient(server.origin);
    expect((await refusal(collect(client.clients.list()))).code).toBe(code);
  });

  it.each<[string, Streamed]>([
    ['has no marks', { headers: { 'preference-applied': 'none' } }],
    ['has no total', { headers: { 'salon-total': '' } }],
  ])('is not used if it %s', async (_what, streamed) => {
    await using server = await openMisbehavingServer((request, index) =>
      index === 0 ? streaming(request, streamed) : plain(request),
    );
    await using client = openClient(server.origin);
    expect(await idsOf(client)).toEqual(allIds);
  });

  it.each([406, 415])('is not asked for again by a server that responds with %i', async (status) => {
    await using server = await openMisbehavingServer((request, index) =>
      index === 0 ? body('', { status }) : plain(request),
    );
    await using client = openClient(server.origin);
    expect(await idsOf(client)).toEqual(allIds);
    expect(server.received).toHaveLength(4);
  });

  it('ends where the limit ends', async () => {
    await using server = await openMisbehavingServer(inTurn({}));
    await using client = openClient(server.origin);
    const pages = await collect(client.clients.list({}, { limit: 250 }));
    expect(pages.flatMap(({ rows }) => rows)).toEqual(clients.slice(0, 250));
    expect(server.received).toHaveLength(1);
  });

  it.each<[string, object, object]>([
    ['a page is enough', {}, { limit: 200 }],
    ['the page size is given', { per_page: 100 }, {}],
    ['the page size is a parameter', {}, { parameters: { per_page: '100' } }],
  ])('is not asked for if %s', async (_what, query, options) => {
    await using server = await openMisbehavingServer(plain);
    await using client = openClient(server.origin);
    await collect(client.clients.list(query, options));
    expect(server.received[0]?.headers.accept).toBe('application/json');
  });

  it('leaves connections for other requests, even if there may be only one', async () => {
    const many = { marked: 10 };
    await using server = await openMisbehavingServer((request) =>
      request.path === '/api/v1/clients' ? streaming(request, many) : body('{"id":"cli_1"}'),
    );
    await using client = openClient(server.origin, { concurrency: 1 });
    let lookups = 0;
    for await (const _page of client.clients.list()) {
      await client.clients.get('cli_1');
      lookups += 1;
    }
    expect(lookups).toBe(45);
  });

  it('stops at once when the client is stopped', async () => {
    const stop = new AbortController();
    await using server = await openMisbehavingServer(() => (response) => {
      response.writeHead(200, {
        'content-type': 'application/x-ndjson',
        'salon-total': '2',
        'preference-applied': 'cursors',
      });
      response.write('{"id":"cli_1"}\n{"cursor":"cli_1"}\n');
    });
    await using client = openClient(server.origin, { signal: stop.signal });
    const pages = client.clients.list()[Symbol.asyncIterator]();
    expect((await pages.next()).value).toMatchObject({ rows: [{ id: 'cli_1' }] });
    stop.abort();
    expect(await refusal(pages.next())).toMatchObject({ code: 'interrupted' });
  });
});
