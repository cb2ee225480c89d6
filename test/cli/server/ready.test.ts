import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../../support/free-port.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let machine: Machine;
let service: TestService;
beforeEach(async () => {
  machine = createMachine();
  service = await openTestService();
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

function ready(url: string) {
  return machine.salon(['server', 'ready', url, '--json']);
}

describe('salon server ready', () => {
  it('succeeds without a key when the service is ready', async () => {
    expect(await ready(service.origin)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('"is_ready": true'),
      stderr: `${service.origin} is ready.\n`,
    });
  });

  it('fails with what is not ready', async () => {
    await using full = await openMisbehavingServer(() =>
      problem(503, 'service_unavailable', { detail: 'Not ready: disk: full.' }),
    );
    expect(await ready(full.origin)).toMatchObject({
      exitCode: 5,
      stdout: '',
      stderr: expect.stringContaining('Not ready: disk: full.'),
    });
    expect(full.received.map(({ path }) => path)).toEqual(['/readyz']);
  });

  it('fails when nothing listens', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    expect(await ready(url)).toMatchObject({ exitCode: 5 });
  });
});
