import { describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.ts';
import { openForgetfulServer } from '../../support/forgetful-server.ts';
import {
  body,
  continueFirst,
  halfABody,
  html,
  json,
  nothing,
  openMisbehavingServer,
  problem,
  type Reply,
  replyInOrder,
  reset,
} from '../../support/misbehaving-server.ts';
import { openClient, refusal, type TestClient } from '../../support/open-client.ts';
import { createTestClock } from '../../support/test-clock.ts';

const limited = body('', { status: 429 });

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
    expect(server.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
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
    await using server = await openMisbehavingServer(replyInOrder(reset, later));
    await using client = openClient(server.origin, { retries: 1 });
    expect((await refusal(client.request('PUT', 'clients/cli_1', { body: {} }))).code).toBe(code);
  });

  it('has failed if every attempt was rejected', async () => {
    await using server = await openMisbehavingServer(replyInOrder(limited, body('', { status: 400 })));
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

describe('a request that is answered with 100 Continue, which it did not ask for,', () => {
  const said = /, or a proxy in front of it, sent 100 Continue, which the request did not ask for\.$/;
  const cases = [
    ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'POST'].map((method) => [method, 1] as const),
    ...[['GET', 3] as const, ['PUT', 3] as const],
  ];

  it.each(cases)('is sent once, and the error names it: %s, %i times', async (method, times) => {
    await using server = await openMisbehavingServer(() => continueFirst(json({ id: 'cli_1' }), times));
    // That keys are honoured would let a POST be repeated.
    await using client = openClient(server.origin, { dialect: { idempotencyKeys: true } });
    const error = await refusal(client.request(method, 'clients/cli_1', { body: {} }));
    expect(error).toMatchObject({ code: 'unexpected_response', retryable: false });
    expect(error.message).toMatch(said);
    expect(server.received).toHaveLength(1);
    const isWrite = method !== 'GET' && method !== 'HEAD';
    expect(error.members['in_doubt']).toBe(isWrite ? true : undefined);
    expect(client.events.filter(({ type }) => type === 'warning')).toHaveLength(isWrite ? 1 : 0);
  });

  it('is a POST that no question about idempotency keys follows', async () => {
    await using server = await openMisbehavingServer(() => continueFirst(json({ id: 'cli_1' })));
    await using client = openClient(server.origin);
    await refusal(client.request('POST', 'clients', { body: {} }));
    expect(server.received).toHaveLength(1);
  });

  it('is a change that is made: it is looked up, and a warning names what the server did, once', async () => {
    const records = [{ id: 'cli_1', notes: 'old' }];
    const answer = () => continueFirst(json(null));
    await using server = await openForgetfulServer({ records, answer, executes: true });
    await using client = openClient(server.origin);
    for (const notes of ['new', 'newer']) {
      expect(await client.clients.update('cli_1', { notes })).toMatchObject({ record: { notes } });
    }
    expect(server.received.filter(({ method }) => method === 'PUT')).toHaveLength(2);
    const warnings = client.events.filter((event) => event.type === 'warning');
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/ sent 100 Continue, which the request did not ask for\. No change is repeated /),
    ]);
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
