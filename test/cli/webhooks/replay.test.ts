import { writeFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWebhookSecret } from '../../../src/webhooks/signature.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { openWebhookReceiver } from '../../support/webhook-receiver.ts';

const secret = createWebhookSecret(() => Buffer.alloc(32, 'salon'));
const body = '{"id":"evt_1", "type":"booking.cancelled",  "data":{"object":{"service":"Färben \\u00e9"}}}';
const recorded = [
  { received_at: '2026-11-20T09:00:00Z', type: 'booking.cancelled', id: 'evt_1', body },
  {
    received_at: '2026-11-21T09:00:00Z',
    type: 'client.created',
    id: 'evt_2',
    body: '{"type":"client.created"}',
  },
  { received_at: '2026-11-21T10:00:00Z', type: 'booking.created', id: null, body: '\ufeff{}\n' },
].map((webhook) => ({
  ...webhook,
  source: 'delivered',
  headers: {
    'content-type': 'application/json',
    'webhook-signature': `v1,of-${webhook.id}`,
    'x-own': 'kept',
  },
}));

let machine: Machine;
beforeEach(() => {
  const now = new Date('2026-11-21T12:00:00Z');
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' }, now });
  writeFileSync(`${machine.home}/hooks`, recorded.map((webhook) => `${JSON.stringify(webhook)}\n`).join(''));
  writeFileSync(`${machine.home}/secret`, secret);
});
afterEach(() => machine[Symbol.dispose]());

function replay(flags: string) {
  return machine.salon(['webhooks', 'replay', ...flags.split(' ')]);
}

describe('salon webhooks replay', () => {
  it('sends every delivery again in order, byte for byte, with its headers', async () => {
    await using receiver = await openWebhookReceiver();
    const ran = await replay(`hooks --forward-to ${receiver.url} -f ndjson`);
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(receiver.received.map((webhook) => webhook.body)).toEqual(recorded.map((webhook) => webhook.body));
    expect(receiver.received.map(({ headers }) => headers)).toMatchObject(
      recorded.map((webhook) => webhook.headers),
    );
    expect(
      ran.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject(recorded.map(({ received_at, type, id }) => ({ received_at, type, id, status: 204 })));
  });

  it('signs again with the current time', async () => {
    machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
    writeFileSync(`${machine.home}/hooks`, `${JSON.stringify(recorded[0])}\n`);
    writeFileSync(`${machine.home}/secret`, secret);
    await using receiver = await openWebhookReceiver();
    await replay(`hooks --forward-to ${receiver.url} --sign-with secret`);
    const [sent] = receiver.received;
    const headers = sent?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(sent?.body ?? '', headers)).toEqual(JSON.parse(body));
    expect(headers['webhook-id']).toBe('evt_1');
  });

  it.each([
    ['--events booking.*', ['booking.cancelled', 'booking.created']],
    ['--events client.created', ['client.created']],
    ['--since today', ['client.created', 'booking.created']],
    ['--since 2026-11-21T10:00:00Z', ['booking.created']],
    ['--since tomorrow', []],
  ])('sends only matching deliveries: %s', async (flags, types) => {
    await using receiver = await openWebhookReceiver();
    const ran = await replay(`hooks --forward-to ${receiver.url} ${flags} --json`);
    expect(JSON.parse(ran.stdout).map((row: { type: string }) => row.type)).toEqual(types);
    expect(receiver.received).toHaveLength(types.length);
  });

  it('exits 3 if some were refused, and continues after them', async () => {
    await using receiver = await openWebhookReceiver((count) => (count === 1 ? 500 : 204));
    const ran = await replay(`hooks --forward-to ${receiver.url} --json`);
    expect(ran).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('1 of 3 deliveries were refused'),
    });
    expect(JSON.parse(ran.stdout).map((row: { status: number }) => row.status)).toEqual([500, 204, 204]);
  });

  it('stops if the target is down, with a hint on how to continue', async () => {
    const receiver = await openWebhookReceiver();
    await receiver[Symbol.asyncDispose]();
    const ran = await replay(`hooks --forward-to ${receiver.url}`);
    expect(ran).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: expect.stringContaining('--since 2026-11-20T09:00:00Z'),
    });
  });

  it.each([
    ['not JSON', 'text', 'hooks, line 4, is not a recorded delivery: it is not JSON'],
    ['a number', '7', 'it is not an object'],
    ['a record of something else', '{"id":"cli_1"}', 'it needs received_at, type, headers and body'],
    [
      'headers that are none',
      '{"received_at":"2026-11-21","type":"a","body":"","headers":[1]}',
      'it needs received_at',
    ],
  ])('exits 2 and sends nothing if a line is %s', async (_, line, message) => {
    writeFileSync(`${machine.home}/hooks`, `${line}\n`, { flag: 'a' });
    await using receiver = await openWebhookReceiver();
    const ran = await replay(`hooks --forward-to ${receiver.url}`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(receiver.received).toEqual([]);
  });
});
