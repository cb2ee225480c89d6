import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventTypes } from '../../src/contract/events.ts';
import { createWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts';
import { sendRequest, toJson } from '../support/send-request.ts';
import { openTestService, type TestService } from '../support/service.ts';

const guide = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

let service: TestService;
let folder: string;
let receiver: ChildProcess;
let address: string;
let webhookId: string;

beforeAll(async () => {
  service = await openTestService();
  folder = mkdtempSync(join(tmpdir(), 'salon-example-'));
  const file = join(folder, 'call-back.mjs');
  writeFileSync(file, exampleToRun());
  // The receiver needs the secret to start, and the webhook needs the address of the receiver.
  const webhook = await ask('POST', '/webhooks', {
    url: 'http://127.0.0.1:9',
    events: ['booking.*'],
    active: false,
  });
  webhookId = String(webhook['id']);
  receiver = fork(file, {
    env: {
      SALON_BASE_URL: service.origin,
      SALON_API_KEY: service.keys.viewer,
      SALON_WEBHOOK_SECRET: String(webhook['secret']),
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [port] = await once(receiver, 'message');
  address = `http://127.0.0.1:${port}`;
  await ask('PUT', `/webhooks/${webhookId}`, { url: address, active: true });
});
afterAll(async () => {
  receiver.kill();
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** The guide's receiver with the built package, on a free port that it reports. */
function exampleToRun(): string {
  const code = /## React to events in a program\n[\s\S]*?```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  const adapted = code
    .replace("from 'salon'", `from '${new URL('../../dist/library/index.js', import.meta.url)}'`)
    .replace('.listen(3000)', ".listen(0, '127.0.0.1', function () { process.send(this.address().port); })");
  expect(adapted.match(/dist\/library\/index\.js|process\.send/g)).toHaveLength(2);
  return adapted;
}

async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const url = `${service.origin}/api/v1${path}`;
  const answer = await sendRequest(url, { method, key: service.keys.owner, body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return toJson(answer);
}

it('the guide’s receiver gets a cancelled booking from the service and prints which client to call back', async () => {
  const [stylist_id] = service.stylistIds;
  const { id: client_id } = await ask('POST', '/clients', { first_name: 'Ana', phone: '+351912345678' });
  const start_time = '2027-03-01T10:30:00Z';
  const booking = { client_id, stylist_id, service: 'Cut', start_time, duration: 45 };
  const { id } = await ask('POST', '/appointments', booking);
  const printed = once(receiver.stdout ?? receiver, 'data');
  await ask('POST', `/appointments/${id}/cancel`, { cancellation_reason: 'Client is ill' });
  expect(String(await printed)).toBe(`Call Ana back, +351912345678: Cut, ${start_time}\n`);
  await expect
    .poll(async () => ask('GET', `/webhooks/${webhookId}/deliveries`))
    .toMatchObject({
      data: [
        { event_type: 'booking.created', status: 'delivered' },
        { event_type: 'booking.cancelled', status: 'delivered', attempts: [{ status_code: 204 }] },
      ],
    });
});

it('the guide’s receiver refuses a forged delivery', async () => {
  const forged = createWebhookSecret(() => Buffer.alloc(32, 'forged'));
  const body = JSON.stringify({ id: 'evt_1', type: 'booking.cancelled', data: {} });
  const headers = signWebhook({ id: 'evt_1', timestamp: new Date(), body }, forged);
  expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(400);
});

it('the guide lists every event type', () => {
  const sentence = /Events are ([\s\S]*?)\. The same event/.exec(guide)?.[1] ?? '';
  let family = '';
  const named = [...sentence.matchAll(/`(\w*)(\.\w+)`/g)].map(([, prefix, verb]) => {
    family = prefix || family;
    return family + verb;
  });
  expect(named).toEqual([...eventTypes]);
});
