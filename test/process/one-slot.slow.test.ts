import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../src/index.ts';
import {
  createHome,
  type Home,
  type RunningService,
  runSalon,
  startService,
} from '../support/salon-process.ts';

let home: Home;
let services: readonly RunningService[];
let clients: readonly SalonClient[];
let clientId: string;

beforeAll(async () => {
  home = createHome();
  const database = `sqlite:${home.folder}/salon.db`;
  const on = ['--database', database];
  await runSalon(['server', 'accounts', 'create', '--name', 'A', '--plan', 'enterprise', ...on], {
    home,
  });
  const argv = ['server', 'keys', 'create', '--role', 'owner', '--name', 'k', '--json', ...on];
  const token = JSON.parse((await runSalon(argv, { home })).stdout).key;
  services = [await startService(database, { home }), await startService(database, { home })];
  clients = services.map(({ origin: baseUrl }) =>
    createClient({ baseUrl, credential: { kind: 'bearer', token }, concurrency: 20 }),
  );
  clientId = String((await clients[0]?.clients.create({ first_name: 'Bo' }))?.id);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  for (const { child } of services) child.kill('SIGTERM');
  await Promise.all(services.map(({ child }) => once(child, 'close')));
  home[Symbol.dispose]();
});

const slot = '2031-01-07T09:00:00Z';
const numbers = Array.from({ length: 20 }, (_, number) => number);

function clientFor(number: number): SalonClient {
  const client = clients[number % clients.length];
  if (client === undefined) throw new Error('No services.');
  return client;
}

async function addStylist(): Promise<string> {
  return String((await clientFor(0).stylists.create({ first_name: 'Mia' })).id);
}

function toOwnDay(number: number): string {
  return new Date(Date.UTC(2031, 1, number + 1, 9)).toISOString();
}

function book(number: number, stylist_id: string, start_time: string, status = 'confirmed') {
  const body = { client_id: clientId, stylist_id, service: 'Cut', start_time, duration: 30, status };
  return clientFor(number).appointments.create(body);
}

/** Asserts that one request succeeds and the others conflict. */
async function expectOne(tries: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(tries);
  const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done'));
  expect(codes.toSorted()).toEqual([...Array(numbers.length - 1).fill('appointment_conflict'), 'done']);
}

describe('of 20 simultaneous requests to two services on one database, one gets the slot', () => {
  it('by booking it', async () => {
    const stylistId = await addStylist();
    await expectOne(numbers.map((number) => book(number, stylistId, slot)));
  });

  it('by rescheduling', async () => {
    const stylistId = await addStylist();
    const booked = await Promise.all(numbers.map((number) => book(number, stylistId, toOwnDay(number))));
    await expectOne(
      booked.map(({ id = '' }, number) =>
        clientFor(number).appointments.update(id, { start_time: slot }, { partial: true }),
      ),
    );
  });

  it('by undoing a no-show', async () => {
    const stylistId = await addStylist();
    const missed = { status: 'no_show', start_time: '2020-01-07T09:00:00Z' };
    const booked = await Promise.all(
      numbers.map((number) => book(number, stylistId, missed.start_time, missed.status)),
    );
    await expectOne(
      booked.map(({ id = '' }, number) =>
        clientFor(number).appointments.update(id, { status: 'confirmed' }, { partial: true }),
      ),
    );
  });
});
