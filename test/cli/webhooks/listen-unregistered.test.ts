import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLocalState } from '../../../src/local-state/local-state.ts';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let machine: Machine;

beforeAll(async () => {
  service = await openTestService();
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.manager, SALON_DATA_DIR: 'data' };
  machine = createMachine({ env });
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

function salon(line: string, world: RunOptions = {}) {
  return machine.salon(line.split(' '), world);
}

describe('a service that cannot reach this machine', () => {
  it('suggests a tunnel if it does not deliver to this machine', async () => {
    await using elsewhere = await openTestService({ config: { allowsLoopbackWebhooks: false } });
    const env = { SALON_BASE_URL: elsewhere.origin, SALON_API_KEY: elsewhere.keys.owner };
    const ran = await salon('webhooks listen', { env });
    expect(ran).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('--public-url https://'),
    });
    using state = await openLocalState(join(machine.home, 'data'));
    expect(state.keys('listener/')).toEqual([]);
  });

  it('suggests manual registration if it has no webhooks', async () => {
    const server = createServer((_request, response) => response.writeHead(404).end('nothing here'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = { SALON_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const ran = await salon('webhooks listen', { env });
    server.close();
    expect(ran).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /Register http:\S+ at the server yourself, and pass its secret with --secret-file/,
      ),
    });
  });

  it('exits 10 if the key may not register webhooks', async () => {
    const env = { SALON_API_KEY: service.keys.viewer };
    expect(await salon('webhooks listen', { env })).toMatchObject({ exitCode: 10, stdout: '' });
  });
});
