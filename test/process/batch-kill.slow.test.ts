import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBulkEdits, createClient, type NewAppointment, type SalonClient } from '../../src/index.ts';
import { collect } from '../support/collect.ts';
import { type Fate, type GatewayOptions, openCountingGateway } from '../support/counting-gateway.ts';
import { createHome } from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { bySpeed } from '../support/speed.ts';

const kills = bySpeed({ full: 4, long: 60 });
const size = 4;
const program = join(import.meta.dirname, '../support/book-together.ts');
const fates: readonly Fate[] = ['lost', 'unanswered', 'passed'];

let service: TestService;
let client: SalonClient;
let clientId: string;
let month = 0;

beforeAll(async () => {
  service = await openTestService({ clients: 1 });
  const credential = { kind: 'bearer', token: service.keys.owner } as const;
  client = createClient({ baseUrl: service.origin, credential });
  const [page] = await collect(client.clients.list());
  clientId = page?.rows[0]?.id ?? '';
});
afterAll(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

/** Bookings in a month of their own. */
function toBookings() {
  month += 1;
  const toStart = (day: number) => new Date(Date.UTC(2031, month, day, 10)).toISOString();
  const [stylist_id = ''] = service.stylistIds;
  const booking = { client_id: clientId, stylist_id, service: 'Cut', duration: 60 };
  return Array.from(
    { length: size },
    (_, at): NewAppointment => ({ ...booking, start_time: toStart(1 + at) }),
  );
}

async function readStatuses([first, ...others]: readonly NewAppointment[]) {
  const last = new Date(Date.parse(others.at(-1)?.start_time ?? '') + 60_000).toISOString();
  const query = { start_time_from: first?.start_time ?? '', start_time_to: last };
  const pages = await collect(client.appointments.list(query));
  return pages.flatMap(({ rows }) => rows.map(({ status }) => status));
}

/** Books, killed at a request, and what is left by a resume. */
async function bookKilled(options: GatewayOptions, { request, fate }: { request: number; fate: Fate }) {
  using home = createHome();
  const folder = join(home.folder, 'jobs');
  const bookings = toBookings();
  let requests = 0;
  let kill = () => {};
  await using gateway = await openCountingGateway(service.origin, {
    ...options,
    fateOf() {
      requests += 1;
      if (requests !== request) return 'passed';
      kill();
      return fate;
    },
  });
  const token = service.keys.owner;
  const child = fork(program, [gateway.origin, token, folder, JSON.stringify(bookings)]);
  kill = () => void child.kill('SIGKILL');
  await once(child, 'close');
  await gateway.settle();
  const [id] = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
  const atKill = await readStatuses(bookings);
  if (id === undefined) return { atKill, results: [], booked: atKill, undone: atKill };
  await using own = createClient({ baseUrl: gateway.origin, credential: { kind: 'bearer', token } });
  const edits = createBulkEdits({ client: own, folder });
  await edits.resume(id);
  const results = (await collect(edits.results(id))).map(({ result }) => result);
  const booked = await readStatuses(bookings);
  await using back = await edits.planUndo(id);
  await edits.apply(back);
  return { atKill, results, booked, undone: await readStatuses(bookings) };
}

const all = (what: string) => Array.from({ length: size }, () => what);

describe('a killed job of several bookings', () => {
  it.each<[string, GatewayOptions, number]>([
    ['in one request', {}, 3],
    ['one by one', { hidesDryRun: true }, 2 + size],
    ['one by one on a server without idempotency keys', { hidesKeys: true }, 2 + size],
  ])('%s is done by a resume, once, and undone', { timeout: 3_000_000 }, async (_, options, last) => {
    let between = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const moment = { request: last - (kill % last), fate: fates[kill % fates.length] ?? 'passed' };
      const { atKill, results, booked, undone } = await bookKilled(options, moment);
      const what = `killed at request ${moment.request}, ${moment.fate}`;
      // In one transaction, there is nothing between none and all.
      if (Object.keys(options).length === 0) expect([0, size], what).toContain(atKill.length);
      if (results.length === 0) {
        expect(booked, what).toEqual([]);
        continue;
      }
      if (atKill.length > 0 && atKill.length < size) between += 1;
      if (options.hidesKeys) {
        expect(new Set(['created', 'doubtful', ...results]), what).toEqual(new Set(['created', 'doubtful']));
        expect(booked.length, what).toBe(results.filter((result) => result === 'created').length);
      } else {
        expect(results, what).toEqual(all('created'));
        expect(booked, what).toEqual(all('confirmed'));
      }
      expect(undone, what).toEqual(booked.map(() => 'cancelled'));
    }
    if (last > 3) expect(between).toBeGreaterThan(0);
  });
});
