import { describe, expect, it } from 'vitest';
import {
  createAppointment,
  getAppointment,
  listAppointments,
} from '../../../src/service/domain/appointments.ts';
import { openTestSalon, testNow } from '../../support/salon.ts';

describe('a new appointment', () => {
  it('is confirmed, with its start in UTC', async () => {
    await using salon = await openTestSalon();
    const body = {
      client_id: await salon.addClient(),
      stylist_id: await salon.addStylist(),
      service: 'Cut',
      start_time: '2026-12-01T10:00:00+01:00',
      duration: 45,
    };
    const appointment = await createAppointment(salon.as(), body);
    expect(appointment).toEqual({
      ...body,
      id: expect.stringMatching(/^apt_[0-9a-hjkmnp-tv-z]{26}$/),
      start_time: '2026-12-01T09:00:00Z',
      status: 'confirmed',
      notes: null,
      cancellation_reason: null,
      created_at: testNow,
      updated_at: testNow,
      price: null,
      paid_amount: 0,
    });
    expect(await getAppointment(salon.as(), appointment.id)).toEqual(appointment);
  });

  it.each([
    ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00Z'],
    ['2026-12-01t09:00:00z', '2026-12-01T09:00:00Z'],
    ['2026-12-01T09:00:00.5Z', '2026-12-01T09:00:00.500Z'],
    ['2026-12-01T00:30:00.000-05:30', '2026-12-01T06:00:00.000Z'],
    ['2020-02-29T09:00:00Z', '2020-02-29T09:00:00Z'],
  ])('at %s starts at %s', async (start_time, utc) => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment({ start_time });
    expect(await getAppointment(salon.as(), id)).toMatchObject({ start_time: utc });
  });

  it.each([
    ['client_id', 'cli_none', 'not_found'],
    ['stylist_id', 'sty_none', 'not_found'],
    ['start_time', '2026-02-30T09:00:00Z', 'invalid_format'],
    ['start_time', '2026-12-01T09:00:00', 'invalid_format'],
    ['start_time', '2026-12-01T24:00:00Z', 'invalid_format'],
    ['start_time', '2026-12-01T23:59:60Z', 'invalid_format'],
    ['start_time', '9999-12-31T23:59:59-01:00', 'invalid_format'],
    ['start_time', '0000-01-01T00:00:00+01:00', 'invalid_format'],
    ['service', 'Cut\0', 'invalid_format'],
    ['notes', '\udfff', 'invalid_format'],
  ])('is refused with %s %j', async (name, value, code) => {
    await using salon = await openTestSalon();
    await expect(salon.addAppointment({ [name]: value })).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer: `/${name}`, code }],
    });
  });

  it('needs a client and an active stylist of the same account', async () => {
    await using salon = await openTestSalon();
    const neighbour = await salon.openNeighbour();
    const wrong = {
      client_id: await neighbour.addClient(),
      stylist_id: await neighbour.addStylist(),
    };
    await expect(salon.addAppointment(wrong)).rejects.toMatchObject({
      violations: [
        { pointer: '/client_id', code: 'not_found' },
        { pointer: '/stylist_id', code: 'not_found' },
      ],
    });
    const stylist_id = await salon.addStylist({ active: false });
    await expect(salon.addAppointment({ stylist_id })).rejects.toMatchObject({
      violations: [{ pointer: '/stylist_id', code: 'inactive' }],
    });
  });
});

describe('a slot', () => {
  const taken = { start_time: '2026-12-01T09:00:00Z', duration: 60 };

  it.each([
    ['the same', '2026-12-01T09:00:00Z', 60, true],
    ['one that begins inside', '2026-12-01T09:59:00Z', 30, true],
    ['one that ends inside', '2026-12-01T08:30:00Z', 31, true],
    ['one within', '2026-12-01T09:10:00Z', 5, true],
    ['one around', '2026-11-30T20:00:00Z', 1440, true],
    ['one that begins where it ends', '2026-12-01T10:00:00Z', 30, false],
    ['one that ends where it begins', '2026-12-01T08:30:00Z', 30, false],
    ['one before it in another zone', '2026-12-01T09:00:00+01:00', 60, false],
  ])('once taken collides with %s: %s for %i minutes: %s', async (_, start_time, duration, collides) => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    const id = await salon.addAppointment({ ...taken, stylist_id });
    const second = salon.addAppointment({ start_time, duration, stylist_id });
    if (collides) {
      await expect(second).rejects.toMatchObject({
        code: 'appointment_conflict',
        members: { conflicting_appointment_ids: [id] },
      });
      await expect(
        salon.addAppointment({ start_time, duration, stylist_id, allow_overlap: true }),
      ).resolves.toBeDefined();
    } else {
      await expect(second).resolves.toBeDefined();
    }
  });

  it('of a day-long appointment conflicts until its last minute', async () => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    await salon.addAppointment({ ...taken, duration: 1440, stylist_id });
    const last = { start_time: '2026-12-02T08:59:00Z', duration: 1, stylist_id };
    await expect(salon.addAppointment(last)).rejects.toMatchObject({ code: 'appointment_conflict' });
  });

  it.each(['cancelled', 'no_show'] as const)('is free when its appointment is %s', async (status) => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    await salon.addAppointment({ ...taken, stylist_id, status });
    await expect(salon.addAppointment({ ...taken, stylist_id })).resolves.toBeDefined();
    await expect(salon.addAppointment({ ...taken, stylist_id, status })).resolves.toBeDefined();
  });

  it('belongs to one stylist', async () => {
    await using salon = await openTestSalon();
    await salon.addAppointment(taken);
    await expect(salon.addAppointment(taken)).resolves.toBeDefined();
  });

  it('goes to exactly one of many simultaneous bookings in several processes', async () => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    const client_id = await salon.addClient();
    const processes = [salon.store.database, await salon.store.openAgain(), await salon.store.openAgain()];
    const attempts = Array.from({ length: 12 }, (_, index) => {
      const database = processes[index % processes.length] ?? salon.store.database;
      const body = { client_id, stylist_id, service: 'Cut', ...taken };
      return createAppointment(salon.as({ database }), body);
    });
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of results) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ code: 'appointment_conflict' });
      }
    }
    expect((await listAppointments(salon.as(), {})).total).toBe(1);
  });
});
