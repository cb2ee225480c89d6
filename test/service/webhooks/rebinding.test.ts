import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createAddressCheck } from '../../../src/service/webhooks/webhook-address.ts';
import { body, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openWebhookSalon } from '../../support/webhook-salon.ts';

/** Counts connections to loopback. */
async function openListener(): Promise<AsyncDisposable & { readonly port: number; count(): number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

describe('a host that resolves to a public address at registration and to loopback later', () => {
  it.each(['https', 'http'])('receives nothing over %s', async (scheme) => {
    await using listener = await openListener();
    await using salon = await openWebhookSalon();
    const lookupResults = [['93.184.215.14'], ['127.0.0.1'], ['93.184.215.14', '127.0.0.1']];
    let lookups = 0;
    const { port } = listener;
    const resolve = async () => lookupResults[lookups++] ?? ['127.0.0.1'];
    const rules = { allowsLoopback: false, ports: [port], resolve };
    expect(await createAddressCheck(rules)(`https://hooks.example:${port}/`)).toBeUndefined();
    const { id } = await salon.addWebhook(`${scheme}://hooks.example:${port}/`);
    await salon.addEvents(id, 2);
    await salon.createWorker(rules).deliverAllDue();
    expect(listener.count()).toBe(0);
    for (const delivery of await salon.readDeliveries(id)) {
      expect(await salon.readAttempts(delivery.id)).toMatchObject([
        {
          error:
            scheme === 'http' ? 'It must start with https://.' : 'hooks.example is not a public address.',
        },
      ]);
    }
  });

  it.each(['169.254.169.254', 'fd00:ec2::254', '168.63.129.16'])(
    'and is the metadata service of a cloud at %s later receives nothing, also where loopback is allowed',
    async (address) => {
      await using salon = await openWebhookSalon();
      const { id } = await salon.addWebhook('https://hooks.example/');
      await salon.addEvents(id, 1);
      await salon.createWorker({ allowsLoopback: true, resolve: async () => [address] }).deliverAllDue();
      const [delivery] = await salon.readDeliveries(id);
      expect(await salon.readAttempts(delivery?.id ?? '')).toMatchObject([
        { error: 'hooks.example is not a public address.' },
      ]);
    },
  );

  it('is contacted at the checked address, without another lookup', async () => {
    await using listener = await openListener();
    await using salon = await openWebhookSalon();
    const lookupResults = [['127.0.0.1']];
    // A second lookup would lead to a closed port.
    const resolve = async () => lookupResults.shift() ?? ['127.9.9.9'];
    const { id } = await salon.addWebhook(`http://hooks.example:${listener.port}/`);
    await salon.addEvents(id, 1);
    await salon.createWorker({ resolve }).deliverAllDue();
    expect(listener.count()).toBe(1);
  });
});

describe('an IP address as host', () => {
  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
  ])('is also checked when connecting: %s', async (host) => {
    await using listener = await openListener();
    await using salon = await openWebhookSalon();
    const { id } = await salon.addWebhook(`https://${host}:${listener.port}/`);
    await salon.addEvents(id, 1);
    await salon.createWorker({ allowsLoopback: false }).deliverAllDue();
    expect(listener.count()).toBe(0);
    const [delivery] = await salon.readDeliveries(id);
    expect(await salon.readAttempts(delivery?.id ?? '')).toMatchObject([
      { error: expect.stringMatching(/is not a public address\.$/) },
    ]);
  });

  it('is not reached through a redirect', async () => {
    await using listener = await openListener();
    await using salon = await openWebhookSalon();
    const location = `http://127.0.0.1:${listener.port}/`;
    await using receiver = await openMisbehavingServer(() =>
      body('', { status: 307, headers: { location } }),
    );
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    await salon.createWorker().deliverAllDue();
    expect(receiver.received).toHaveLength(1);
    expect(listener.count()).toBe(0);
  });
});
