import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListStream } from '../../../src/service/domain/list-stream.ts';
import { createBudget } from '../../../src/service/http/connections.ts';
import { sendStream, streamLimits } from '../../../src/service/http/responses.ts';
import { sendRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const total = 2300;
let service: TestService;
beforeAll(async () => {
  service = await openTestService({ clients: 23, appointments: total });
});
afterAll(() => service[Symbol.asyncDispose]());

const lines = { accept: 'application/x-ndjson' };
const marked = { ...lines, prefer: 'cursors' };

function get(path: string, headers: Readonly<Record<string, string>> = lines): Promise<TestResponse> {
  return sendRequest(`${service.origin}${path}`, { key: service.keys.owner, headers });
}

function toLines({ text }: TestResponse): Record<string, unknown>[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

describe('a whole list', () => {
  it('has a record a line, with version and total in front', async () => {
    const response = await get('/v1/clients');
    const page = await get('/v1/clients?per_page=200', {});
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'salon-collection-version': page.headers['salon-collection-version'],
      'salon-total': '23',
      'transfer-encoding': 'chunked',
      vary: 'Accept, Prefer',
    });
    expect(toLines(response)).toEqual(toJson(page)['data']);
  });

  it('has no lines if it is empty', async () => {
    const response = await get('/v1/payments?client_id=cli_none');
    expect([response.status, response.headers['salon-total'], response.text]).toEqual([200, '0', '']);
  });

  it('has cursors and an end if they are preferred', async () => {
    const response = await get('/v1/appointments?sort=start_time', marked);
    expect(response.headers['preference-applied']).toBe('cursors');
    const all = toLines(await get('/v1/appointments?sort=start_time'));
    const [rows, marks] = [true, false].map((isRow) =>
      toLines(response).filter((line) => 'id' in line === isRow),
    );
    expect(rows).toEqual(all);
    const cursors = Array.from({ length: Math.floor(total / 200) }, () => ({ cursor: expect.any(String) }));
    expect(marks).toEqual([...cursors, { end: true, rows: total }]);
    const cursor = String(marks?.[0]?.['cursor']);
    const rest = toLines(await get(`/v1/appointments?sort=start_time&after=${cursor}`, marked));
    expect(rest.at(-1)).toEqual({ end: true, rows: total - 200 });
    expect(rest.filter((line) => 'id' in line)).toEqual(all.slice(200));
  });

  it.each([
    ['any type', '*/*'],
    ['JSON', 'application/json'],
    ['JSON rather than lines', 'application/x-ndjson;q=0.5, application/json'],
    ['lines with a weight of 0', 'application/x-ndjson;q=0'],
  ])('is not sent to a client that accepts %s', async (_what, accept) => {
    const response = await get('/v1/clients', { accept });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('is preferred to a page by a client that accepts both', async () => {
    const response = await get('/v1/clients', { accept: 'application/x-ndjson, application/json;q=0.9' });
    expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  });

  it.each([
    ['a page after the first', '/v1/clients?page=2', 400, 'invalid_parameter'],
    ['a cursor of another list', '/v1/clients?after=x', 400, 'invalid_parameter'],
    ['an unknown filter', '/v1/clients?colour=red', 400, 'invalid_parameter'],
  ])('is refused for %s', async (_what, path, status, code) => {
    const response = await get(path);
    expect([response.status, toJson(response)['code']]).toEqual([status, code]);
  });

  it('is refused without the right to read it', async () => {
    const { key } = await service.addKey({ scopes: ['clients:read'] });
    const response = await sendRequest(`${service.origin}/v1/payments`, { key, headers: lines });
    expect([response.status, toJson(response)['code']]).toEqual([403, 'insufficient_scope']);
  });

  it('is in the audit log as an export', async () => {
    const { key } = await service.addKey({});
    const path = '/v1/appointments?start_time_from=2000-01-01';
    await sendRequest(`${service.origin}${path}`, { key, headers: lines });
    const log = toJson(await get('/v1/audit-log?action=appointment.exported', {}));
    const details = (log['data'] as { details: { rows: number; filters: string[] } }[]).map(
      (entry) => entry.details,
    );
    const own = details.filter(({ filters }) => filters.includes('start_time_from'));
    expect(own.reduce((sum, { rows }) => sum + rows, 0)).toBe(total);
  });
});

describe('the cost of a whole list', () => {
  const hourlyLimit = 40;
  const now = () => new Date('2026-11-21T09:30:00Z');

  it('is a request for every 1,000 records', async () => {
    await using limited = await openTestService({ appointments: total, hourlyLimit, now });
    const send = (path: string) =>
      sendRequest(`${limited.origin}${path}`, { key: limited.keys.owner, headers: lines });
    const left = async (path: string) => (await send(path)).headers['x-ratelimit-remaining'];
    expect(await left('/v1/appointments')).toBe('37');
    expect(await left('/v1/clients')).toBe('36');
  });

  it('is refused if less is left, and never more than half of the limit', async () => {
    await using limited = await openTestService({ appointments: total, hourlyLimit: 3, now });
    const send = (path: string) =>
      sendRequest(`${limited.origin}${path}`, { key: limited.keys.owner, headers: lines });
    expect((await send('/v1/appointments')).headers['x-ratelimit-remaining']).toBe('1');
    const refused = await send('/v1/appointments');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1800']);
    expect(toJson(refused)['detail']).toBe(
      'The list costs 2 requests, and the account has 0 left for this hour.',
    );
  });
});

/** A server whose only list never ends, and the connections to it. */
async function openEndlessServer(batch: () => Promise<Buffer>) {
  const closed = Promise.withResolvers<void>();
  const status = { allowed: true, refusedBy: null, limit: 5, remaining: 5, resetSeconds: 1, resetAt: 1 };
  const limiter = {
    take: async () => status,
    charge: async () => status,
    refund() {},
    async close() {},
  };
  const credentials = { read: () => Promise.reject(), count() {}, async save() {} };
  const slots = createBudget(streamLimits);
  const app = fastify({ forceCloseConnections: true });
  app.decorateRequest('caller', null);
  app.get('/', (request, reply) => {
    request.caller = { account: { id: 'acc_1', hourlyLimit: 5 } } as never;
    const open = async (): Promise<ListStream> => ({
      total: 1,
      version: 1,
      async *batches() {
        for (;;) yield { lines: await batch(), count: 1, next: 'x' };
      },
      async [Symbol.asyncDispose]() {
        closed.resolve();
      },
    });
    return sendStream(
      { request, reply, open, onBatch: async () => {} },
      { limiter, credentials, slots, stallMs: 100 },
    );
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'readable');
  return {
    closed: closed.promise,
    socket,
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await app.close();
    },
  };
}

describe('the stream of a whole list', () => {
  it('ends when the client takes nothing', async () => {
    let sent = 0;
    await using server = await openEndlessServer(async () => {
      sent += 1;
      return Buffer.alloc(1_048_576, 'x');
    });
    await server.closed;
    expect(sent).toBeGreaterThan(1);
  });

  it('ends when the client goes', async () => {
    await using server = await openEndlessServer(async () => Buffer.alloc(1_048_576, 'x'));
    server.socket.destroy();
    await server.closed;
  });

  it('does not end while the client waits for the database', async () => {
    const waiting = Promise.withResolvers<Buffer>();
    let batches = 0;
    await using server = await openEndlessServer(async () => {
      batches += 1;
      // Three times as long as a client may take nothing.
      if (batches === 2) setTimeout(() => waiting.resolve(Buffer.from('second\n')), 300);
      if (batches === 3) return await new Promise<never>(() => {});
      return batches === 1 ? Buffer.from('first\n') : waiting.promise;
    });
    let text = '';
    for await (const chunk of server.socket) {
      text += String(chunk);
      if (text.includes('second')) break;
    }
    expect(text).toContain('second');
  });
});

describe('the streams at a time', () => {
  it('are two for each account and twelve in all', () => {
    const slots = createBudget(streamLimits);
    expect([1, 2, 3].map(() => slots.take('acc_0', 1))).toEqual([true, true, false]);
    slots.give('acc_0', 1);
    expect([1, 2].map(() => slots.take('acc_0', 1))).toEqual([true, false]);
    const others = [1, 2, 3, 4, 5].flatMap((account) => [1, 2].map(() => slots.take(`acc_${account}`, 1)));
    expect(others).not.toContain(false);
    expect(slots.take('acc_6', 1)).toBe(false);
  });
});
