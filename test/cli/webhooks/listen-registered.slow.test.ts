import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Webhook } from '../../../src/contract/webhook.ts';
import { openLocalState } from '../../../src/local-state/local-state.ts';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { startListener } from '../../support/listener.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { openWebhookReceiver } from '../../support/webhook-receiver.ts';

let service: TestService;
let machine: Machine;

beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.manager, SALON_DATA_DIR: 'data' };
  machine = createMachine({ env });
});
afterEach(async () => {
  for (const { id } of await endpoints()) await salon(`webhooks delete ${id} --yes`);
  machine[Symbol.dispose]();
});

function salon(line: string, world: RunOptions = {}) {
  return machine.salon(line.split(' '), world);
}

async function endpoints(): Promise<Webhook[]> {
  return JSON.parse((await salon('webhooks list --json')).stdout);
}

/** Adds a client, which causes an event, and returns its ID. */
async function addClient(): Promise<string> {
  return JSON.parse((await salon('clients create --set first_name=Ana --json')).stdout).id;
}

function clientsOf(records: Readonly<Record<string, unknown>>[]): string[] {
  return records.map(({ event }) => (event as { data: { object: { id: string } } }).data.object.id);
}

async function savedListeners(): Promise<readonly string[]> {
  using state = await openLocalState(join(machine.home, 'data'));
  return state.keys('listener/');
}

const unreachable = 'http://127.0.0.1:9/hook';

describe('salon webhooks listen', () => {
  it('receives events while it runs and leaves nothing behind', async () => {
    const listener = await startListener(machine, '--events client.*');
    expect(await endpoints()).toMatchObject([
      { url: `${listener.url}/`, events: ['client.*'], description: expect.stringMatching(/^salon listen /) },
    ]);
    const added = [await addClient(), await addClient()];
    await listener.until(({ count }) => count === 2);
    expect(clientsOf(listener.records()).toSorted()).toEqual(added.toSorted());
    expect(listener.records()).toMatchObject([{ source: 'delivered' }, { source: 'delivered' }]);
    const ran = await listener.stop();
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toContain('Stopped. 2 events.');
    expect(await endpoints()).toEqual([]);
    expect(await savedListeners()).toEqual([]);
  });

  it('prints the secret for the forwarding target', async () => {
    await using receiver = await openWebhookReceiver();
    const listener = await startListener(machine, `--forward-to ${receiver.url}`);
    await addClient();
    await listener.until(({ count }) => count === 1);
    const { stderr } = await listener.stop();
    const [, secret = ''] = /verify with (whsec_[^\s)]+)/.exec(stderr) ?? [];
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
    expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'client.created',
    });
  });

  it('shows a manual test event', async () => {
    await using listener = await startListener(machine, '');
    const [endpoint] = await endpoints();
    expect(await salon(`webhooks test ${endpoint?.id}`)).toMatchObject({ exitCode: 0 });
    await listener.until(({ count }) => count === 1);
    expect(listener.records()).toMatchObject([{ type: 'webhook.test' }]);
  });

  it('fetches undelivered events before it stops', async () => {
    await using receiver = await openWebhookReceiver();
    const listener = await startListener(machine, `--public-url ${unreachable} --forward-to ${receiver.url}`);
    const id = await addClient();
    const ran = await listener.stop();
    expect(ran.stderr).toContain('Fetched 1 missed event from the log.');
    expect(ran.stderr).toContain('1 event, 1 fetched from the log, 1 forwarded.');
    expect(listener.records()).toMatchObject([{ source: 'fetched', type: 'client.created' }]);
    expect(clientsOf(listener.records())).toEqual([id]);
    const [, secret = ''] = /verify with (whsec_[^\s)]+)/.exec(ran.stderr) ?? [];
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
    expect(() => new Verifier(secret).verify(body, headers as Record<string, string>)).not.toThrow();
  });

  it('stops with an error if its endpoint is deleted', async () => {
    const listener = await startListener(machine, '');
    for (const { id } of await endpoints()) await salon(`webhooks delete ${id} --yes`);
    expect(await listener.stop()).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('The endpoint was deleted at the service'),
    });
  });

  it('registers nothing if its state cannot be saved', async () => {
    writeFileSync(join(machine.home, 'taken'), '');
    const ran = await salon('webhooks listen', { env: { SALON_DATA_DIR: 'taken' } });
    expect(ran.stderr).toMatch(/Cannot use .*\n.*SALON_DATA_DIR/);
    expect(ran.exitCode).toBe(5);
    expect(await endpoints()).toEqual([]);
  });

  it('continues with one warning if its state can no longer be saved', async () => {
    const listener = await startListener(machine, '');
    const root = join(machine.home, 'data');
    rmSync(root, { recursive: true });
    writeFileSync(root, '');
    const said = 'Cannot save the listener';
    await addClient();
    await listener.until(({ stderr, count }) => count === 1 && stderr.includes(said));
    await addClient();
    await listener.until(({ count }) => count === 2);
    const ran = await listener.stop();
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr.split(said)).toHaveLength(2);
    expect(await endpoints()).toEqual([]);
  });

  it('allows two listeners, each with its own endpoint', async () => {
    await using first = await startListener(machine, '');
    await using second = await startListener(machine, '');
    expect(await endpoints()).toHaveLength(2);
    await addClient();
    await Promise.all([first, second].map((listener) => listener.until(({ count }) => count === 1)));
  });
});

