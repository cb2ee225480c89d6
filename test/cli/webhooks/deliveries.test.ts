import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { verifyWebhook } from '../../../src/webhooks/verify.ts';
import { createMachine, type Machine, type World } from '../../support/io.ts';
import {
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
} from '../../support/misbehaving-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let receiver: MisbehavingServer;
let machine: Machine;

beforeAll(async () => {
  service = await openTestService();
  receiver = await openMisbehavingServer(({ path }) => (response) => {
    if (path === '/silent') return;
    response.writeHead(Number(path.slice(1))).end();
  });
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});
beforeEach(() => {
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.manager, NO_COLOR: '1' };
  machine = createMachine({ env, timeZone: 'Europe/Berlin' });
});
afterEach(() => machine[Symbol.dispose]());

function salon(line: string, world: World = {}) {
  return machine.salon(['webhooks', ...line.split(' ')], world);
}

/** A webhook to a receiver that answers with this status, or not at all. */
async function create(answer: string): Promise<string> {
  const line = `create ${receiver.origin}/${answer} --events webhook.test --json`;
  return JSON.parse((await salon(line)).stdout).id;
}

/** What was sent to the webhook, by the event's identifier. */
function receivedBy(answer: string): readonly Received[] {
  return receiver.received.filter(({ path }) => path === `/${answer}`);
}

describe('salon webhooks test', () => {
  it('says in what time it was delivered, and what was answered', async () => {
    const id = await create('204');
    const ran = await salon(`test ${id}`, { columns: 80 });
    expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
    expect(ran.stderr).toMatch(/^Delivered in \d+ ms: it answered 204\.$/m);
    expect(receivedBy('204')).toHaveLength(1);
  });

  it('is signed with the secret that was shown', async () => {
    const { secret, id } = JSON.parse((await salon(`create ${receiver.origin}/200 --json`)).stdout);
    await salon(`test ${id}`);
    const { headers, body } = receivedBy('200').at(-1) ?? { headers: {}, body: '' };
    expect(verifyWebhook(headers, body, secret)).toMatchObject({
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
  ])('exits 1 after $answer, and says when the next try is', async ({ answer, said }) => {
    const ran = await salon(`test ${await create(answer)} --json`);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(said);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      event_type: 'webhook.test',
      tries: 1,
      last_answer: answer,
    });
  });

  it('exits 1 where nobody listens, and says why', async () => {
    const { id } = JSON.parse((await salon('create http://127.0.0.1:9/x --json')).stdout);
    const ran = await salon(`test ${id}`);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/^Not delivered\. .+\. Next attempt in \d s\.$/m);
  });

  it('exits 5 where there is no answer in time, and says how to look later', async () => {
    const id = await create('silent');
    const ran = await salon(`test ${id} --max-wait 10ms --json`);
    expect(ran).toMatchObject({ exitCode: 5, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      code: 'timeout',
      retryable: true,
      hint: expect.stringContaining(`salon webhooks deliveries ${id}`),
    });
  });

  it('does not wait with --no-wait, and sends nothing with --dry-run', async () => {
    const id = await create('202');
    const dry = await salon(`test ${id} --dry-run`);
    expect(dry.stderr).toBe(`A webhook.test event would be sent to ${receiver.origin}/202.\n`);
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
  it('has everything in JSON, and the number of tries with the last answer beside', async () => {
    const id = await create('200');
    await salon(`test ${id}`);
    expect(await listDeliveries(id)).toEqual([
      expect.objectContaining({
        webhook_id: id,
        status: 'delivered',
        attempts: [expect.objectContaining({ number: 1, status_code: 200 })],
        event: expect.objectContaining({ type: 'webhook.test' }),
        tries: 1,
        last_answer: '200',
      }),
    ]);
  });

  it('shows people when, what, how it stands, and the last answer', async () => {
    const id = await create('500');
    await salon(`test ${id}`);
    const wide = await salon(`deliveries ${id}`, { columns: 120 });
    expect(wide.stdout).toMatch(/^created_at +event_type +status +tries +last_answer +next_attempt_at +id\n/);
    expect(wide.stdout).toMatch(/ {2}webhook\.test +pending +1 +500 +\S+ \S+ +dlv_\S+$/m);
    const narrow = await salon(`deliveries ${id}`, { columns: 80 });
    expect(narrow.stdout).toMatch(/^created_at +event_type +status +tries +last_answer +/);
  });

  it.each([
    ['--status delivered', 1],
    ['--status pending', 0],
    ['--from today', 1],
    ['--from +1d', 0],
    ['--to yesterday', 0],
    ['--from today --to today', 1],
  ])('are those asked for with %s', async (flags, count) => {
    const id = await create('200');
    await salon(`test ${id}`);
    expect(await listDeliveries(id, flags)).toHaveLength(count);
  });

  it('of a webhook that is not there are not found', async () => {
    expect(await salon('deliveries whk_none')).toMatchObject({ exitCode: 6, stdout: '' });
  });
});

describe('salon webhooks redeliver', () => {
  it('sends events once more by their deliveries, each under its own identifier', async () => {
    const id = await create('201');
    await salon(`test ${id}`);
    await salon(`test ${id}`);
    const [first, second] = await listDeliveries(id);
    const ran = await salon(`redeliver ${first?.id} ${second?.id} --json`);
    expect(ran).toMatchObject({ exitCode: 0, stderr: 'On the way once more: 2 deliveries.\n' });
    expect(JSON.parse(ran.stdout)).toMatchObject([{ id: first?.id }, { id: second?.id }]);
  });

  it('says what was begun before one that is not there', async () => {
    const id = await create('200');
    await salon(`test ${id}`);
    const [only] = await listDeliveries(id);
    const ran = await salon(`redeliver ${only?.id} dlv_none --json`);
    expect(ran).toMatchObject({ exitCode: 6, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      message: expect.stringContaining('on the way before it: 1 delivery.'),
      redelivered: [only?.id],
    });
  });

  it('sends those of a time once more, and asks first, saying how many they are', async () => {
    const id = await create('200');
    await salon(`test ${id}`);
    await salon(`test ${id}`);
    const asked = await salon(`redeliver --webhook ${id} --from today`);
    expect(asked).toMatchObject({ exitCode: 8, stdout: '' });
    expect(asked.stderr).toContain(`Send 2 deliveries to ${receiver.origin}/200 once more?`);
    const ran = await salon(`redeliver --webhook ${id} --from today --yes --json`);
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: `On the way to ${receiver.origin}/200 once more: 2 deliveries.\n`,
    });
    expect(JSON.parse(ran.stdout)).toEqual({ webhook_id: id, redelivered: 2 });
  });

  it('does nothing where there are none, and shows which they would be with --dry-run', async () => {
    const id = await create('200');
    await salon(`test ${id}`);
    const none = await salon(`redeliver --webhook ${id} --from today --status failed --json`);
    expect(none).toMatchObject({ exitCode: 0, stderr: `Webhook ${id} has no such deliveries.\n` });
    const dry = await salon(`redeliver --webhook ${id} --from today --dry-run -f csv -c status,tries`);
    expect(dry).toMatchObject({ exitCode: 0, stdout: 'status,tries\ndelivered,1\n' });
  });

  it.each([
    'redeliver',
    'redeliver --from today',
    'redeliver dlv_1 --from today',
    'redeliver dlv_1 --webhook whk_1 --from today',
    'redeliver --webhook whk_1',
    'redeliver --webhook whk_1 --from someday',
  ])('is not right as: %s', async (line) => {
    expect(await salon(line)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
