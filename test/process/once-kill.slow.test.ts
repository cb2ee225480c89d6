import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../src/index.ts';
import { createHome, type Home, runSalon, startService } from '../support/salon-process.ts';
import { bySpeed } from '../support/speed.ts';

// Each killed service loses the hundredth of the hourly limit that it had reserved.
const kills = bySpeed({ full: 2, long: 30 });

async function makeAccount(home: Home, database: string): Promise<string> {
  const on = ['--database', database];
  await runSalon(['server', 'accounts', 'create', '--name', 'A', '--limit', '1000000', ...on], { home });
  const argv = ['server', 'keys', 'create', '--role', 'owner', '--name', 'k', '--json', ...on];
  return JSON.parse((await runSalon(argv, { home })).stdout).key;
}

describe('two services on one database, killed while clients write with idempotency keys', () => {
  it(`create each record once, after ${kills} kills and a repeat`, { timeout: 600_000 }, async () => {
    using home = createHome();
    const database = `sqlite:${home.folder}/salon.db`;
    const token = await makeAccount(home, database);
    const open = (baseUrl: string) =>
      createClient({ baseUrl, credential: { kind: 'bearer', token }, retries: 0 });
    const sent: string[] = [];
    const answered = new Map<string, string | undefined>();
    for (let kill = 0; kill < kills; kill++) {
      const services = [await startService(database, { home }), await startService(database, { home })];
      await using first = open(services[0]?.origin ?? '');
      await using second = open(services[1]?.origin ?? '');
      // Every key is sent to both services, so that they also compete for one.
      const writers = Array.from({ length: 6 }, (_, writer) =>
        writeUntilGone([first, second], { prefix: `${kill}-${writer}`, sent, answered }),
      );
      const before = answered.size;
      while (answered.size < before + 5 + ((kill * 37) % 60))
        await new Promise((resolve) => setImmediate(resolve));
      for (const { child } of services) child.kill('SIGKILL');
      await Promise.all(services.map(({ child }) => once(child, 'close')));
      await Promise.all(writers);
    }
    const { child, origin } = await startService(database, { home });
    await using client = open(origin);
    for (const key of sent) {
      const { id } = await create(client, key);
      if (answered.has(key)) expect(id).toBe(answered.get(key));
    }
    const present: (string | null)[] = [];
    for await (const { rows } of client.clients.list()) present.push(...rows.map((row) => row.external_id));
    child.kill('SIGTERM');
    await once(child, 'close');
    expect(answered.size).toBeGreaterThan(kills * 5);
    expect(present.toSorted()).toEqual(sent.toSorted());
  });
});

function create(client: SalonClient, key: string) {
  return client.clients.create({ external_id: key, first_name: 'Ana' }, { idempotencyKey: key });
}

interface Log {
  readonly prefix: string;
  readonly sent: string[];
  readonly answered: Map<string, string | undefined>;
}

/** Sends each key to all services at the same time; all must return the same record. */
async function writeUntilGone(
  clients: readonly SalonClient[],
  { prefix, sent, answered }: Log,
): Promise<void> {
  for (let number = 0; ; number++) {
    const key = `${prefix}-${number}`;
    sent.push(key);
    const outcomes = await Promise.allSettled(clients.map((client) => create(client, key)));
    const ids = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []));
    if (ids.length > 0) answered.set(key, ids[0]);
    expect(new Set(ids).size).toBeLessThan(2);
    if (ids.length < clients.length) return;
  }
}
