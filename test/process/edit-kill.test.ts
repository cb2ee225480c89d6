import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../src/index.ts';
import { type CountingGateway, openCountingGateway } from '../support/counting-gateway.ts';
import { createHome, finish, type Home, runHere, startSalon } from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { bySpeed } from '../support/speed.ts';
import { until } from '../support/until.ts';

const kills = bySpeed({ full: 1, long: 200 });
const createKills = bySpeed({ full: 1, long: 60 });
const rows = bySpeed({ full: 100, long: 500 });
const newRows = 100;

let service: TestService;
let client: SalonClient;

beforeAll(async () => {
  service = await openTestService({ clients: rows });
  const token = service.keys.owner;
  client = createClient({ baseUrl: service.origin, credential: { kind: 'bearer', token } });
});
afterAll(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

/** Starts a bulk edit, kills it after a number of writes, and resumes its job. */
async function runKilled(argv: readonly string[], { home, gateway, after, turns }: Killing) {
  const env = { SALON_BASE_URL: gateway.origin, SALON_API_KEY: service.keys.owner, SALON_DATA_DIR: 'data' };
  const before = gateway.writes.length;
  const child = startSalon(argv, { home, env });
  let isOver = false;
  const finished = finish(child).finally(() => {
    isOver = true;
  });
  await until(() => isOver || gateway.writes.length >= before + after);
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  child.kill('SIGKILL');
  const { signal } = await finished;
  await gateway.settle();
  const [job = ''] = jobsOf(home);
  const resumed = await runHere(['jobs', 'resume', job, '--json'], { home, env });
  const results = await runHere(['jobs', 'results', job, '--json'], { home, env });
  expect(results.exitCode, results.stderr + resumed.stderr).toBe(0);
  return {
    wasKilled: signal === 'SIGKILL',
    resumed,
    results: JSON.parse(results.stdout) as readonly Result[],
  };
}

interface Killing {
  readonly home: Home;
  readonly gateway: CountingGateway;
  readonly after: number;
  readonly turns: number;
}

interface Result {
  readonly id: string | null;
  readonly result: string;
}

function jobsOf({ folder }: Home): readonly string[] {
  const jobs = join(folder, 'data/jobs');
  return existsSync(jobs) ? readdirSync(jobs).filter((name) => !name.startsWith('.')) : [];
}

async function readClients() {
  const all: Readonly<Record<string, unknown>>[] = [];
  for await (const page of client.clients.list()) all.push(...page.rows);
  return all;
}

describe('a killed bulk edit', () => {
  it(`reaches the planned state from any of ${kills} moments, sending no row more than twice`, {
    timeout: 3_000_000,
  }, async () => {
    const ids = (await readClients()).map(({ id }) => String(id));
    let killed = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      await using gateway = await openCountingGateway(service.origin);
      using home = createHome();
      const lines = ids.map((id) => `${id},kill ${kill}`);
      writeFileSync(join(home.folder, 'notes.csv'), `id,notes\n${lines.join('\n')}\n`);
      const moment = { after: 1 + ((kill * 173) % rows), turns: (kill * 37) % 60 };
      const argv = ['clients', 'update', '--file', 'notes.csv', '--yes'];
      const { wasKilled, resumed, results } = await runKilled(argv, { home, gateway, ...moment });
      expect(resumed.exitCode, `kill ${kill}: ${resumed.stderr}`).toBe(0);
      expect((await readClients()).filter(({ notes }) => notes !== `kill ${kill}`)).toEqual([]);
      expect(results.filter(({ result }) => result !== 'updated')).toEqual([]);
      const sent = Map.groupBy(gateway.writes, ({ path }) => path);
      expect(sent.size).toBe(rows);
      for (const writes of sent.values()) {
        expect(writes.length).toBeLessThanOrEqual(2);
        expect(new Set(writes.map(({ body }) => body)).size).toBe(1);
      }
      if (wasKilled) killed += 1;
    }
    expect(killed).toBeGreaterThan(kills / 2);
  });

  it('of an import adds and completes every client once, whatever the moment', {
    timeout: 3_000_000,
  }, async () => {
    for (let kill = 0; kill < createKills; kill += 1) {
      await using gateway = await openCountingGateway(service.origin);
      using home = createHome();
      const people = Array.from({ length: newRows }, (_, index) => `k${kill}n${index}@import.example`);
      const known = people.filter((_, index) => index % 3 === 0);
      for (const email of known) await client.clients.create({ first_name: 'Import', email });
      const lines = people.map((email) => `Import,${email},kill ${kill}`);
      writeFileSync(join(home.folder, 'list.csv'), `first_name,email,notes\n${lines.join('\n')}\n`);
      const moment = { after: 1 + ((kill * 31) % newRows), turns: (kill * 37) % 60 };
      const argv = ['clients', 'import', 'list.csv', '--yes'];
      const { resumed, results } = await runKilled(argv, { home, gateway, ...moment });
      expect(resumed.exitCode, `kill ${kill}: ${resumed.stderr}`).toBe(0);
      const counts = (what: string) => results.filter(({ result }) => result === what).length;
      expect([counts('updated'), counts('created')]).toEqual([known.length, newRows - known.length]);
      const made = (await readClients()).filter(({ email }) => people.includes(String(email)));
      expect(made.map(({ email }) => email).toSorted()).toEqual(people.toSorted());
      expect(made.filter(({ notes }) => notes !== `kill ${kill}`)).toEqual([]);
    }
  });

  it.each([
    ['that honours idempotency keys creates every record once', false],
    ['without idempotency keys creates none twice and reports unknown rows', true],
  ])('at any moment, on a server %s', { timeout: 3_000_000 }, async (_title, hidesKeys) => {
    for (let kill = 0; kill < createKills; kill += 1) {
      await using gateway = await openCountingGateway(service.origin, { hidesKeys });
      using home = createHome();
      const names = Array.from({ length: newRows }, (_, index) => `${hidesKeys} ${kill} ${index}`);
      writeFileSync(join(home.folder, 'new.csv'), `first_name\n${names.join('\n')}\n`);
      const moment = { after: 1 + ((kill * 31) % newRows), turns: (kill * 37) % 60 };
      const argv = ['clients', 'create', '--file', 'new.csv', '--yes'];
      const { resumed, results } = await runKilled(argv, { home, gateway, ...moment });
      const made = (await readClients()).filter((one) => names.includes(String(one['first_name'])));
      expect(new Set(made.map((one) => one['first_name'])).size, 'none is there twice').toBe(made.length);
      const created = results.filter(({ result }) => result === 'created');
      expect(new Set(created.map(({ id }) => id))).toEqual(new Set(made.map(({ id }) => id)));
      const rest = results.filter(({ result }) => result !== 'created');
      expect(rest.filter(({ result }) => result !== 'doubtful')).toEqual([]);
      if (!hidesKeys) expect(rest).toEqual([]);
      expect(resumed.exitCode, resumed.stderr).toBe(rest.length === 0 ? 0 : 3);
    }
  });
});
