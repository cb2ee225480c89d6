import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { verifyWebhook } from '../../../src/webhooks/verify.ts';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import {
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
} from '../../support/misbehaving-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';

/** The clock stands still, so that no retry falls due however long a test takes, and no day ends. */
const now = new Date('2026-11-24T10:05:00Z');
const says = 'no such table: hooks\nkey=slk_4f9aB2c8d1E7\u001b[31m';
let service: TestService;
let receiver: MisbehavingServer;
let machine: Machine;

beforeAll(async () => {
  service = await openTestService({ now: () => now });
  receiver = await openMisbehavingServer(({ path }) => (response) => {
    if (path === '/silent') return;
    if (path === '/says') return response.writeHead(500).end(says);
    response.writeHead(Number(path.slice(1))).end();
  });
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});
beforeEach(() => {
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.manager, NO_COLOR: '1' };
  machine = createMachine({ env, now, timeZone: 'Europe/Berlin' });
});
afterEach(() => machine[Symbol.dispose]());

function salon(line: string, world: RunOptions = {}) {
  return machine.salon(['webhooks', ...line.split(' ')], world);
}

/** A webhook to a receiver that responds with this status, or not at all. */
async function create(answer: string): Promise<string> {
  const line = `create ${receiver.origin}/${answer} --events webhook.test --json`;
  return JSON.parse((await salon(line)).stdout).id;
}

/** What was sent to the webhook, by the event's identifier. */
function receivedBy(answer: string): readonly Received[] {
  return receiver.received.filter(({ path }) => path === `/${answer}`);
}

describe('salon webhooks deliveries', () => {
  it('of a webhook that does not exist say so, and nothing about base URLs', async () => {
    const ran = await salon('deliveries whk_nope');
    expect([ran.exitCode, ran.stderr]).toEqual([6, expect.stringContaining('No webhook with ID whk_nope')]);
    expect(ran.stderr).not.toContain('base URL');
  });

  it('with a status that there is not exit with code 2', async () => {
    expect((await salon('deliveries --status bogus')).exitCode).toBe(2);
  });
});

describe('salon webhooks test', () => {
  it('prints the duration and the response', async () => {
    const id = await create('204');
    const ran = await salon(`test ${id}`, { columns: 80 });
    expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
    expect(ran.stderr).toMatch(/^Delivered in \d+ ms with status 204\.$/m);
    expect(receivedBy('204')).toHaveLength(1);
  });

  it('signs with the secret that was shown', async () => {
    const { secret, id } = JSON.parse((await salon(`create ${receiver.origin}/200 --json`)).stdout);
    await salon(`test ${id}`);
    const { headers, body } = receivedBy('200').at(-1) ?? { headers: {}, body: '' };
    expect(verifyWebhook(headers, body, secret, { now })).toMatchObject({
      type: 'webhook.test',
      data: { object: { id } },
    });
  });

  it.each([
    { answer: '500', said: /^Not delivered\. HTTP 500\. Next attempt in \d s\.$/m },
    {
      answer: '410',
      said: /^Not delivered\. HTTP 410\. The webhook was disabled\. There will be no retry\.$/m,
    },
  ])('exits 1 after $answer and prints the time of the next attempt', async ({ answer, said }) => {
    const ran = await salon(`test ${await create(answer)} --json`);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(said);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      event_type: 'webhook.test',
      attempt_count: 1,
      last_response: answer,
    });
  });

  it('exits 1 with the reason if nothing listens', async () => {
    const { id } = JSON.parse((await salon('create http://127.0.0.1:9/x --json')).stdout);
    const ran = await salon(`test ${id}`);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/^Not delivered\. .+\. Next attempt in \d s\.$/m);
  });

  it('exits 5 without a response in time, with a hint on how to check later', async () => {
    const id = await create('silent');
    const ran = await salon(`test ${id} --max-wait 10ms --json`);
    expect(ran).toMatchObject({ exitCode: 5, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      code: 'timeout',
      retryable: true,
      hint: expect.stringContaining(`salon webhooks deliveries ${id}`),
    });
  });

  it('does not wait with --no-wait; sends nothing with --dry-run', async () => {
    const id = await create('202');
    const dry = await salon(`test ${id} --dry-run`);
    expect(dry.stderr).toBe(`Dry run: would send webhook.test to ${receiver.origin}/202.\n`);
    expect(await listDeliveries(id)).toEqual([]);
    const ran = await salon(`test ${id} --no-wait --json`);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(await listDeliveries(id)).toMatchObject([{ id: JSON.parse(ran.stdout).id }]);
  });
});

async function listDeliveries(id: string, flags = ''): Promise<Delivery[]> {
  return JSON.parse((await salon(`deliveries ${id} --json ${flags}`.trim())).stdout);
}

