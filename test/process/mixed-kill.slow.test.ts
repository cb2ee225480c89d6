import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/service/db/database.ts';
import { checkDatabase } from '../../src/service/maintenance/check.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { startMixedLoad } from '../support/mixed-load.ts';
import { createHome, type RunningService, runSalon, startService } from '../support/salon-process.ts';
import { isLong } from '../support/speed.ts';
import { openWebhookReceiver } from '../support/webhook-receiver.ts';
import { findContradictions } from '../support/written-load.ts';

const kills = isLong ? 200 : 4;
const writers = 8;
// On PostgreSQL no key file lies beside the database.
const env = { SALON_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };

describe('two services on one database, killed again and again under mixed load', () => {
  it(`lose nothing that was acknowledged and no event in ${kills} kills`, async () => {
    using home = createHome();
    await using empty = await createEmptyDatabase(`${home.folder}/salon.db`);
    const database = empty.location;
    const on = ['--database', database];
    const add = ['server', 'accounts', 'create', '--name', 'A', '--limit', '100000000', ...on];
    await runSalon(add, { home, env });
    const addKey = ['server', 'keys', 'create', '--role', 'owner', '--name', 'k', '--json', ...on];
    const token: string = JSON.parse((await runSalon(addKey, { home, env })).stdout).key;
    await using receiver = await openWebhookReceiver();
    const start = () => startService(database, { home, env });
    let running: readonly RunningService[] = await Promise.all([start(), start()]);
    let starting: Promise<unknown> = Promise.resolve();
    let killed = 0;
    /** Kills the service that has run for longest, or both, and starts as many. */
    const kill = async (count: number) => {
      const ending = running.slice(0, count);
      running = running.slice(count);
      for (const { child } of ending) child.kill('SIGKILL');
      killed += count;
      starting = Promise.all(ending.map(({ child }) => once(child, 'close'))).then(async () => {
        running = [...running, ...(await Promise.all(ending.map(start)))];
      });
      await starting;
    };
    const post = async (path: string, body: object) => {
      const response = await fetch(`${running[0]?.origin}/api/v1/${path}`, {
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
    const next = async () => {
      if (running.length === 0) await starting;
      return running[turn++ % running.length]?.origin ?? '';
    };
    const load = startMixedLoad({ next, token, stylistId, writers, isOver: () => isOver });
    for (let round = 0; killed < kills; round += 1) {
      // Killed after a number of writes, not after a time, so that each round is killed while writing.
      await load.until(load.acknowledged() + 20 + ((round * 37) % 90));
      await kill(round % 9 === 2 ? 2 : 1);
      if (round % 20 === 19) expect(await findProblems(database)).toEqual([]);
    }
    isOver = true;
    await load.finished;
    for (const { child } of running) {
      child.kill('SIGTERM');
      await once(child, 'close');
    }

    await using opened = await openDatabase(database);
    expect(load.unexpected).toEqual([]);
    expect(await findContradictions(opened.reader, load)).toEqual([]);
    expect(await findProblems(database)).toEqual([]);
    expect(load.booked.size).toBeGreaterThan(kills);
    const [{ events } = { events: 0 }] = await opened.reader.run<{ events: number }>(
      'select count(*) as events from events',
      [],
    );
    const counts = `${killed} kills, ${load.acknowledged()} requests acknowledged, ${events} events`;
    if (isLong) process.stdout.write(`${counts}\n`);
  });
});

/** What the counters, references and chains of a database say against full scans, as of one moment. */
async function findProblems(database: string): Promise<string[]> {
  return (await checkDatabase(database)).flatMap(({ problems }) => problems);
}
