import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../src/index.ts';
import { type Fate, openCountingGateway } from '../support/counting-gateway.ts';
import { createHome, finish, type Home, runSalon, startSalon } from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';

let service: TestService;
let client: SalonClient;
let home: Home;

beforeEach(async () => {
  service = await openTestService({ clients: 2 });
  client = createClient({
    baseUrl: service.origin,
    credential: { kind: 'bearer', token: service.keys.owner },
  });
  home = createHome();
});
afterEach(async () => {
  home[Symbol.dispose]();
  await client.close();
  await service[Symbol.asyncDispose]();
});

const count = 30;
const names = Array.from({ length: count }, (_, index) => `Nia ${String.fromCharCode(97 + index)}`);
const add = ['clients', 'create', '--file', 'new.csv', '--yes', '--allow-duplicate'];

function writeSheet({ folder }: Home): void {
  writeFileSync(
    join(folder, 'new.csv'),
    `first_name,notes\n${names.map((name) => `${name},new\n`).join('')}`,
  );
}

function envOf({ origin }: { readonly origin: string }) {
  return { SALON_BASE_URL: origin, SALON_API_KEY: service.keys.owner, SALON_DATA_DIR: 'data' };
}

async function countAdded(): Promise<number> {
  let found = 0;
  for await (const { rows } of client.clients.list())
    found += rows.filter(({ notes }) => notes === 'new').length;
  return found;
}

function jobsIn({ folder }: Home): readonly string[] {
  const jobs = join(folder, 'data/jobs');
  return existsSync(jobs) ? readdirSync(jobs).filter((name) => !name.startsWith('.')) : [];
}

describe('a sheet started in two terminals', () => {
  it('is added by the first alone, and the second names its job', async () => {
    writeSheet(home);
    const isSending = Promise.withResolvers<void>();
    const isSecondOver = Promise.withResolvers<void>();
    await using gateway = await openCountingGateway(service.origin, {
      async fateOf(method): Promise<Fate> {
        if (method !== 'POST') return 'passed';
        isSending.resolve();
        await isSecondOver.promise;
        return 'passed';
      },
    });
    const env = envOf(gateway);
    const first = finish(startSalon(add, { home, env }));
    await Promise.race([isSending.promise, first]);
    const second = await runSalon(add, { home, env });
    isSecondOver.resolve();
    const [job] = jobsIn(home);
    expect(second, second.stderr).toMatchObject({ exitCode: 8, stdout: '' });
    expect(second.stderr).toContain(`new.csv is being added by job ${job}.`);
    expect(await first).toMatchObject({ exitCode: 0 });
    expect(await countAdded()).toBe(count);
  });
});

describe('a sheet started on two machines at once', () => {
  it('is added once by a service that knows idempotency keys', async () => {
    using other = createHome();
    const areBothSending = Promise.withResolvers<void>();
    await using gateway = await openCountingGateway(service.origin, {
      async fateOf(method, writes): Promise<Fate> {
        // One alone waits for its first.
        if (writes > 1) areBothSending.resolve();
        if (method === 'POST') await areBothSending.promise;
        return 'passed';
      },
    });
    const runs = [home, other].map(async (machine) => {
      writeSheet(machine);
      const ran = await runSalon([...add, '--concurrency', '1'], { home: machine, env: envOf(gateway) });
      areBothSending.resolve();
      return ran;
    });
    for (const ran of await Promise.all(runs)) expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(gateway.writes).not.toHaveLength(count);
    expect(await countAdded()).toBe(count);
  });
});
