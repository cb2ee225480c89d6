import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../src/index.ts';
import { createHome, runSalon, startService } from '../support/salon-process.ts';
import { bySpeed } from '../support/speed.ts';

const kills = bySpeed({ full: 2, long: 50 });

describe('a service killed while clients write', () => {
  it(`has every acknowledged write after each of ${kills} kills`, { timeout: 600_000 }, async () => {
    using home = createHome();
    const database = `sqlite:${home.folder}/salon.db`;
    await runSalon(
      ['server', 'accounts', 'create', '--name', 'A', '--limit', '1000000', '--database', database],
      { home },
    );
    const made = await runSalon(
      ['server', 'keys', 'create', '--role', 'owner', '--name', 'k', '--json', '--database', database],
      {
        home,
      },
    );
    const { key } = JSON.parse(made.stdout);
    const acknowledged: string[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const { child, origin } = await startService(database, { home });
      await using client = createClient({
        baseUrl: origin,
        credential: { kind: 'bearer', token: key },
        retries: 0,
      });
      const writers = Array.from({ length: 8 }, () => writeUntilGone(client, acknowledged));
      const before = acknowledged.length;
      // Killed after a number of writes, not after a time, so that each round is killed while writing.
      while (acknowledged.length < before + 5 + ((kill * 37) % 90))
        await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      await once(child, 'close');
      await Promise.all(writers);
    }
    const { child, origin } = await startService(database, { home });
    await using client = createClient({ baseUrl: origin, credential: { kind: 'bearer', token: key } });
    const present = new Set<string>();
    for await (const { rows } of client.clients.list()) for (const { id } of rows) present.add(id);
    child.kill('SIGTERM');
    const [exitCode] = await once(child, 'close');
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills * 5);
    expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
    expect(exitCode).toBe(0);
  });
});

async function writeUntilGone(client: SalonClient, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      const { id } = await client.clients.create({ first_name: 'Ana' });
      if (id !== undefined) acknowledged.push(id);
    } catch {
      return;
    }
  }
}
