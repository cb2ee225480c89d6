import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../../src/client/client.ts';
import { systemClock } from '../../../src/client/deadline.ts';
import { collect } from '../../support/collect.ts';
import { plain } from '../../support/list-server.ts';
import { hang, json, openMisbehavingServer, problem, type Reply } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

/** Sends a reply only once it is released. */
function createHeld(reply: Reply) {
  const held: ServerResponse[] = [];
  return {
    reply: (response: ServerResponse) => void held.push(response),
    release() {
      for (const response of held.splice(0)) reply(response);
    },
  };
}

/** A client, and a function that stops it once this many requests are in flight. */
function openStopped(origin: string, received: readonly unknown[], options: Partial<ClientOptions> = {}) {
  const stop = new AbortController();
  const client = openClient(origin, { signal: stop.signal, ...options });
  return {
    client,
    stopOnceUnderWay: async (requests = 1) => {
      while (received.length < requests) await new Promise(setImmediate);
      stop.abort('SIGINT');
    },
  };
}

describe('a stopped client', () => {
  it('sends nothing', async () => {
    await using server = await openMisbehavingServer(() => json({}));
    await using client = openClient(server.origin, { signal: AbortSignal.abort() });
    expect((await refusal(client.me())).code).toBe('interrupted');
    expect(server.received).toEqual([]);
  });

  it.each(['GET', 'POST', 'PUT', 'DELETE'])(
    'still receives the response to a %s in flight',
    async (method) => {
      const held = createHeld(json({ id: 'cli_1' }));
      await using server = await openMisbehavingServer(() => held.reply);
      const { client, stopOnceUnderWay } = openStopped(server.origin, server.received);
      await using _client = client;
      const response = client.request(method, 'clients/cli_1');
      await stopOnceUnderWay();
      held.release();
      expect(await response).toMatchObject({ status: 200, body: { id: 'cli_1' } });
      expect(client.events).toContainEqual({ type: 'finishing', requests: 1 });
      expect((await refusal(client.me())).code).toBe('interrupted');
      expect(server.received).toHaveLength(1);
    },
  );

  it('returns only the pages in flight, in order', async () => {
    const held: (() => void)[] = [];
    await using server = await openMisbehavingServer((request, index) =>
      index === 0 ? plain(request) : (response) => void held.unshift(() => plain(request)(response)),
    );
    const { client, stopOnceUnderWay } = openStopped(server.origin, server.received, {
      concurrency: 3,
    });
    await using _client = client;
    const numbers: number[] = [];
    const reading = (async () => {
      for await (const { page } of client.clients.list({ per_page: 20 })) numbers.push(page);
    })();
    await stopOnceUnderWay(4);
    for (const release of held) release();
    expect((await refusal(reading)).code).toBe('interrupted');
    expect(numbers).toEqual([1, 2, 3, 4]);
    expect(server.received).toHaveLength(4);
  });

  it.each([
    [1, 'is whole'],
    [2, 'interrupted'],
  ])('ends a list of %i pages with the first in flight as: %s', async (pages, end) => {
    const held = createHeld(
      json({ data: [{ id: 'cli_1' }], pagination: { page: 1, per_page: 50, total: pages } }),
    );
    await using server = await openMisbehavingServer(() => held.reply);
    const { client, stopOnceUnderWay } = openStopped(server.origin, server.received);
    await using _client = client;
    const reading = collect(client.clients.list()).then(() => 'is whole');
    await stopOnceUnderWay();
    held.release();
    expect(await reading.catch(({ code }) => code)).toBe(end);
  });

  it.each([
    ['GET', undefined],
    ['PUT', true],
    ['DELETE', true],
  ])('does not retry a %s, and reports whether it may have succeeded', async (method, inDoubt) => {
    const held = createHeld(problem(500, 'internal_error'));
    await using server = await openMisbehavingServer(() => held.reply);
    const { client, stopOnceUnderWay } = openStopped(server.origin, server.received);
    await using _client = client;
    const failing = refusal(client.request(method, 'clients/cli_1'));
    await stopOnceUnderWay();
    held.release();
    const { code, members } = await failing;
    expect({ code, inDoubt: members['in_doubt'] }).toEqual({ code: 'interrupted', inDoubt });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['another try', json({}, { status: 503, headers: { 'retry-after': '500' } })],
    ['a limit', json({}, { status: 429, headers: { 'retry-after': '500' } })],
  ])('does not wait for %s', async (_what, reply) => {
    await using server = await openMisbehavingServer(() => reply);
    const stop = new AbortController();
    await using client = openClient(server.origin, {
      signal: stop.signal,
      clock: systemClock,
      observe: ({ type }) => type === 'retry' && stop.abort('SIGINT'),
    });
    expect(await refusal(client.me())).toMatchObject({ code: 'interrupted', members: {} });
  });
});

describe('a closed client', () => {
  it.each([
    ['GET', undefined],
    ['PUT', true],
  ])('cancels a %s in flight, and reports whether it may have succeeded', async (method, inDoubt) => {
    await using server = await openMisbehavingServer(() => hang);
    const client = openClient(server.origin);
    const ending = refusal(client.request(method, 'clients/cli_1'));
    while (server.received.length === 0) await new Promise(setImmediate);
    await client.close();
    const { code, members } = await ending;
    expect({ code, inDoubt: members['in_doubt'] }).toEqual({ code: 'interrupted', inDoubt });
  });
});
