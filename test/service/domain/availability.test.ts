import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFreeTime } from '../../../src/cli/availability/availability.ts';
import type { SalonError } from '../../../src/contract/errors.ts';
import { createAppointment } from '../../../src/service/domain/appointments.ts';
import { getAvailability } from '../../../src/service/domain/availability.ts';
import { createBlockedTime } from '../../../src/service/domain/blocked-times.ts';
import { createService } from '../../../src/service/domain/salon-services.ts';
import { updateSalon } from '../../../src/service/domain/salon-settings.ts';
import { updateStylist } from '../../../src/service/domain/stylists.ts';
import { dayMs, minuteMs, toUtcText } from '../../../src/time/time.ts';
import { toCommandContext } from '../../support/availability-context.ts';
import { openTestDatabase, rollBackAfter, type TestDatabase } from '../../support/database.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

const day = { from: '2026-12-01', to: '2026-12-01', duration: 60 };

async function openSalon(settings = {}) {
  const salon = await openTestSalon();
  const change = { time_zone: 'UTC', opening_hours: 'mon-sat 9-18', ...settings };
  await updateSalon(salon.as(), { change });
  return salon;
}

async function readFree(salon: TestSalon, query = {}, context = salon.as()) {
  const { data } = await getAvailability(context, { ...day, ...query });
  const toText = (time: string) => time.slice(11, 16);
  return data.map(({ stylist_name: name, intervals }) => [
    name,
    ...intervals.map(({ start_time, end_time }) => `${toText(start_time)}-${toText(end_time)}`),
  ]);
}

