import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/service/db/database.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { startMixedLoad } from '../support/mixed-load.ts';
import { createHome, type RunningService, runSalon, startService } from '../support/salon-process.ts';
import { openWebhookReceiver } from '../support/webhook-receiver.ts';
import { findContradictions } from '../support/written-load.ts';

const kills = process.env['SALON_TEST_LONG'] ? 200 : 4;
const writers = 8;
// On PostgreSQL no key file lies beside the database.
const env = { SALON_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };

describe('two services on one database, one of them killed again and again under mixed load', () => {
  it(`lose nothing that was acknowledged and no event in ${kills} kills`, {
    timeout: 3_600_000,
  }, async () => {
    using home = createHome();
    await using empty = await createEmptyDatabase(`${home.folder}/salon.db`);
    const database = empty.location;
    const on = ['--database', database];
    const add = ['service', 'account', 'create', '--name', 'A', '--limit', '100000000', ...on];
    await runSalon(add, { home, env });
    const addKey = ['service', 'key', 'create', '--role', 'owner', '--name', 'k', '--json', ...on];
    const token: string = JSON.parse((await runSalon(addKey, { home, env })).stdout).key;
    await using receiver = await openWebhookReceiver();
    const services: RunningService[] = [
      await startService(database, { home, env }),
      await startService(database, { home, env }),
    ];
    const post = async (path: string, body: object) => {
      const response = await fetch(`${services[0]?.origin}/api/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(201);
      return Object(await response.json());
    };
    await post('webhooks', { url: receiver.url, events: ['*'] });
    const { id: stylistId } = await post('stylists', { first_name: 'Mia' });

    let turn = 0;
    let isOver = false;
    const next = () => services[turn++ % services.length]?.origin ?? '';
    const load = startMixedLoad({ next, token, stylistId, writers, isOver: () => isOver });
    for (let kill = 0; kill < kills; kill++) {
      // Killed after a number of writes, not after a time, so that each round is killed while writing.
      const before = load.acknowledged();
      while (load.acknowledged() < before + 20 + ((kill * 37) % 90)) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      const killed = services[kill % services.length];
      killed?.child.kill('SIGKILL');
      if (killed !== undefined) await once(killed.child, 'close');
      services[kill % services.length] = await startService(database, { home, env });
    }
    isOver = true;
    await load.finished;
    for (const { child } of services) {
      child.kill('SIGTERM');
      await once(child, 'close');
    }

    await using opened = await openDatabase(database);
    expect(load.unexpected).toEqual([]);
    expect(await findContradictions(opened.reader, load)).toEqual([]);
    expect(load.booked.size).toBeGreaterThan(kills);
  });
});
