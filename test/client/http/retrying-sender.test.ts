import { describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.ts';
import {
  body,
  halfABody,
  hang,
  html,
  json,
  nothing,
  openMisbehavingServer,
  problem,
  type Reply,
  reset,
} from '../../support/misbehaving-server.ts';
import { openClient, refusal, type TestClient } from '../../support/open-client.ts';
import { createTestClock } from '../../support/test-clock.ts';

const made = json({ id: 'cli_1' }, { status: 201 });
const limited = (headers = {}) => body('', { status: 429, headers });

/** Sends these replies in order, then the last one again and again. */
function inOrder(...replies: Reply[]) {
  return (_request: unknown, index: number): Reply => replies[Math.min(index, replies.length - 1)] ?? hang;
}

describe('a request after a temporary failure', () => {
  const failures: readonly (readonly [string, Reply])[] = [
    ['reset', reset],
    ['half a body', halfABody],
    ['half an object that looks complete', body('{"id": "cli_1')],
    ['503 of the service', problem(503, 'service_unavailable')],
    ...[408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524].map(
      (status) => [`${status}`, html('Oh no', { status })] as const,
    ),
  ];

  it.each(failures)('is retried: %s', async (_what, failure) => {
    await using server = await openMisbehavingServer(inOrder(failure, failure, json({ id: 'cli_1' })));
    await using client = openClient(server.origin);
    expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
    expect(server.received).toHaveLength(3);
  });

  it('fails after the last attempt with the last error', async () => {
    await using server = await openMisbehavingServer(() => html('Bad gateway', { status: 502 }));
    await using client = openClient(server.origin);
    expect(await refusal(client.clients.get('cli_1'))).toMatchObject({ status: 502, retryable: true });
    expect(server.received).toHaveLength(6);
  });

  it('is not retried after a timeout with 0 retries', async () => {
    await using server = await openMisbehavingServer((_request, index) => (index === 0 ? json({}) : hang));
    await using client = openClient(server.origin, { retries: 0, timeoutMs: 300 });
    // Connects first, so that the timeout is about the response.
    await client.request('GET', 'clients');
    expect((await refusal(client.me())).code).toBe('timeout');
    expect(server.received).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 409, 410, 412, 422, 499, 501, 507, 530])(
    'is not retried after a %i',
    async (status) => {
      await using server = await openMisbehavingServer(() => json({ code: 'not_found' }, { status }));
      await using client = openClient(server.origin);
      await refusal(client.clients.delete('cli_1'));
      expect(server.received).toHaveLength(1);
    },
  );
});

describe('a POST', () => {
  it('is not retried after a reset, and its result is unknown', async () => {
    await using server = await openMisbehavingServer(inOrder(reset, made));
    await using client = openClient(server.origin);
    const error = await refusal(client.clients.create({ last_name: 'Ng' }));
    expect(error.code).toBe('result_unknown');
    expect(error.hint).toContain('Check the record');
    expect(server.received).toHaveLength(1);
  });

  it('is retried with the same key if the server honours keys', async () => {
    await using server = await openMisbehavingServer(inOrder(reset, halfABody, made));
    await using client = openClient(server.origin, { dialect: { idempotencyKeys: true } });
    expect(await client.clients.create({ last_name: 'Ng' })).toMatchObject({ id: 'cli_1', outcome: 'done' });
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it.each([
    ['idempotent-replayed', 'true'],
    ['idempotent-replayed', 'false'],
    ['salon-idempotency-keys', '86400'],
  ])('detects from %s: %s that the server honours keys', async (name, value) => {
    const replayed = json({ id: 'cli_1' }, { status: 201, headers: { [name]: value } });
    await using server = await openMisbehavingServer(inOrder(replayed, reset, made));
    await using client = openClient(server.origin);
    await client.clients.create({}, { idempotencyKey: 'row-1' });
    await client.clients.create({}, { idempotencyKey: 'row-2' });
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'row-1',
      'row-2',
      'row-2',
    ]);
  });

  it('is retried while an earlier attempt with the same key is running', async () => {
    const running = problem(409, 'idempotency_key_in_use');
    await using server = await openMisbehavingServer(inOrder(reset, running, running, made));
    await using client = openClient(server.origin, { dialect: { idempotencyKeys: true }, retries: 3 });
    expect((await client.clients.create({})).id).toBe('cli_1');
    expect(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('is not retried after any other 409', async () => {
    await using server = await openMisbehavingServer(inOrder(problem(409, 'appointment_conflict'), made));
    await using client = openClient(server.origin);
    expect(await refusal(client.clients.create({}))).toMatchObject({
      code: 'appointment_conflict',
      retryable: false,
    });
  });

  it('is retried after a 429, a 425, and a 503 of our service', async () => {
    const early = body('', { status: 425 });
    const busy = problem(503, 'service_unavailable');
    await using server = await openMisbehavingServer(inOrder(limited(), early, busy, made));
    await using client = openClient(server.origin);
    expect((await client.clients.create({})).id).toBe('cli_1');
  });
});

describe('a rate limit', () => {
  it('is waited for as often as the server asks, without using up retries', async () => {
    const wait = limited({ 'retry-after': '30' });
    await using server = await openMisbehavingServer(inOrder(wait, wait, wait, wait, json({ id: 'cli_1' })));
    await using client = openClient(server.origin);
    await client.clients.get('cli_1');
    expect(client.clock.waits).toEqual([30_000, 30_000, 30_000, 30_000]);
  });

  it('longer than the maximum wait is an error at once, with its duration', async () => {
    await using server = await openMisbehavingServer(() => limited({ 'retry-after': '1800' }));
    await using client = openClient(server.origin);
    expect(await refusal(client.me())).toMatchObject({ code: 'rate_limited', retryAfterMs: 1_800_000 });
    expect(client.clock.waits).toEqual([]);
  });

  it('that never ends uses up the maximum wait of all requests together', async () => {
    await using server = await openMisbehavingServer(() => limited({ 'retry-after': '30' }));
    await using client = openClient(server.origin, { maxWaitMs: 100_000 });
    await refusal(client.me());
    await refusal(client.me());
    expect(client.clock.waits).toEqual([30_000, 30_000, 30_000]);
  });

  it('with a wait of 0 does not cause a flood of requests', async () => {
    await using server = await openMisbehavingServer(() => limited({ 'retry-after': '0' }));
    await using client = openClient(server.origin, { maxWaitMs: 60_000 });
    expect((await refusal(client.me())).code).toBe('rate_limited');
    expect(server.received.length).toBeLessThan(15);
  });

  it('is read from the headers of any response', async () => {
    const headers = {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4999',
      'x-ratelimit-reset': '60',
    };
    await using server = await openMisbehavingServer(
      inOrder(json({ id: 'cli_1' }, { headers }), json({ id: 'cli_1' })),
    );
    await using client = openClient(server.origin);
    expect(client.limits()).toBeUndefined();
    await client.clients.get('cli_1');
    await client.clients.get('cli_1');
    expect(client.limits()).toMatchObject({ limit: 5000, remaining: 4999 });
  });
});

describe('a server that is down', () => {
  it('does not get a flood of retries from concurrent requests', async () => {
    await using server = await openMisbehavingServer(() => reset);
    await using client = openClient(server.origin);
    await Promise.all(Array.from({ length: 40 }, () => refusal(client.me())));
    // Each of the eight that are sent at a time is retried five times; after that every request fails at once.
    expect(server.received.length).toBeLessThanOrEqual(8 * 6 + 32);
  });
});

describe('concurrent requests', () => {
  it('are limited in number, and waiting does not count towards their timeout', async () => {
    const slow: Reply = (response) => setTimeout(() => json({ id: 'cli_1' })(response), 20);
    await using server = await openMisbehavingServer(() => slow);
    await using client = openClient(server.origin, { concurrency: 3, timeoutMs: 150, retries: 0 });
    await Promise.all(Array.from({ length: 60 }, () => client.clients.get('cli_1')));
    expect(server.mostAtOnce()).toBe(3);
  });

  it('all end at the deadline of the client', async () => {
    await using server = await openMisbehavingServer(() => limited({ 'retry-after': '8' }));
    await using client = openClient(server.origin, { deadlineMs: 20_000 });
    expect((await refusal(client.me())).code).toBe('rate_limited');
    expect(client.clock.waits).toEqual([8000, 8000]);
    await client.clock.sleep(5000, undefined);
    expect((await refusal(client.me())).code).toBe('timeout');
    expect(server.received).toHaveLength(3);
  });
});

describe('a deletion with a lost response', () => {
  it('succeeds if a retry finds nothing', async () => {
    await using server = await openMisbehavingServer(inOrder(reset, problem(404, 'not_found')));
    await using client = openClient(server.origin);
    await expect(client.clients.delete('cli_1')).resolves.toBeUndefined();
  });

  it('fails if the first attempt was certainly not executed', async () => {
    await using server = await openMisbehavingServer(inOrder(limited(), problem(404, 'not_found')));
    await using client = openClient(server.origin);
    expect((await refusal(client.clients.delete('cli_1'))).code).toBe('not_found');
  });
});

describe('a write without a clear response', () => {
  const unclear: readonly (readonly [string, Reply])[] = [
    ...[408, 499, 500, 502, 503, 504, 507, 520, 524, 530].map(
      (status) => [`${status}`, html('Oh no', { status })] as const,
    ),
    ['503 with Retry-After', body('', { status: 503, headers: { 'retry-after': '1' } })],
    ['500 of our service', problem(500, 'internal_error')],
    ['303', body('', { status: 303, headers: { location: '/done' } })],
    ['a reset', reset],
    ['half a body', halfABody],
  ];

  it.each(unclear)('is not repeated if it is a POST, and may have succeeded: %s', async (_what, reply) => {
    await using server = await openMisbehavingServer(() => reply);
    await using client = openClient(server.origin);
    const error = await refusal(client.request('POST', 'clients', { body: {} }));
    expect(error).toMatchObject({ code: 'result_unknown', members: { in_doubt: true } });
    expect(error.message).toMatch(/^The POST may have succeeded\. ./);
    expect(server.received).toHaveLength(1);
  });

  it.each(['PUT', 'DELETE'])('may have succeeded if it is a %s that fails to the end', async (method) => {
    await using server = await openMisbehavingServer(() => problem(500, 'internal_error'));
    await using client = openClient(server.origin);
    const error = await refusal(client.request(method, 'clients/cli_1', { body: {} }));
    expect(error).toMatchObject({ code: 'result_unknown', status: 500, retryable: true });
    expect(server.received).toHaveLength(6);
  });

  it.each([
    ['the connection fails', nothing, 'result_unknown'],
    ['the key is no longer valid', body('', { status: 401 }), 'result_unknown'],
    ['the record is gone', problem(404, 'not_found'), 'result_unknown'],
    ['the body is rejected, as it was before', problem(422, 'validation_failed'), 'validation_failed'],
  ] as const)('keeps its doubt when %s afterwards', async (_what, later, code) => {
    await using server = await openMisbehavingServer(inOrder(reset, later));
    await using client = openClient(server.origin, { retries: 1 });
    expect((await refusal(client.request('PUT', 'clients/cli_1', { body: {} }))).code).toBe(code);
  });

  it('has failed if every attempt was rejected', async () => {
    await using server = await openMisbehavingServer(inOrder(limited(), body('', { status: 400 })));
    await using client = openClient(server.origin);
    expect((await refusal(client.request('PUT', 'clients/cli_1', { body: {} }))).code).toBe('refused');
  });

  it.each([
    ['a page', html('Welcome')],
    ['half a JSON text', body('{"id": "cli_1"')],
    ['an unknown encoding', json({}, { headers: { 'content-encoding': 'zstd' } })],
    ['too deep a JSON text', body(`${'['.repeat(200)}${']'.repeat(200)}`)],
  ])('may have succeeded if the response to it cannot be read: %s', async (_what, reply) => {
    await using server = await openMisbehavingServer(() => reply);
    await using client = openClient(server.origin, { retries: 0 });
    const error = await refusal(client.clients.create({ last_name: 'Ng' }));
    expect(error.message).toMatch(/^The POST may have succeeded\. ./);
    expect(error.members).toMatchObject({ in_doubt: true });
  });
});

describe('a service that restarts for two seconds', () => {
  const write = (method: string) => (client: TestClient) =>
    client.request(method, 'clients/cli_1', { body: {} });
  const requests: readonly (readonly [string, (client: TestClient) => Promise<unknown>])[] = [
    ...['GET', 'HEAD', 'PUT', 'DELETE', 'POST'].map((method) => [`a ${method}`, write(method)] as const),
    ['a list', (client) => collect(client.clients.list())],
  ];
  const chances = [0, 0.5, 0.999];

  it.each(requests.flatMap(([name, act]) => chances.map((chance) => [name, chance, act] as const)))(
    'does not fail %s, with a jitter of %d',
    async (_name, chance, act) => {
      const dialect = { idempotencyKeys: true };
      const endMs = createTestClock().now() + 2_000;
      await using server = await openMisbehavingServer((_request, index) => {
        if (client.clock.now() < endMs) return index % 2 === 0 ? reset : html('Bad gateway', { status: 502 });
        return json({ id: 'cli_1', data: [], pagination: { page: 1, per_page: 200, total: 0 } });
      });
      await using client: TestClient = openClient(server.origin, { random: () => chance, dialect });
      await act(client);
      expect(client.clock.now()).toBeLessThan(endMs + 4_200);
    },
  );
});
