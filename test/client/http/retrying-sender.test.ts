import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import {
  body,
  halfABody,
  hang,
  html,
  json,
  openMisbehavingServer,
  problem,
  type Reply,
  replyInOrder,
  reset,
} from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

const made = json({ id: 'cli_1', last_name: 'Ng' }, { status: 201 });
const limited = (headers = {}) => body('', { status: 429, headers });

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
    await using server = await openMisbehavingServer(replyInOrder(failure, failure, json({ id: 'cli_1' })));
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
    await using client = openClient(server.origin, { retries: 0, timeoutMs: 2_000 });
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
      await refusal(client.request('DELETE', 'clients/cli_1'));
      expect(server.received).toHaveLength(1);
    },
  );
});

describe('a request that waits for its turn', () => {
  it('goes out before the response before it is used', async () => {
    await using server = await openMisbehavingServer(() => json({ id: 'cli_1' }));
    await using client = openClient(server.origin, { concurrency: 1 });
    let sent = 0;
    const count = () => {
      sent += 1;
    };
    subscribe('undici:client:sendHeaders', count);
    try {
      const requests = [1, 2, 3].map(() => client.clients.get('cli_1').then(() => sent));
      expect(await Promise.all(requests)).toEqual([2, 3, 3]);
    } finally {
      unsubscribe('undici:client:sendHeaders', count);
    }
  });
});

describe('a POST', () => {
  it('is not retried after a reset, and its result is unknown', async () => {
    await using server = await openMisbehavingServer(replyInOrder(reset, made));
    await using client = openClient(server.origin);
    const error = await refusal(client.request('POST', 'clients', { body: { last_name: 'Ng' } }));
    expect(error.code).toBe('result_unknown');
    expect(error.hint).toContain('Check the record');
    expect(server.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is retried with the same key if the server honours keys', async () => {
    await using server = await openMisbehavingServer(replyInOrder(reset, halfABody, made));
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
    await using server = await openMisbehavingServer(replyInOrder(replayed, reset, made));
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
    await using server = await openMisbehavingServer(replyInOrder(reset, running, running, made));
    await using client = openClient(server.origin, { dialect: { idempotencyKeys: true }, retries: 3 });
    expect((await client.clients.create({})).id).toBe('cli_1');
    expect(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('is not retried after any other 409', async () => {
    await using server = await openMisbehavingServer(
      replyInOrder(problem(409, 'appointment_conflict'), made),
    );
    await using client = openClient(server.origin);
    expect(await refusal(client.clients.create({}))).toMatchObject({
      code: 'appointment_conflict',
      retryable: false,
    });
  });

  it('is retried after a 429, a 425, and a 503 of our service', async () => {
    const early = body('', { status: 425 });
    const busy = problem(503, 'service_unavailable');
    await using server = await openMisbehavingServer(replyInOrder(limited(), early, busy, made));
    await using client = openClient(server.origin);
    expect((await client.clients.create({})).id).toBe('cli_1');
  });
});

describe('a rate limit', () => {
  it('is waited for as often as the server asks, without using up retries', async () => {
    const wait = limited({ 'retry-after': '30' });
    await using server = await openMisbehavingServer(
      replyInOrder(wait, wait, wait, wait, json({ id: 'cli_1' })),
    );
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
      replyInOrder(json({ id: 'cli_1' }, { headers }), json({ id: 'cli_1' })),
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
    const slow: Reply = (response) => setTimeout(() => json({ id: 'cli_1' })(response), 100);
    await using server = await openMisbehavingServer(() => slow);
    await using client = openClient(server.origin, { concurrency: 3, timeoutMs: 1500, retries: 0 });
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
    await using server = await openMisbehavingServer(replyInOrder(reset, problem(404, 'not_found')));
    await using client = openClient(server.origin);
    await expect(client.clients.delete('cli_1')).resolves.toBeUndefined();
  });

  it('fails if the first attempt was certainly not executed', async () => {
    await using server = await openMisbehavingServer(replyInOrder(limited(), problem(404, 'not_found')));
    await using client = openClient(server.origin);
    expect((await refusal(client.clients.delete('cli_1'))).code).toBe('not_found');
  });
});