describe('salon webhooks deliveries', () => {
  it('prints everything as JSON, with the number of attempts and the last response', async () => {
    const id = await create('200');
    await salon(`test ${id}`);
    expect(await listDeliveries(id)).toEqual([
      expect.objectContaining({
        webhook_id: id,
        status: 'delivered',
        attempts: [expect.objectContaining({ number: 1, status_code: 200 })],
        event: expect.objectContaining({ type: 'webhook.test' }),
        attempt_count: 1,
        last_response: '200',
      }),
    ]);
  });

  it('shows time, event, status and last response in a table', async () => {
    const id = await create('500');
    await salon(`test ${id}`);
    const wide = await salon(`deliveries ${id}`, { columns: 120 });
    expect(wide.stdout).toMatch(/^Created +Event type +Status +Attempts +Last response +Next attempt +ID\n/);
    expect(wide.stdout).toMatch(/ {2}webhook\.test +pending +1 +500 +\S+ \S+ +dlv_\S+$/m);
    const narrow = await salon(`deliveries ${id}`, { columns: 80 });
    expect(narrow.stdout).toMatch(/^Created +Event type +Status +Attempts +Last response +/);
  });

  it.each([
    ['--status delivered', 1],
    ['--status pending', 0],
    ['--from today', 1],
    ['--from +1d', 0],
    ['--to yesterday', 0],
    ['--from today --to today', 1],
  ])('filters with %s', async (flags, count) => {
    const id = await create('200');
    await salon(`test ${id}`);
    expect(await listDeliveries(id, flags)).toHaveLength(count);
  });

  it('shows what the receiver answered: in the table, as JSON and after a test', async () => {
    const id = await create('says');
    const tested = await salon(`test ${id}`);
    expect(tested.stderr).toMatch(
      /^Not delivered\. HTTP 500\. The receiver answered: no such table: hooks⏎key=slk_…\ufffd\[31m Next attempt/m,
    );
    const table = await salon(`deliveries ${id}`, { columns: 160 });
    expect(table.stdout).toMatch(/ 500 no such table: hooks⏎key=slk_…/);
    const [listed] = await listDeliveries(id);
    expect(listed).toMatchObject({
      last_response: '500',
      response_text: 'no such table: hooks\nkey=slk_…\ufffd[31m',
      attempts: [{ response: 'no such table: hooks\nkey=slk_…\ufffd[31m' }],
    });
  });

  it('says of a pending delivery that it was not sent yet', async () => {
    const { id } = JSON.parse((await salon(`create ${receiver.origin}/silent --json`)).stdout);
    await salon(`test ${id} --no-wait`);
    expect(await listDeliveries(id)).toMatchObject([{ status: 'pending', last_response: 'not sent yet' }]);
    await salon(`delete ${id} --yes`);
  });

  it('exits 6 for an unknown webhook', async () => {
    expect(await salon('deliveries whk_none')).toMatchObject({ exitCode: 6, stdout: '' });
  });
});

describe('salon webhooks redeliver', () => {
  it('sends deliveries again, each with its own ID', async () => {
    const id = await create('201');
    await salon(`test ${id}`);
    await salon(`test ${id}`);
    const [first, second] = await listDeliveries(id);
    const ran = await salon(`redeliver ${first?.id} ${second?.id} --json`);
    expect(ran).toMatchObject({ exitCode: 0, stderr: 'Sending 2 deliveries again.\n' });
    expect(JSON.parse(ran.stdout)).toMatchObject([{ id: first?.id }, { id: second?.id }]);
  });

  it('reports what was sent before an unknown delivery', async () => {
    const id = await create('200');
    await salon(`test ${id}`);
    const [only] = await listDeliveries(id);
    const ran = await salon(`redeliver ${only?.id} dlv_none --json`);
    expect(ran).toMatchObject({ exitCode: 6, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      message: expect.stringContaining('Failed at dlv_none, after 1 delivery.'),
      redelivered: [only?.id],
    });
  });

  it('sends deliveries of a time range again after confirming their number', async () => {
    const id = await create('200');
    await salon(`test ${id}`);
    await salon(`test ${id}`);
    const asked = await salon(`redeliver --webhook ${id} --from today`);
    expect(asked).toMatchObject({ exitCode: 8, stdout: '' });
    expect(asked.stderr).toContain(`Send 2 deliveries to ${receiver.origin}/200 again?`);
    const ran = await salon(`redeliver --webhook ${id} --from today --yes --json`);
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: `Sending 2 deliveries to ${receiver.origin}/200 again.\n`,
    });
    expect(JSON.parse(ran.stdout)).toEqual({ webhook_id: id, redelivered: 2 });
  });

  it('does nothing without matches; lists them with --dry-run', async () => {
    const id = await create('200');
    await salon(`test ${id}`);
    const none = await salon(`redeliver --webhook ${id} --from today --status failed --json`);
    expect(none).toMatchObject({ exitCode: 0, stderr: `Webhook ${id} has no matching deliveries.\n` });
    const dry = await salon(
      `redeliver --webhook ${id} --from today --dry-run -f csv -c status,attempt_count`,
    );
    expect(dry).toMatchObject({ exitCode: 0, stdout: 'status,attempt_count\ndelivered,1\n' });
  });

  it.each([
    'redeliver',
    'redeliver --from today',
    'redeliver dlv_1 --from today',
    'redeliver dlv_1 --webhook whk_1 --from today',
    'redeliver --webhook whk_1',
    'redeliver --webhook whk_1 --from someday',
  ])('exits 2: %s', async (line) => {
    expect(await salon(line)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
