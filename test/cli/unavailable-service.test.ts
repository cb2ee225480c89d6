import { afterAll, describe, expect, it } from 'vitest';
import { createMachine } from '../support/io.ts';
import { body, html, json, openMisbehavingServer, type Reply } from '../support/misbehaving-server.ts';
import { createTestClock } from '../support/test-clock.ts';

const machine = createMachine();
afterAll(() => machine[Symbol.dispose]());

/** Runs a command against a server that always answers so, with a clock that only waits advance. */
async function runAgainst(reply: Reply, line: string, columns?: number) {
  await using server = await openMisbehavingServer(() => reply);
  const clock = createTestClock(Date.now());
  const startMs = clock.now();
  const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
  const options = { env, clock, ...(columns && { columns }) };
  const { exitCode, stdout, stderr } = await machine.salon(line.split(' '), options);
  return { exitCode, stdout, stderr, waitedMs: clock.now() - startMs, requests: server.received.length };
}

describe('a read of a service that is unavailable (503) and does not say for how long', () => {
  const down = html('Down', { status: 503 });

  it.each([
    ['a list in a pipe', 'clients list', undefined],
    ['a record in a pipe', 'clients get cli_1 --json', undefined],
    ['an export at a terminal', 'clients list -o clients.csv', 80],
    ['a bulk edit at a terminal', 'clients update --all --set notes=x', 80],
  ])('is repeated for 10 minutes, the default of --max-wait: %s', async (_what, line, columns) => {
    const { exitCode, stdout, stderr, waitedMs } = await runAgainst(down, line, columns);
    expect([exitCode, stdout]).toEqual([5, '']);
    expect(waitedMs).toBeGreaterThan(570_000);
    expect(waitedMs).toBeLessThanOrEqual(600_000);
    // At a terminal, the status line says it instead.
    if (columns === undefined) expect(stderr.match(/Retrying in \d+ s\.\n/g)?.length).toBeGreaterThan(4);
  });

  it.each([
    ['a list at a terminal', 'clients list', 80, 6],
    ['a pipe with --retries', 'clients list --retries 2', undefined, 3],
  ])('gives up after the retries: %s', async (_what, line, columns, requests) => {
    const run = await runAgainst(down, line, columns);
    expect([run.exitCode, run.requests]).toEqual([5, requests]);
    expect(run.waitedMs).toBeLessThan(10_000);
  });

  it('is repeated at a terminal for as long as --max-wait says', async () => {
    const { exitCode, waitedMs } = await runAgainst(down, 'clients list --max-wait 3m', 80);
    expect(exitCode).toBe(5);
    expect(waitedMs).toBeGreaterThan(150_000);
    expect(waitedMs).toBeLessThanOrEqual(180_000);
  });
});

describe('a 403 with Retry-After', () => {
  const limited = (seconds: number) =>
    json({ message: 'Slow down.' }, { status: 403, headers: { 'retry-after': `${seconds}` } });

  it.each(['clients list', 'clients get cli_1', 'api PUT /v1/clients/cli_1 --data {}'])(
    'is a rate limit, which ends with exit code 5 once --max-wait is spent: %s',
    async (line) => {
      const { exitCode, stderr, waitedMs } = await runAgainst(limited(50), `${line} --max-wait 2m`, 80);
      expect([exitCode, waitedMs]).toEqual([5, 100_000]);
      expect(stderr).toMatch(/Slow down\. Try again in 50 s, at /);
    },
  );

  it('is waited for, and the request is repeated', async () => {
    const replies = [limited(40), json({ id: 'cli_1', first_name: 'Ana' })];
    await using server = await openMisbehavingServer(() => replies.shift() ?? body(''));
    const clock = createTestClock(Date.now());
    const startMs = clock.now();
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
    const { exitCode, stdout } = await machine.salon(['api', 'GET', '/v1/clients/cli_1'], { env, clock });
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { id: 'cli_1', first_name: 'Ana' }]);
    expect(clock.now() - startMs).toBe(40_000);
  });

  it.each([
    ['without Retry-After', {}],
    ['with one that says nothing', { 'retry-after': 'soon' }],
  ])('is a missing permission %s: exit code 10', async (_what, headers: Record<string, string>) => {
    const run = await runAgainst(json({ message: 'No.' }, { status: 403, headers }), 'api GET /v1/clients');
    expect([run.exitCode, run.requests, run.waitedMs]).toEqual([10, 1, 0]);
  });
});