describe('free time', () => {
  it('is in working and opening hours, clear of appointments and blocked time, and long enough', async () => {
    await using salon = await openSalon();
    const mia = await salon.addStylist({ display_name: 'Mia', working_hours: 'tue 8-12 13-20' });
    await salon.addStylist({ display_name: 'Theo' });
    await salon.addStylist({ display_name: 'Old', active: false });
    await salon.addAppointment({ stylist_id: mia, start_time: '2026-12-01T10:00:00Z', duration: 30 });
    await salon.addAppointment({ stylist_id: mia, start_time: '2026-12-01T14:00:00Z', status: 'cancelled' });
    const times = { start_time: '2026-12-01T17:00:00Z', end_time: '2026-12-02T09:00:00Z' };
    await createBlockedTime(salon.as(), { stylist_id: null, ...times });
    expect(await readFree(salon)).toEqual([
      ['Mia', '09:00-10:00', '10:30-12:00', '13:00-17:00'],
      ['Theo', '09:00-17:00'],
    ]);
    expect(await readFree(salon, { duration: 61, stylist_id: mia })).toEqual([
      ['Mia', '10:30-12:00', '13:00-17:00'],
    ]);
  });

  it('is listed by name', async () => {
    await using salon = await openSalon();
    for (const display_name of ['Zoe', 'Łucja', 'Lena', 'Mia', 'Đurđa', 'Eva'])
      await salon.addStylist({ display_name });
    const names = (await readFree(salon)).map(([name]) => name);
    expect(names).toEqual(['Đurđa', 'Eva', 'Lena', 'Łucja', 'Mia', 'Zoe']);
  });

  it('begins at the next full minute', async () => {
    await using salon = await openSalon();
    await salon.addStylist();
    salon.environment.setTime('2026-12-01T16:10:30Z');
    expect(await readFree(salon)).toEqual([['Sam', '16:11-18:00']]);
    expect(await readFree(salon, { to: '2026-12-01T15:00:00Z' })).toEqual([['Sam']]);
  });

  it('follows the clock of the salon', async () => {
    await using salon = await openSalon({ time_zone: 'Europe/Berlin', opening_hours: 'sun 1-4' });
    await salon.addStylist();
    expect(await readFree(salon, { from: '2027-03-27', to: '2027-03-28' })).toEqual([['Sam', '00:00-02:00']]);
    expect(await readFree(salon, { from: '2027-10-30', to: '2027-10-31' })).toEqual([['Sam', '23:00-03:00']]);
  });

  it('is that of those who offer the service', async () => {
    await using salon = await openSalon();
    await salon.addStylist({ display_name: 'Mia', services: ['Balayage'] });
    await salon.addStylist({ display_name: 'Theo', services: ['Cut'] });
    await salon.addStylist({ display_name: 'Zoe', services: [] });
    const names = async (service: string) => (await readFree(salon, { service })).map(([name]) => name);
    expect(await names('balayage')).toEqual(['Mia', 'Zoe']);
    expect(await names('Perm')).toEqual(['Mia', 'Theo', 'Zoe']);
  });

  it('is long enough for the service of the list, if no duration is given', async () => {
    await using salon = await openSalon({ opening_hours: 'tue 9-11' });
    await salon.addStylist();
    await createService(salon.as(), { name: 'Balayage', duration: 120 });
    await createService(salon.as(), { name: 'Colour', duration: 121 });
    await createService(salon.as(), { name: 'Perm', duration: 30, active: false });
    const read = (service?: string) => readFree(salon, { duration: undefined, service });
    expect(await read('balayage')).toEqual([['Sam', '09:00-11:00']]);
    expect(await read('Colour')).toEqual([['Sam']]);
    expect(await readFree(salon, { duration: 60, service: 'Colour' })).toEqual([['Sam', '09:00-11:00']]);
    const refusal = (parameter: string, detail: string) => ({
      code: 'invalid_parameter',
      violations: [{ parameter, detail: expect.stringContaining(detail) }],
    });
    await expect(read('Perm')).rejects.toMatchObject(refusal('service', '"Perm"'));
    await expect(read()).rejects.toMatchObject(refusal('duration', 'required'));
  });

  it('is only their own for a stylist’s key', async () => {
    await using salon = await openSalon();
    const [mia, theo] = [await salon.addStylist({ display_name: 'Mia' }), await salon.addStylist()];
    const asMia = salon.as({ role: 'stylist', stylistId: mia });
    expect(await readFree(salon, {}, asMia)).toEqual([['Mia', '09:00-18:00']]);
    await expect(readFree(salon, { stylist_id: theo }, asMia)).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it('cannot be told without a time zone, nor without hours of somebody', async () => {
    await using salon = await openSalon({ time_zone: null, opening_hours: null });
    const id = await salon.addStylist();
    const missing = (names: string[]) => ({ code: 'salon_settings_missing', members: { missing: names } });
    await expect(readFree(salon)).rejects.toMatchObject(missing(['time_zone', 'opening_hours']));
    await updateSalon(salon.as(), { change: { time_zone: 'UTC' } });
    await expect(readFree(salon)).rejects.toMatchObject(missing(['opening_hours']));
    await updateStylist(salon.as(), id, { change: { working_hours: 'tue 9-10' } });
    expect(await readFree(salon)).toEqual([['Sam', '09:00-10:00']]);
  });

  it.each([
    ['more than 31 days', { to: '2027-01-01' }, 'to'],
    ['a time that ends before it begins', { to: '2026-11-30' }, 'to'],
    ['words', { from: 'tomorrow' }, 'from'],
    ['an unknown stylist', { stylist_id: 'sty_other' }, 'stylist_id'],
  ])('of %s is refused', async (_, query, parameter) => {
    await using salon = await openSalon();
    await expect(readFree(salon, query)).rejects.toMatchObject({
      code: 'invalid_parameter',
      violations: [{ parameter }],
    });
  });
});

const zones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'UTC'],
  ...['Asia/Kolkata', 'Africa/Casablanca'],
];
const hours = ['mon-sun 9-18', 'mon-sun 0-24', 'tue-sun 1-3 12-20', 'sat-sun 0-6', 'mon-fri 9:30-13 14-19'];
/** Around clock changes, and far from one. */
const days = [
  '2027-03-27',
  '2027-10-30',
  '2027-03-13',
  '2027-11-06',
  '2027-04-03',
  '2027-10-02',
  '2027-02-06',
  '2027-06-01',
];
const minutes = (max: number) => fc.integer({ min: 0, max: max / 5 }).map((step) => step * 5);
const span = fc.record({ stylist: fc.nat({ max: 2 }), start: minutes(3 * 1440), length: minutes(600) });
const scenes = fc.record({
  zone: fc.constantFrom(...zones),
  opening: fc.constantFrom(...hours),
  working: fc.constantFrom(null, ...hours),
  day: fc.constantFrom(...days),
  now: minutes(2 * 1440),
  booked: fc.array(span, { maxLength: 6 }),
  blocked: fc.array(span, { maxLength: 3 }),
  duration: fc.constantFrom(15, 45, 120),
  service: fc.constantFrom(undefined, 'cut', 'Perm'),
  wanted: fc.array(span, { minLength: 12, maxLength: 12 }),
});
type Scene = typeof scenes extends fc.Arbitrary<infer Value> ? Value : never;
const numRuns = countBySpeed(15, 5000);

it(`of ${numRuns} random salons: what is offered can be booked, what is refused is not, and commands compute the same`, async () => {
  await using store = await openTestDatabase();
  let offered = 0;
  const check = async (scene: Scene) =>
    rollBackAfter(store, async (inside) => {
      offered += await checkScene(scene, inside);
    });
  await fc.assert(fc.asyncProperty(scenes, check), { numRuns });
  expect(offered).toBeGreaterThan(numRuns);
});

