import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/io.ts';
import { body, json, type MisbehavingServer, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { sendRequest } from '../support/send-request.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { createTestClock } from '../support/test-clock.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
});
afterEach(() => machine[Symbol.dispose]());

const busy = {
  code: 'service_unavailable',
  title: 'Busy',
  status: 503,
  detail: 'Too many requests are waiting.',
};

function openBusyServer(): Promise<MisbehavingServer> {
  return openMisbehavingServer(() => json(busy, { status: 503, headers: { 'retry-after': '30' } }));
}

/** A service whose account has no request left, and five minutes of its hour. */
async function openUsedUpService(): Promise<TestService> {
  const service = await openTestService({ hourlyLimit: 1, now: () => new Date('2026-11-24T10:55:00Z') });
  await sendRequest(`${service.origin}/v1/clients`, { key: service.keys.owner });
  return service;
}

/** Lists clients, and presses Ctrl-C as soon as there is a message. */
function listUntilMessage({ origin, key }: { origin: string; key: string }, ...flags: string[]) {
  const controller = new AbortController();
  return machine.salon(['clients', 'list', ...flags], {
    env: { SALON_BASE_URL: origin, SALON_API_KEY: key },
    signal: controller.signal,
    watch: ({ stderr }) => {
      if (stderr.endsWith('\n')) controller.abort('SIGINT');
    },
  });
}

describe('a command that has to wait', () => {
  it('says for what, on a server that is too busy (503)', async () => {
    await using server = await openBusyServer();
    const { stdout, stderr, exitCode } = await listUntilMessage({ origin: server.origin, key: 'k' });
    expect(stderr).toMatch(/^Too many requests are waiting\. Retrying in \d+ s\.\n/);
    expect([stdout, exitCode]).toEqual(['', 130]);
  });

  it.each(['503', '429'])(
    'is retried as often as --retries says, except at a rate limit: %s',
    async (status) => {
      await using server = await openMisbehavingServer((_request, index) =>
        index < 6
          ? body('', { status: Number(status), headers: { 'retry-after': '0' } })
          : json({ id: 'cli_1' }),
      );
      const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' };
      const argv = ['api', 'GET', '/v1/clients/cli_1', '--retries', '1'];
      const { exitCode } = await machine.salon(argv, { env, clock: createTestClock() });
      expect([exitCode, server.received.length]).toEqual(status === '503' ? [5, 2] : [0, 7]);
    },
  );

  it('says for what, at the limit of the plan (429)', async () => {
    await using service = await openUsedUpService();
    const { stdout, stderr, exitCode } = await listUntilMessage({
      origin: service.origin,
      key: service.keys.owner,
    });
    expect(stderr).toMatch(/^[^\n]*(?:Retrying in|Waiting) 5 min[^\n]*\.\n/);
    expect([stdout, exitCode]).toEqual(['', 130]);
  });

  it('ends with exit code 5 where the wait is too long', async () => {
    await using server = await openBusyServer();
    await using service = await openUsedUpService();
    const busyRun = await listUntilMessage({ origin: server.origin, key: 'k' }, '--max-wait', '1s');
    expect([busyRun.exitCode, busyRun.stderr]).toEqual([
      5,
      expect.stringContaining('Too many requests are waiting.'),
    ]);
    const key = service.keys.owner;
    const limited = await listUntilMessage({ origin: service.origin, key }, '--max-wait', '1s');
    expect([limited.exitCode, limited.stderr]).toEqual([5, expect.stringMatching(/Try again in 5 min, at/)]);
  });
});
