import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BulkEdits, createBulkEdits, createClient, type NewAppointment } from '../../src/index.ts';
import { collect } from '../support/collect.ts';
import { type Fate, type GatewayOptions, openCountingGateway } from '../support/counting-gateway.ts';
import { type EditWorld, openEditWorld } from '../support/edit-world.ts';
import { openFolder } from './plan/sample-plan.ts';

let world: EditWorld;
let folder: Awaited<ReturnType<typeof openFolder>>;
let edits: BulkEdits;
let booking: NewAppointment;

beforeEach(async () => {
  world = await openEditWorld({ clients: 4 });
  folder = await openFolder();
  edits = createBulkEdits({ client: world.client, folder: join(folder.path, 'jobs') });
  const [client] = await world.clients();
  const [page] = await collect(world.client.stylists.list());
  const stylist_id = page?.rows[0]?.id ?? '';
  booking = { client_id: client?.id ?? '', stylist_id, service: 'Cut', start_time: '', duration: 60 };
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** Bookings on these days of March 2031, at the same hour. */
function on(...days: readonly number[]): NewAppointment[] {
  const toStart = (day: number) => `2031-03-${String(day).padStart(2, '0')}T10:00:00.000Z`;
  return days.map((day) => ({ ...booking, start_time: toStart(day) }));
}

async function readBooked(): Promise<(readonly [string, string])[]> {
  const pages = await collect(world.client.appointments.list({ start_time_from: '2031-03-01T00:00:00Z' }));
  return pages.flatMap(({ rows }) => rows.map((row) => [row.start_time.slice(8, 10), row.status] as const));
}

const wanted = { name: 'Ana Costa with Mia for Cut every week', onConflict: 'refuse' } as const;

async function readIds(): Promise<string[]> {
  const pages = await collect(world.client.appointments.list({ start_time_from: '2031-03-01T00:00:00Z' }));
  return pages.flatMap(({ rows }) => rows.map(({ id }) => id));
}

/** Whose requests are counted, on a server as it is or without batches. */
async function openCounted({ now, ...options }: GatewayOptions & { readonly now?: () => Date } = {}) {
  const gateway = await openCountingGateway(world.service.origin, options);
  const credential = { kind: 'bearer', token: world.service.keys.owner } as const;
  const client = createClient({ baseUrl: gateway.origin, credential, retries: 0 });
  return {
    edits: createBulkEdits({ client, folder: join(folder.path, 'jobs'), now }),
    paths: () => gateway.writes.map(({ path }) => path.replace('/api/v1/appointments', '')),
    async [Symbol.asyncDispose]() {
      await client.close();
      await gateway[Symbol.asyncDispose]();
    },
  };
}

const withoutBatches = { hidesDryRun: true };

async function readOutcomes(id: string) {
  const results = await collect(edits.results(id));
  return results.map(({ result, code }) => (code === null ? result : `${result}: ${code}`));
}

describe('planBookings', () => {
  it('books in order as one job, and its undo cancels all of them', async () => {
    await using planned = await edits.planBookings(on(3, 10, 17), wanted);
    expect(planned.plan).toMatchObject({
      head: { source: { name: wanted.name }, edit: { noun: 'appointments', verb: 'create' } },
      counts: { rows: 3, create: 3 },
    });
    expect(await readBooked()).toEqual([]);
    const { id, tally, stop } = await edits.apply(planned);
    expect({ tally, stop }).toMatchObject({ tally: { done: 3 }, stop: undefined });
    const booked = ['03', '10', '17'].map((day) => [day, 'confirmed']);
    expect(await readBooked()).toEqual(booked);
    await using back = await edits.planUndo(id);
    expect((await edits.apply(back)).tally).toMatchObject({ done: 3 });
    expect(await readBooked()).toEqual(booked.map(([day]) => [day, 'cancelled']));
  });

  it('books the same words twice without asking', async () => {
    for (const days of [on(3), on(10)]) {
      await using planned = await edits.planBookings(days, wanted);
      expect((await edits.apply(planned)).tally).toMatchObject({ done: 1 });
    }
  });

  it.each([
    ['in one request', {}, ['/batch']],
    ['one by one on other servers', withoutBatches, ['', '', '']],
  ])('books the others where one is refused that may be left out, %s', async (_, options, paths) => {
    await world.client.appointments.create(on(10)[0] ?? {});
    await using counted = await openCounted(options);
    await using planned = await counted.edits.planBookings(on(3, 10, 17), { ...wanted, onConflict: 'skip' });
    const { id, tally, stop } = await counted.edits.apply(planned);
    expect({ tally, stop }).toMatchObject({ tally: { done: 2, failed: 1 }, stop: undefined });
    expect(await readOutcomes(id)).toEqual(['created', 'failed: appointment_conflict', 'created']);
    expect(counted.paths()).toEqual(paths);
    await using back = await counted.edits.planUndo(id);
    expect((await counted.edits.apply(back)).tally).toMatchObject({ done: 2 });
  });

  it('books none where all are wanted and one is refused, and says so of each', async () => {
    await world.client.appointments.create(on(10)[0] ?? {});
    const before = await readBooked();
    await using planned = await edits.planBookings(on(3, 10, 17), wanted);
    const { id, tally, stop } = await edits.apply(planned);
    expect({ tally, stop }).toMatchObject({ tally: { done: 0, failed: 3 }, stop: undefined });
    const others = 'failed: bookings_refused';
    expect(await readOutcomes(id)).toEqual([others, 'failed: appointment_conflict', others]);
    expect(await readBooked()).toEqual(before);
    expect(await edits.resume(id)).toMatchObject({ wasDone: true });
  });

  it('stops at the first refusal on other servers, where the job is undone or goes on', async () => {
    await world.client.appointments.create(on(10)[0] ?? {});
    await using counted = await openCounted(withoutBatches);
    await using planned = await counted.edits.planBookings(on(3, 10, 17, 24), wanted);
    const { id, tally, stop } = await counted.edits.apply(planned);
    expect({ tally, stop }).toMatchObject({
      tally: { done: 1, failed: 1 },
      stop: { code: 'budget_exceeded', message: 'Stopped: 1 row failed.' },
    });
    expect(await readOutcomes(id)).toEqual([
      'created',
      'failed: appointment_conflict',
      'not_sent',
      'not_sent',
    ]);
    expect(counted.paths()).toEqual(['', '']);
    await counted.edits.resume(id);
    expect(await readOutcomes(id)).toEqual(['created', 'failed: appointment_conflict', 'created', 'created']);
    await using back = await counted.edits.planUndo(id);
    await counted.edits.apply(back);
    expect((await readBooked()).toSorted()).toEqual([
      ['03', 'cancelled'],
      ['10', 'confirmed'],
      ['17', 'cancelled'],
      ['24', 'cancelled'],
    ]);
  });

  it('is done by a resume when the response was lost, and not twice', async () => {
    let isLost = true;
    const fateOf = (method: string): Fate => (method === 'POST' && isLost ? 'unanswered' : 'passed');
    await using counted = await openCounted({ fateOf });
    await using planned = await counted.edits.planBookings(on(3, 10), wanted);
    const { id, tally, stop } = await counted.edits.apply(planned);
    expect({ tally, stop }).toMatchObject({ tally: { done: 0, failed: 0, doubtful: 0 }, stop: {} });
    expect(await readBooked()).toHaveLength(2);
    isLost = false;
    expect(await counted.edits.resume(id)).toMatchObject({ tally: { done: 2 }, stop: undefined });
    const results = await collect(edits.results(id));
    const ids = await readIds();
    expect(results.map((result) => result.id)).toEqual(ids);
    expect(new Set(counted.paths())).toEqual(new Set(['/batch']));
  });

  it('looks for the appointments when the service has forgotten the key', async () => {
    let nowMs = Date.now();
    let isLost = true;
    const fateOf = (method: string): Fate => (method === 'POST' && isLost ? 'unanswered' : 'passed');
    await using counted = await openCounted({ fateOf, now: () => new Date(nowMs) });
    await using planned = await counted.edits.planBookings(on(3, 10), wanted);
    const { id } = await counted.edits.apply(planned);
    [isLost, nowMs] = [false, nowMs + 25 * 3_600_000];
    expect(await counted.edits.resume(id)).toMatchObject({ tally: { done: 2 }, stop: undefined });
    expect(await readIds()).toHaveLength(2);
    expect(counted.paths()).toEqual(['/batch', '/batch']);
  });

  it.each([
    ['no bookings', () => []],
    ['61 bookings', () => on(...Array.from({ length: 61 }, () => 3))],
    ['a booking without a service', () => on(3).map(({ service, ...others }) => others)],
    ['a booking that takes no time', () => [...on(3), { ...booking, duration: 0 }]],
  ])('refuses %s', async (_, toBookings) => {
    await expect(edits.planBookings(toBookings(), wanted)).rejects.toMatchObject({ code: 'usage' });
  });
});