/** Returns how many times are offered. */
async function checkScene(scene: Scene, store: TestDatabase): Promise<number> {
  const { zone, opening, duration, service } = scene;
  const salon = await openTestSalon(store);
  const dayStart = Date.parse(`${scene.day}T00:00:00Z`);
  const at = (minute: number) => toUtcText(dayStart + minute * minuteMs);
  const own = [
    await salon.addStylist({ working_hours: scene.working }),
    await salon.addStylist({ services: ['Cut'] }),
    await salon.addStylist({ working_hours: 'mon-sun 8-20' }),
  ];
  const client_id = await salon.addClient();
  const toBooking = ({ stylist, start, length }: Scene['booked'][number]) => ({
    ...{ client_id, stylist_id: own[stylist] ?? '', service: 'Cut' },
    ...{ start_time: at(start), duration: Math.max(length, 5), allow_early: true },
  });
  for (const one of scene.booked) {
    await createAppointment(salon.as(), { ...toBooking(one), allow_overlap: true });
  }
  for (const { stylist, start, length } of scene.blocked) {
    const times = { start_time: at(start), end_time: at(start + length + 5) };
    const stylist_id = stylist === 2 ? null : (own[stylist] ?? '');
    await createBlockedTime(salon.as(), { stylist_id, ...times });
  }
  salon.environment.setTime(at(scene.now));
  await updateSalon(salon.as(), { change: { time_zone: zone, opening_hours: opening } });
  const { data } = await getAvailability(salon.as(), { from: at(0), to: at(3 * 1440), duration });
  // Commands know the same, whether the server tells them or not.
  const span = { startMs: dayStart, endMs: dayStart + 3 * dayMs - duration * minuteMs };
  const read = async (isAnswered: boolean) => {
    const context = toCommandContext(salon, { isAnswered, zone, opening });
    const free = await readFreeTime(context, { span, durationMinutes: duration, service });
    return free.flatMap(({ stylistId, spans }) =>
      spans
        .filter(({ startMs, endMs }) => endMs - startMs >= duration * minuteMs)
        .map(({ startMs, endMs }) => `${stylistId} ${toUtcText(startMs)} ${toUtcText(endMs)}`),
    );
  };
  const told = await read(true);
  expect((await read(false)).toSorted()).toEqual(told.toSorted());
  const rolledBack = new Error('rolled back');
  const database: typeof store.database = {
    ...store.database,
    transaction: (lock, body) =>
      store.database.transaction(lock, async (tx) => {
        await body(tx);
        throw rolledBack;
      }),
  };
  /** Why a booking is refused, which is not made; undefined if it is not. */
  const refuse = async (
    booking: Parameters<typeof createAppointment>[1],
  ): Promise<SalonError | undefined> => {
    const thrown: unknown = await createAppointment(salon.as({ database }), booking).catch((error) => error);
    return thrown === rolledBack ? undefined : (thrown as SalonError);
  };
  for (const wanted of scene.wanted) {
    const booking = { ...toBooking(wanted), duration };
    const refusal = await refuse(booking);
    if (refusal === undefined) continue;
    const startMs = Date.parse(booking.start_time);
    const { intervals = [] } = data.find((one) => one.stylist_id === booking.stylist_id) ?? {};
    const isOffered = intervals.some(
      ({ start_time, end_time }) =>
        Date.parse(start_time) <= startMs && Date.parse(end_time) >= startMs + duration * minuteMs,
    );
    expect(isOffered).toBe(false);
    // The time that a refusal names is free.
    const free = refusal.members['free_from'];
    if (typeof free === 'string') expect(await refuse({ ...booking, start_time: free })).toBeUndefined();
  }
  // What is offered is accepted: the first and the last time of every interval.
  for (const { stylist_id, intervals } of data) {
    for (const { start_time, end_time } of intervals) {
      const [firstMs, endMs] = [Date.parse(start_time), Date.parse(end_time)];
      expect(firstMs).toBeGreaterThanOrEqual(Math.max(dayStart, Date.parse(at(scene.now))));
      expect(endMs).toBeLessThanOrEqual(dayStart + 3 * dayMs);
      for (const startMs of new Set([firstMs, endMs - duration * minuteMs])) {
        const times = { start_time: toUtcText(startMs), duration };
        expect(await refuse({ client_id, stylist_id, service: 'Cut', ...times })).toBeUndefined();
      }
    }
  }
  return told.length;
}
