import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { type Database, openDatabase } from '../../src/service/db/database.ts';
import { body, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { createHome, type Home, runSalon, startService } from '../support/salon-process.ts';
import { bySpeed } from '../support/speed.ts';
import { until } from '../support/until.ts';

const kills = bySpeed({ full: 2, long: 100 });
const eventsBetween = 12;
/** The maximum number of webhooks of an account. */
const killsOfOneAccount = 25;
/** Deliveries that may be in flight when their service is killed. */
const maxUnderWay = 64;
/** An address without a listener: a delivery that used the proxy from the environment would fail. */
const env = { HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' };

/** Kills the service at a different moment each time, around a response and its record. */
const phases = ['before the answer', 'with the answer', 'after the answer'] as const;

interface Kill {
  readonly phase: (typeof phases)[number];
  strike(): void;
}

async function makeAccount(home: Home, database: string): Promise<string> {
  const on = ['--database', database];
  const made = await runSalon(['server', 'accounts', 'create', '--name', 'A', '--json', ...on], { home });
  const account = ['--account', JSON.parse(made.stdout).id];
  const argv = ['server', 'keys', 'create', '--role', 'owner', '--name', 'k', '--json', ...account, ...on];
  return JSON.parse((await runSalon(argv, { home })).stdout).key;
}

/** Advances time until the leases of dead services expire. */
async function endLeases(database: Database): Promise<void> {
  await database.transaction('service', (tx) =>
    tx.run('update deliveries set leased_until_ms = 1 where leased_until_ms > 0', []),
  );
}

async function countUndelivered({ reader }: Database): Promise<number> {
  return (await reader.run("select id from deliveries where status <> 'delivered'", [])).length;
}

describe('a service killed while it delivers, then restarted', () => {
  it(`delivers every event with its own ID after ${kills} kills`, {
    timeout: 3_600_000,
  }, async () => {
    using home = createHome();
    const database = `sqlite:${home.folder}/salon.db`;
    let kill: Kill | undefined;
    let left = 0;
    let life = 0;
    const sendings: string[] = [];
    await using receiver = await openMisbehavingServer(({ headers }) => (response) => {
      sendings.push(`${life} ${headers['webhook-id']}`);
      left -= 1;
      const strike = left === 0 ? kill?.strike : undefined;
      if (kill?.phase === 'before the answer') strike?.();
      body('')(response);
      if (kill?.phase === 'with the answer') strike?.();
      if (kill?.phase === 'after the answer') response.on('finish', () => setImmediate(() => strike?.()));
    });
    const secrets = new Map<string, string>();
    const made: string[] = [];
    let token = '';
    for (let number = 0; number < kills; number++) {
      if (number % killsOfOneAccount === 0) token = await makeAccount(home, database);
      const { child, origin } = await startService(database, { home, env });
      life += 1;
      await using client = createClient({ baseUrl: origin, credential: { kind: 'bearer', token } });
      // A webhook per kill, so that no round waits for leases of the previous service.
      const { record } = await client.webhooks.create({ url: receiver.origin });
      const { id = '', secret = '' } = record ?? {};
      secrets.set(id, secret);
      left = Number.POSITIVE_INFINITY;
      // Two are acknowledged before the kill in any case.
      for (const _ of [1, 2]) made.push((await client.webhooks.test(id)).event_id);
      left = 1 + (number % eventsBetween);
      const phase = phases[number % phases.length] ?? 'with the answer';
      kill = { phase, strike: () => child.kill('SIGKILL') };
      const killed = once(child, 'close');
      // The last ones may find the service gone; acknowledged writes are kept.
      const asked = Array.from({ length: eventsBetween }, () => client.webhooks.test(id));
      for (const outcome of await Promise.allSettled(asked)) {
        if (outcome.status === 'fulfilled') made.push(outcome.value.event_id);
      }
      await killed;
    }
    kill = undefined;
    await using opened = await openDatabase(database);
    await endLeases(opened);
    const { child } = await startService(database, { home, env });
    life += 1;
    await until(async () => (await countUndelivered(opened)) === 0);
    child.kill('SIGTERM');
    await once(child, 'close');

    const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    expect(new Set(ids).isSupersetOf(new Set(made))).toBe(true);
    // How many more were acknowledged before a kill depends on the machine.
    expect(made.length).toBeGreaterThan(kills);
    // Every repeat follows a kill: no service sends an event twice.
    expect(new Set(sendings).size).toBe(ids.length);
    expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(kills * maxUnderWay);
    for (const { body: sent, headers } of receiver.received) {
      const event = JSON.parse(sent);
      // The independent verifier allows five minutes, and a long run takes longer: only the signature counts here.
      const verifier = new Webhook(secrets.get(event.data.object.id) ?? '');
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      expect(headers['webhook-signature']).toBe(verifier.sign(String(headers['webhook-id']), at, sent));
      expect(event.id).toBe(headers['webhook-id']);
    }
  });
});
