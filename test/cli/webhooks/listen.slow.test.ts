import { createHmac } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { startListener } from '../../support/listener.ts';
import {
  bodyOf,
  signedAt as now,
  post,
  webhookSecret as secret,
  send,
  sign,
} from '../../support/signed-webhook.ts';
import { openWebhookReceiver } from '../../support/webhook-receiver.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' }, now });
  writeFileSync(`${machine.home}/secret`, secret);
});
afterEach(() => machine[Symbol.dispose]());

function listen(flags = '', world = {}) {
  return startListener(machine, `--secret-file secret ${flags}`, world);
}

describe('salon webhooks listen with a secret', () => {
  it('accepts a valid delivery, prints it as a line, and exits as interrupted', async () => {
    const listener = await listen();
    expect((await send(listener.url, 'evt_1')).status).toBe(200);
    await listener.until(({ count }) => count === 1);
    const ran = await listener.stop();
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toContain('Nothing is registered');
    expect(ran.stderr).toContain('Stopped. 1 event.');
    expect(listener.records()).toEqual([
      {
        received_at: now.toISOString(),
        source: 'delivered',
        id: 'evt_1',
        type: 'booking.cancelled',
        signed_at: now.toISOString(),
        forwarded: null,
        event: JSON.parse(bodyOf('evt_1')),
      },
    ]);
  });

  it('prints one JSON document with --json', async () => {
    const listener = await listen('--json');
    for (const id of ['evt_1', 'evt_2']) await send(listener.url, id);
    await listener.until(({ stdout }) => stdout.includes('evt_2'));
    const { stdout } = await listener.stop();
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'evt_1' }, { id: 'evt_2' }]);
  });

  it('prints a line with local time and description', async () => {
    await using listener = await listen('--no-color', { columns: 100, timeZone: 'Europe/Berlin' });
    await send(listener.url, 'evt_1');
    await listener.until(({ count }) => count === 1);
    expect((await listener.stop()).stdout).toBe(
      '13:00:00  booking.cancelled    Färben, 2026-11-28 10:00  evt_1\n',
    );
  });

  it('drops duplicates and reports them', async () => {
    const listener = await listen();
    for (const id of ['evt_1', 'evt_1', 'evt_2']) expect((await send(listener.url, id)).status).toBe(200);
    await listener.until(({ count }) => count === 2);
    const ran = await listener.stop();
    expect(ran.stderr).toContain('booking.cancelled evt_1');
    expect(ran.stderr).toContain('2 events, 1 duplicate dropped.');
  });

  it('ignores other events', async () => {
    await using listener = await listen('--events booking.*,client.created');
    for (const [id, type] of [
      ['evt_1', 'client.deleted'],
      ['evt_2', 'customer.created'],
      ['evt_3', 'booking.new'],
    ]) {
      expect((await send(listener.url, id ?? '', type)).status).toBe(200);
    }
    await listener.until(({ count }) => count === 2);
    expect(listener.records().map(({ id }) => id)).toEqual(['evt_2', 'evt_3']);
  });

  it('loses none of a thousand parallel deliveries and keeps their order', async () => {
    await using receiver = await openWebhookReceiver();
    await using listener = await listen(`--forward-to ${receiver.url}`);
    const ids = Array.from({ length: 1_000 }, (_, number) => `evt_${number}`);
    const answers = await Promise.all(ids.map((id) => send(listener.url, id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await listener.until(({ count }) => count === 1_000);
    const printed = listener.records().map(({ id }) => id);
    expect(printed.toSorted()).toEqual(ids.toSorted());
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(printed);
  });

  it('accepts other signature schemes', async () => {
    writeFileSync(`${machine.home}/secret`, 'key');
    await using listener = await listen();
    const body = bodyOf('evt_1');
    const signature = createHmac('sha256', 'key').update(body).digest('hex');
    expect((await post(listener.url, body, { 'x-signature': signature })).status).toBe(200);
    await listener.until(({ count }) => count === 1);
    expect(listener.records()).toMatchObject([{ id: 'evt_1', signed_at: null }]);
  });
});

describe('forwarding', () => {
  it('forwards the exact bytes and headers after responding', async () => {
    const held = Promise.withResolvers<number>();
    await using receiver = await openWebhookReceiver(() => held.promise);
    await using listener = await listen(`--forward-to ${receiver.url}`);
    const body = `${bodyOf('evt_1')}\n`;
    const headers = { ...sign('evt_1', body), 'x-own': 'kept', 'content-type': 'application/json' };
    expect((await post(listener.url, body, headers)).status).toBe(200);
    await receiver.until(1);
    expect(receiver.received).toMatchObject([{ body, headers }]);
    expect(receiver.received[0]?.headers.host).toBe(new URL(receiver.url).host);
    held.resolve(204);
    await listener.until(({ count }) => count === 1);
    expect(listener.records()).toMatchObject([{ forwarded: { status: 204, attempt_count: 1, error: null } }]);
  });

  it('shows the target’s response and continues: 500, a redirect, a timeout', async () => {
    const never = new Promise<number>(() => {});
    await using receiver = await openWebhookReceiver((count) => [500, 302, never, 200][count - 1] ?? 200);
    const listener = await listen(`--forward-to ${receiver.url} --timeout 3s`);
    for (const number of [1, 2, 3, 4]) await send(listener.url, `evt_${number}`);
    await listener.until(({ count }) => count === 4);
    const ran = await listener.stop();
    expect(listener.records()).toMatchObject([
      { forwarded: { status: 500 } },
      { forwarded: { status: 302 } },
      { forwarded: { status: null, error: expect.stringContaining('within 3 s') } },
      { forwarded: { status: 200 } },
    ]);
    expect(ran.stderr).toContain(
      '4 events, 1 forwarded, 2 refused by the target, 1 not delivered to the target.',
    );
  });

  it('tries a target that is down three times, then once per delivery, and reports its return', async () => {
    const gone = await openWebhookReceiver();
    await gone[Symbol.asyncDispose]();
    const listener = await listen(`--forward-to ${gone.url}`);
    for (const number of [1, 2]) await send(listener.url, `evt_${number}`);
    await listener.until(({ count }) => count === 2);
    expect(listener.records().map(({ forwarded }) => forwarded)).toMatchObject([
      { status: null, attempt_count: 3, error: expect.stringContaining('the connection was refused') },
      { status: null, attempt_count: 1 },
    ]);
    const { stderr } = await listener.stop();
    expect(stderr.match(/the connection was refused/g)).toHaveLength(1);
  });
});

describe('recording', () => {
  it('writes deliveries that can be replayed byte for byte', async () => {
    await using receiver = await openWebhookReceiver();
    const listener = await listen('--record hooks.ndjson');
    const body = `\ufeff${bodyOf('evt_1')}\r\n`;
    const headers = { ...sign('evt_1', body), 'x-own': 'kept' };
    await post(listener.url, body, headers);
    await listener.until(({ count }) => count === 1);
    const [recorded = ''] = readFileSync(`${machine.home}/hooks.ndjson`, 'utf8').split('\n');
    expect(JSON.parse(recorded)).toMatchObject({
      received_at: now.toISOString(),
      id: 'evt_1',
      headers,
      body,
    });
    await listener.stop();
    const replayed = await machine.salon(
      `webhooks replay hooks.ndjson --forward-to ${receiver.url}`.split(' '),
    );
    expect(replayed.exitCode).toBe(0);
    expect(receiver.received).toMatchObject([{ body, headers }]);
  });

  it('takes access to an existing file away from other users', async () => {
    writeFileSync(`${machine.home}/hooks.ndjson`, '', { mode: 0o644 });
    const listener = await listen('--record hooks.ndjson');
    expect(statSync(`${machine.home}/hooks.ndjson`).mode & 0o777).toBe(0o600);
    await listener.stop();
  });

  it('appends to an existing file', async () => {
    for (const id of ['evt_1', 'evt_2']) {
      const listener = await listen('--record hooks.ndjson');
      await send(listener.url, id);
      await listener.until(({ count }) => count === 1);
      await listener.stop();
    }
    expect(readFileSync(`${machine.home}/hooks.ndjson`, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('exits 5 if the file cannot be written', async () => {
    const ran = await machine.salon([
      'webhooks',
      'listen',
      '--secret-file',
      'secret',
      '--record',
      'no/where',
    ]);
    expect(ran).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining(': its folder does not exist.'),
    });
  });
});
