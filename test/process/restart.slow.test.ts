import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { findFreePort } from '../support/free-port.ts';
import {
  createHome,
  finish,
  type RunningService,
  runSalon,
  startSalon,
  startService,
} from '../support/salon-process.ts';
import { bySpeed } from '../support/speed.ts';
import { until } from '../support/until.ts';

/** With the start of the service, 2 s in the long run. */
const downMs = bySpeed({ full: 0, long: 1_500 });
const rows = 600;
/** As many as a service needs that takes long to start on a busy machine; in the long run, those there are by default. */
const retries = bySpeed<number | undefined>({ full: 10, long: undefined });

describe('a service that restarts', () => {
  it('fails neither a list, nor a create, nor a bulk edit that runs meanwhile', async () => {
    using home = createHome();
    const database = `sqlite:${home.folder}/salon.db`;
    const account = ['account', 'create', '--name', 'A', '--limit', '1000000', '--database', database];
    await runSalon(['service', ...account], { home });
    const keyOptions = ['--role', 'owner', '--name', 'k', '--json', '--database', database];
    const made = await runSalon(['server', 'keys', 'create', ...keyOptions], { home });
    const { key } = JSON.parse(made.stdout);
    let service = await startService(database, { home, port: String(await findFreePort()) });
    const { origin } = service;
    await using client = createClient({
      baseUrl: origin,
      credential: { kind: 'bearer', token: key },
      retries,
    });
    const sheet = Array.from({ length: rows }, (_, index) => `Row ${index}`);
    writeFileSync(join(home.folder, 'new.csv'), ['first_name', ...sheet, ''].join('\n'));

    const env = { SALON_BASE_URL: origin, SALON_API_KEY: key };
    const argv = ['clients', 'create', '--file', 'new.csv', '--yes', '--json'];
    const patience = retries === undefined ? [] : ['--retries', String(retries)];
    const edit = finish(startSalon([...argv, ...patience], { home, env }));
    await until(async () => (await collectNames()).length >= rows / 10);
    const restarted = restart(service);
    const [record, names] = await Promise.all([
      client.clients.create({ first_name: 'Meanwhile' }),
      collectNames(),
    ]);
    service = await restarted;
    const { exitCode, stdout, stderr } = await edit;
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ done: rows, failed: 0, doubtful: 0 });
    expect(record.outcome).toBe('done');
    expect(names.length).toBeGreaterThanOrEqual(rows / 10);
    expect((await collectNames()).toSorted()).toEqual([...sheet, 'Meanwhile'].toSorted());
    service.child.kill('SIGTERM');
    await once(service.child, 'close');

    async function restart({ child }: RunningService): Promise<RunningService> {
      child.kill('SIGKILL');
      await once(child, 'close');
      await delay(downMs);
      return startService(database, { home, port: new URL(origin).port });
    }

    async function collectNames(): Promise<unknown[]> {
      const found: unknown[] = [];
      for await (const page of client.clients.list()) found.push(...page.rows.map((row) => row.first_name));
      return found;
    }
  });
});
