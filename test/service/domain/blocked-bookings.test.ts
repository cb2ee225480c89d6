import { describe, expect, it } from 'vitest';
import type { SalonError } from '../../../src/contract/errors.ts';
import {
  createAppointment,
  getAppointment,
  updateAppointment,
} from '../../../src/service/domain/appointments.ts';
import { createBlockedTime } from '../../../src/service/domain/blocked-times.ts';
import { race } from '../../support/race.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

const [ten, noon] = ['2026-12-01T10:00:00Z', '2026-12-01T12:00:00Z'];

async function openBlocked(of: 'stylist' | 'salon' = 'stylist') {
  const salon = await openTestSalon();
  const stylist_id = await salon.addStylist({ display_name: 'Mia' });
  const client_id = await salon.addClient();
  const body = { stylist_id: of === 'salon' ? null : stylist_id, start_time: ten, end_time: noon };
  const block = await createBlockedTime(salon.as(), { ...body, reason: 'break', note: 'dentist' });
  const booking = { client_id, stylist_id, service: 'Cut', start_time: ten, duration: 60 };
  return { salon, stylist_id, booking, block, [Symbol.asyncDispose]: () => salon[Symbol.asyncDispose]() };
}

const refusal = { code: 'time_blocked' };

describe('a booking in blocked time', () => {
  it.each(['stylist', 'salon'] as const)(
    'of the %s is refused, and says why and when there is time',
    async (of) => {
      await using scene = await openBlocked(of);
      const { salon, booking, block, stylist_id } = scene;
      await salon.addAppointment({ stylist_id, start_time: noon, duration: 30 });
      const blocked = of === 'salon' ? null : stylist_id;
      await expect(createAppointment(salon.as(), booking)).rejects.toMatchObject({
        code: 'time_blocked',
        status: 409,
        message: `${of === 'salon' ? 'The salon is closed' : 'Mia is away'} at that time (break).`,
        members: {
          blocked_time_ids: [block.id],
          stylist_name: 'Mia',
          blocked_times: [
            {
              id: block.id,
              stylist_id: blocked,
              start_time: ten,
              end_time: noon,
              reason: 'break',
              note: 'dentist',
            },
          ],
          free_from: '2026-12-01T12:30:00Z',
        },
      });
    },
  );

  it('of both says which reason is whose', async () => {
    await using scene = await openBlocked();
    const { salon, booking } = scene;
    const times = { start_time: ten, end_time: noon };
    await createBlockedTime(salon.as(), { stylist_id: null, ...times, reason: 'holiday' });
    await expect(createAppointment(salon.as(), booking)).rejects.toMatchObject({
      ...refusal,
      message: 'The salon is closed at that time (holiday), and Mia is away at that time (break).',
    });
  });

  it('is not told of free time that runs into the next day’s appointment', async () => {
    await using scene = await openBlocked();
    const { salon, booking, stylist_id } = scene;
    const whole = { start_time: noon, end_time: '2026-12-02T09:30:00Z' };
    await createBlockedTime(salon.as(), { stylist_id, ...whole });
    // Half an hour is free before it: too little.
    await salon.addAppointment({ stylist_id, start_time: '2026-12-02T10:00:00Z' });
    await expect(createAppointment(salon.as(), booking)).rejects.toMatchObject({
      ...refusal,
      members: { free_from: null },
    });
    const late = { ...booking, start_time: '2026-12-01T11:30:00Z' };
    await expect(createAppointment(salon.as(), late)).rejects.toMatchObject({
      members: { free_from: '2026-12-02T11:00:00Z' },
    });
  });

  it('is accepted with allow_blocked, which does not allow an overlap', async () => {
    await using scene = await openBlocked();
    const { salon, booking } = scene;
    await createAppointment(salon.as(), { ...booking, allow_blocked: true });
    const again = (overrides: object) => createAppointment(salon.as(), { ...booking, ...overrides });
    await expect(again({ allow_blocked: true })).rejects.toMatchObject({ code: 'appointment_conflict' });
    await expect(again({ allow_overlap: true })).rejects.toMatchObject(refusal);
    await expect(again({ allow_overlap: true, allow_blocked: true })).resolves.toBeDefined();
    await expect(again({ status: 'cancelled' })).resolves.toBeDefined();
  });

  it('is refused however long ago the time began to be blocked, and not at its edges', async () => {
    await using scene = await openBlocked();
    const { salon, booking, stylist_id } = scene;
    const end_time = '2027-01-15T09:00:00Z';
    await createBlockedTime(salon.as(), { stylist_id, start_time: '2026-12-02T09:00:00Z', end_time });
    const at = (start_time: string) => createAppointment(salon.as(), { ...booking, start_time });
    await expect(at('2027-01-15T08:59:00Z')).rejects.toMatchObject(refusal);
    await expect(at('2026-12-01T09:00:00Z')).resolves.toBeDefined();
    await expect(at(noon)).resolves.toBeDefined();
    await expect(at(end_time)).resolves.toBeDefined();
  });

  it('of another stylist or another account is accepted', async () => {
    await using scene = await openBlocked();
    const { salon } = scene;
    await expect(salon.addAppointment({ start_time: ten })).resolves.toBeDefined();
    const neighbour = await salon.openNeighbour();
    await createBlockedTime(salon.as(), { stylist_id: null, start_time: ten, end_time: noon });
    await expect(neighbour.addAppointment({ start_time: ten })).resolves.toBeDefined();
  });
});

