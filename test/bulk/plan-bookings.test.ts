import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BulkEdits, createBulkEdits, type NewAppointment } from '../../src/index.ts';
import { collect } from '../support/collect.ts';
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

  it('books the others where one is refused, if that one may be left out', async () => {
    await world.client.appointments.create(on(10)[0] ?? {});
    await using planned = await edits.planBookings(on(3, 10, 17), { ...wanted, onConflict: 'skip' });
    const { id, tally, stop } = await edits.apply(planned);
    expect({ tally, stop }).toMatchObject({ tally: { done: 2, failed: 1 }, stop: undefined });
    const results = await collect(edits.results(id));
    expect(results.map(({ line, result, code }) => [line, result, code])).toEqual([
      [1, 'created', null],
      [2, 'failed', 'appointment_conflict'],
      [3, 'created', null],
    ]);
    await using back = await edits.planUndo(id);
    expect((await edits.apply(back)).tally).toMatchObject({ done: 2 });
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
