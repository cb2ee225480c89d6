import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { body, type MisbehavingServer, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let receiver: MisbehavingServer;
let machine: Machine;
beforeAll(async () => {
  service = await openTestService();
  receiver = await openMisbehavingServer(() => body(''));
  machine = createMachine({ env: { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner } });
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await receiver[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const salon = (line: string) => machine.salon(['webhooks', ...line.split(' ')]);

describe('salon webhooks deliveries without an ID', () => {
  it('lists those of all webhooks without an ID, and says which events had no webhook', async () => {
    const key = service.keys.owner;
    const add = async (path: string) =>
      JSON.parse((await salon(`create ${receiver.origin}/${path} --events webhook.test --json`)).stdout).id;
    const [one, other] = [await add('200'), await add('204')];
    await salon(`test ${one}`);
    await salon(`test ${other}`);
    const client = { method: 'POST', key, body: { first_name: 'Ana' } };
    await sendRequest(`${service.origin}/v1/clients`, client);
    const all = await salon('deliveries --json --event-type webhook.test --status delivered');
    const webhooks = JSON.parse(all.stdout).map((row: Delivery) => row.webhook_id);
    expect(webhooks).toEqual([one, other]);
    expect(all.stderr).toBe('');
    const none = await salon('deliveries --json --event-type client.created');
    expect(none).toMatchObject({ exitCode: 0, stdout: '[]\n' });
    expect(none.stderr).toBe('1 event had no webhook subscribed: list with --status no_webhook.\n');
    const listed = await salon('deliveries --json --event-type client.created --status no_webhook');
    expect(JSON.parse(listed.stdout)).toMatchObject([
      {
        event_type: 'client.created',
        webhook_id: null,
        attempt_count: 0,
        last_response: 'no webhook subscribed',
      },
    ]);
  });

  it('refuses --status no_webhook for one webhook', async () => {
    const ran = await salon('deliveries whk_1 --status no_webhook');
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('Leave the webhook ID out.');
  });
});