describe('a change of an appointment', () => {
  const before = { start_time: '2026-12-01T09:00:00Z', duration: 60 };
  const cases: [string, (salon: TestSalon, stylist_id: string) => Promise<readonly [string, object]>][] = [
    [
      'another time',
      async (salon, stylist_id) => [
        await salon.addAppointment({ stylist_id, ...before }),
        { start_time: ten },
      ],
    ],
    [
      'a longer duration',
      async (salon, stylist_id) => [await salon.addAppointment({ stylist_id, ...before }), { duration: 61 }],
    ],
    [
      'another stylist',
      async (salon, stylist_id) => [await salon.addAppointment({ start_time: ten }), { stylist_id }],
    ],
    [
      'a no-show that comes after all',
      async (salon, stylist_id) => [
        await salon.addAppointment({ stylist_id, start_time: ten, status: 'no_show' }),
        { status: 'confirmed' },
      ],
    ],
  ];

  it.each(cases)('to %s is refused in blocked time, unless allowed', async (_, prepare) => {
    await using scene = await openBlocked();
    const [id, change] = await prepare(scene.salon, scene.stylist_id);
    const former = await getAppointment(scene.salon.as(), id);
    await expect(updateAppointment(scene.salon.as(), id, { change })).rejects.toMatchObject(refusal);
    expect(await getAppointment(scene.salon.as(), id)).toEqual(former);
    const allowed = { ...change, allow_blocked: true };
    await expect(updateAppointment(scene.salon.as(), id, { change: allowed })).resolves.toMatchObject(change);
  });

  it('that needs no new time is accepted', async () => {
    await using scene = await openBlocked();
    const { salon, booking } = scene;
    const { id } = await createAppointment(salon.as(), { ...booking, allow_blocked: true });
    for (const change of [{ notes: 'seen' }, { duration: 30 }, { status: 'pending' }] as const) {
      await expect(updateAppointment(salon.as(), id, { change })).resolves.toMatchObject(change);
    }
  });
});

const races = countBySpeed(24, 2000);

it(`of a block and a booking of two processes at one instant, ${races} times, the first one counts`, async () => {
  await using salon = await openTestSalon();
  const elsewhere = await salon.store.openAgain();
  const [client_id, stylist_id] = [await salon.addClient(), await salon.addStylist()];
  const moved = await salon.addAppointment({ client_id, stylist_id, start_time: '2026-11-30T09:00:00Z' });
  for (let number = 0; number < races; number++) {
    const startMs = Date.parse(ten) + number * 86_400_000;
    const start_time = new Date(startMs).toISOString();
    const end_time = new Date(startMs + 1_800_000).toISOString();
    const isMove = number % 3 === 0;
    const [blocking, booking] = await race(
      number,
      () =>
        createBlockedTime(salon.as(), {
          stylist_id: number % 5 === 0 ? null : stylist_id,
          start_time,
          end_time,
        }),
      () =>
        isMove
          ? updateAppointment(salon.as({ database: elsewhere }), moved, { change: { start_time } })
          : createAppointment(salon.as({ database: elsewhere }), {
              ...{ client_id, stylist_id, service: 'Cut', start_time, duration: 45 },
            }),
    );
    const { affected_appointment_ids: affected } = (
      blocking as PromiseFulfilledResult<{ affected_appointment_ids: string[] }>
    ).value;
    if (booking.status === 'fulfilled') expect(affected).toEqual([(booking.value as { id: string }).id]);
    else expect([(booking.reason as SalonError).code, affected]).toEqual(['time_blocked', []]);
    // Since the block is acknowledged, the other process books nothing in it.
    const late = createAppointment(salon.as({ database: elsewhere }), {
      ...{ client_id, stylist_id, service: 'Cut', start_time, duration: 5 },
    });
    await expect(late).rejects.toMatchObject(refusal);
  }
});
