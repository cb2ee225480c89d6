import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../src/index.ts';
import { openDatabase } from '../../src/service/db/database.ts';
import { type Fate, openCountingGateway } from '../support/counting-gateway.ts';
import { createHome, finish, type Home, runHere, startSalon } from '../support/salon-process.ts';
import { readSalon } from '../support/salon-state.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { bySpeed } from '../support/speed.ts';

const kills = bySpeed({ full: 2, long: 100 });

let service: TestService;
let client: SalonClient;
let into: string;
let from: string;

beforeAll(async () => {
  service = await openTestService({ clients: 3 });
  const credential = { kind: 'bearer', token: service.keys.owner } as const;
  client = createClient({ baseUrl: service.origin, credential });
  const [stylist_id = ''] = service.stylistIds;
  into = String((await client.clients.create({ first_name: 'Ana', last_name: 'Costa', notes: 'Tea' })).id);
  from = String(
    (
      await client.clients.create({
        first_name: 'Anna',
        last_name: 'Costa',
        phone: '+351912345678',
        notes: 'Milk',
      })
    ).id,
  );
  for (let day = 1; day <= 5; day += 1) {
    const start_time = `2031-01-0${day}T09:00:00Z`;
    await client.appointments.create({
      client_id: from,
      stylist_id,
      service: 'Cut',
      start_time,
      duration: 30,
    });
  }
  await client.payments.create({ client_id: from, amount: 4500, currency: 'EUR', method: 'card' });
});
afterAll(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

async function readState() {
  await using database = await openDatabase(service.database);
  return await readSalon(database);
}

function jobsOf({ folder }: Home): readonly string[] {
  const jobs = join(folder, 'data/jobs');
  return existsSync(jobs)
    ? readdirSync(jobs)
        .filter((name) => !name.startsWith('.'))
        .sort()
    : [];
}

interface Moment {
  /** The request at which the process is killed, from 1. */
  readonly request: number;
  /** Whether that request is lost, executed without a response, or answered. */
  readonly fate: Fate;
}

const fates: readonly Fate[] = ['lost', 'unanswered', 'passed'];

/** A gateway in front of the service at which processes are killed. */
async function openKillingGateway() {
  let requests = 0;
  let moment: Moment | undefined;
  let kill = () => {};
  const gateway = await openCountingGateway(service.origin, {
    fateOf() {
      requests += 1;
      if (requests !== moment?.request) return 'passed';
      if (moment.fate === 'passed') setTimeout(kill, 5);
      else kill();
      return moment.fate;
    },
  });
  const env = {
    SALON_BASE_URL: gateway.origin,
    SALON_API_KEY: service.keys.owner,
    SALON_DATA_DIR: 'data',
  };
  return {
    /** Runs a command and kills it at a moment. Returns how many requests there were. */
    async runKilled(argv: readonly string[], home: Home, at?: Moment): Promise<number> {
      [requests, moment] = [0, at];
      const child = startSalon(argv, { home, env });
      kill = () => void child.kill('SIGKILL');
      await finish(child);
      await gateway.settle();
      moment = undefined;
      return requests;
    },
    run: (argv: readonly string[], home: Home) => runHere(argv, { home, env }),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

describe('a killed merge', () => {
  it(`is completed by a resume, and undone with or without one, leaves the salon as before, at ${kills} moments`, {
    timeout: 3_000_000,
  }, async () => {
    const argv = ['clients', 'merge', into, from, '--yes', '--json'];
    const before = await readState();
    await using gateway = await openKillingGateway();
    using trial = createHome();
    const total = await gateway.runKilled(argv, trial);
    const merged = await readState();
    expect(merged).not.toEqual(before);
    const [first = ''] = jobsOf(trial);
    const back = await gateway.run(['jobs', 'undo', first, '--yes'], trial);
    expect(back.exitCode, back.stderr).toBe(0);
    expect(await readState()).toEqual(before);

    let unfinished = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      using home = createHome();
      // From the last request backwards: most of what can go wrong is there.
      const request = total - (Math.floor(kill / fates.length) % total);
      const moment = { request, fate: fates[kill % fates.length] ?? 'passed' };
      await gateway.runKilled(argv, home, moment);
      const [job] = jobsOf(home);
      const title = `killed at request ${request} of ${total}, ${moment.fate}`;
      if (job === undefined) {
        expect(await readState(), title).toEqual(before);
        continue;
      }
      unfinished += 1;
      if (kill % 2 === 0) {
        const resumed = await gateway.run(['jobs', 'resume', job], home);
        expect(resumed.exitCode, `${title}: ${resumed.stderr}`).toBe(0);
        expect(await readState(), title).toEqual(merged);
      }
      const again = { request: 1 + (kill % total), fate: moment.fate };
      await gateway.runKilled(['jobs', 'undo', job, '--yes'], home, again);
      const undo = jobsOf(home).find((id) => id !== job);
      const argvOfRest = undo === undefined ? ['jobs', 'undo', job, '--yes'] : ['jobs', 'resume', undo];
      const undone = await gateway.run(argvOfRest, home);
      expect(undone.exitCode, `${title}, undo at request ${again.request}: ${undone.stderr}`).toBe(0);
      expect(await readState(), title).toEqual(before);
    }
    expect(unfinished).toBeGreaterThan(1);
  });
});