describe('--keep', () => {
  it('shows events missed while offline first, once', async () => {
    const first = await startListener(machine, '--keep till');
    await addClient();
    await first.until(({ count }) => count === 1);
    expect((await first.stop()).stderr).toContain('The endpoint stays registered');
    const missed = [await addClient(), await addClient()];
    const second = await startListener(machine, '--keep till');
    await second.until(({ count }) => count === 2);
    expect(clientsOf(second.records()).toSorted()).toEqual(missed.toSorted());
    // On a busy machine the service may have sent one again before it was fetched.
    expect(second.records()).toHaveLength(2);
    const last = await addClient();
    await second.until(({ count }) => count >= 3);
    expect(clientsOf(second.records()).at(-1)).toBe(last);
    expect((await second.stop()).stderr).toMatch(
      /Offline for less than a minute\. (?:No|\d) events? (?:was|were) missed\./,
    );
    const third = await startListener(machine, '--keep till');
    expect(await third.stop()).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('No events were missed'),
    });
    expect(await endpoints()).toMatchObject([{ url: `${third.url}/`, description: 'salon listen till' }]);
  });

  it('registers a new endpoint if the kept one was deleted', async () => {
    await (await startListener(machine, '--keep till')).stop();
    for (const { id } of await endpoints()) await salon(`webhooks delete ${id} --yes`);
    await (await startListener(machine, '--keep till')).stop();
    expect(await endpoints()).toHaveLength(1);
  });

  it('re-enables a disabled endpoint and reports it', async () => {
    await (await startListener(machine, '--keep till')).stop();
    const [endpoint] = await endpoints();
    await salon(`webhooks update ${endpoint?.id} --set active:=false`);
    const { stderr } = await (await startListener(machine, '--keep till')).stop();
    expect(stderr).toContain('The service disabled the endpoint at');
    expect(await endpoints()).toMatchObject([{ active: true }]);
  });

  it('allows one process at a time', async () => {
    await using _ = await startListener(machine, '--keep till');
    expect(await salon('webhooks listen --keep till')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Another listener named "till" is running.'),
    });
  });

  it('accepts only simple names', async () => {
    expect(await salon('webhooks listen --keep ../till')).toMatchObject({ exitCode: 2 });
  });
});

describe('the endpoint of a killed listener', () => {
  it.each([
    ['is deleted at the next start, after its missed events', {}],
    ['is found by its description when its ID was never received', { webhook_id: null }],
  ])('%s', async (_, known) => {
    await (await startListener(machine, '--keep till')).stop();
    using state = await openLocalState(join(machine.home, 'data'));
    const [key = ''] = state.keys('listener/');
    const saved = { ...Object(state.read(key)), ...known };
    state.write(key, undefined);
    state.write(key.replace('kept-till', 'temporary-killed'), saved);
    const missed = await addClient();
    const listener = await startListener(machine, '');
    await listener.until(({ count }) => count === 1);
    expect(clientsOf(listener.records())).toEqual([missed]);
    const ran = await listener.stop();
    expect(ran.stderr).toContain('A previous listener was killed. 1 event was missed.');
    expect(await endpoints()).toEqual([]);
    expect(state.keys('listener/')).toEqual([]);
  });
});
