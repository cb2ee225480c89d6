import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppointmentStatus, appointmentStatuses } from '../../../src/contract/appointment.ts';
import type { BodyOf } from '../../../src/contract/endpoints.ts';
import {
  cancelAppointment,
  getAppointment,
  listAppointments,
  updateAppointment,
} from '../../../src/service/domain/appointments.ts';
import { updateStylist } from '../../../src/service/domain/stylists.ts';
import { openTestSalon, type TestSalon, testNow } from '../../support/salon.ts';

type Change = BodyOf<'updateAppointment'>;

const [past, future] = ['2026-11-20T09:00:00Z', '2026-11-22T09:00:00Z'];

/** The contract's table of transitions; a star means only after the start. */
const table: Readonly<Record<AppointmentStatus, string>> = {
  pending: 'confirmed cancelled',
  confirmed: 'arrived in_service completed no_show* cancelled pending',
  arrived: 'in_service completed cancelled no_show* confirmed',
  in_service: 'completed arrived',
  no_show: 'confirmed arrived',
  completed: '',
  cancelled: '',
};

const moves = appointmentStatuses.flatMap((from) =>
  appointmentStatuses.flatMap((to) =>
    [past, future].map((start_time) => ({ from, to, start_time, allowed: allowedFrom(from, start_time) })),
  ),
);

function allowedFrom(status: AppointmentStatus, start_time: string): string[] {
  const names = table[status].split(' ').filter((name) => name !== '');
  return names
    .filter((name) => !name.endsWith('*') || start_time === past)
    .map((name) => name.replace('*', ''));
}

function change(salon: TestSalon, id: string, fields: Change, rights = {}) {
  return updateAppointment(salon.as(rights), id, { change: fields });
}

async function readVersion(salon: TestSalon): Promise<number> {
  return (await listAppointments(salon.as(), {})).version;
}

describe('the status of an appointment can or cannot move', () => {
  let salon: TestSalon;
  beforeAll(async () => {
    salon = await openTestSalon();
  });
  afterAll(() => salon[Symbol.asyncDispose]());

  it.each(moves)('from $from, starting at $start_time, to $to', async (move) => {
    const { from, to, start_time, allowed } = move;
    const id = await salon.addAppointment({ status: from, start_time });
    const changing = change(salon, id, { status: to });
    if (from === to || allowed.includes(to)) {
      await expect(changing).resolves.toMatchObject({ status: to });
    } else {
      await expect(changing).rejects.toMatchObject({
        code: 'invalid_status_transition',
        members: { current_status: from, allowed_statuses: allowed },
      });
      await expect(getAppointment(salon.as(), id)).resolves.toMatchObject({ status: from });
    }
  });
});

describe('the status of an appointment', () => {
  it('can become no_show only after the start', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment({ start_time: future });
    await expect(change(salon, id, { status: 'no_show' })).rejects.toMatchObject({
      message:
        'The appointment is confirmed and cannot become no_show before it starts. Allowed: arrived, in_service, completed, cancelled, pending.',
    });
    salon.environment.setTime(future);
    await expect(change(salon, id, { status: 'no_show' })).resolves.toMatchObject({ status: 'no_show' });
  });

  it('cannot become no_show when completed', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment({ status: 'completed' });
    await expect(change(salon, id, { status: 'no_show' })).rejects.toMatchObject({
      message:
        'The appointment is completed and cannot become no_show. Only its notes and its price can be changed.',
    });
  });

  it('without a change keeps time and version', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment();
    const before = await readVersion(salon);
    salon.environment.setTime('2026-11-22T12:00:00Z');
    const same = { status: 'confirmed', start_time: '2026-12-01T10:00:00+01:00', id: 'apt_x' } as const;
    expect(await change(salon, id, same)).toMatchObject({ updated_at: testNow });
    expect(await readVersion(salon)).toBe(before);
  });
});

describe.each(['arrived', 'in_service', 'completed', 'no_show'] as const)('the status %s', (status) => {
  const [soon, later] = ['2026-11-22T12:00:00Z', '2026-11-22T12:00:01Z'];
  const early = { code: 'appointment_not_started', status: 409 };

  it('is refused more than a day before the start', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment({ start_time: later });
    await expect(change(salon, id, { status })).rejects.toMatchObject(early);
    const client_id = await salon.addClient();
    const booking = { client_id, status, start_time: later, allow_early: false };
    await expect(salon.addAppointment(booking)).rejects.toMatchObject(early);
    expect(await salon.addAppointment({ ...booking, start_time: soon })).toMatch(/^apt_/);
    expect((await getAppointment(salon.as(), id)).status).toBe('confirmed');
  });

  it('is accepted with allow_early', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment({ start_time: later });
    await expect(change(salon, id, { status, allow_early: true })).resolves.toMatchObject({ status });
  });

  it('does not prevent a change of something else', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment({ start_time: later, status });
    await expect(change(salon, id, { notes: 'x' })).resolves.toMatchObject({ status, notes: 'x' });
  });
});

describe.each(['completed', 'cancelled'] as const)('a %s appointment', (status) => {
  it.each<Change>([
    { start_time: '2026-12-02T09:00:00Z' },
    { duration: 30 },
    { service: 'Colour' },
    { service: 'Colour', notes: 'x' },
  ])('keeps what it is: %j', async (fields) => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment({ status });
    await expect(change(salon, id, fields)).rejects.toMatchObject({
      code: 'invalid_status_transition',
      members: { current_status: status, allowed_statuses: [] },
    });
  });

  it('can get other notes, also when written back whole', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment({ status, notes: 'old' });
    const whole = await getAppointment(salon.as(), id);
    await expect(change(salon, id, { ...whole, notes: null })).resolves.toMatchObject({
      notes: null,
      status,
    });
  });
});

describe('a change of an appointment', () => {
  it('changes only the given fields, and raises updated_at although the clock stands still', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment({ notes: 'old' });
    const before = await getAppointment(salon.as(), id);
    const changed = await change(salon, id, { service: 'Colour', cancellation_reason: 'no', created_at: 1 });
    expect(changed).toEqual({ ...before, service: 'Colour', updated_at: '2026-11-21T12:00:00.001Z' });
    expect(await getAppointment(salon.as(), id)).toEqual(changed);
  });

  it.each<[string, unknown, string]>([
    ['client_id', 'cli_none', 'not_found'],
    ['stylist_id', 'sty_none', 'not_found'],
    ['start_time', '2026-02-30T09:00:00Z', 'invalid_format'],
    ['service', 'Cut\0', 'invalid_format'],
  ])('is refused with %s %j, and nothing is changed', async (name, value, code) => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment();
    const before = await getAppointment(salon.as(), id);
    await expect(change(salon, id, { [name]: value, notes: 'x' })).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer: `/${name}`, code }],
    });
    expect(await getAppointment(salon.as(), id)).toEqual(before);
  });

  it('needs a client and a stylist of the same account', async () => {
    await using salon = await openTestSalon();
    const neighbour = await salon.openNeighbour();
    const id = await salon.addAppointment();
    const wrong = { client_id: await neighbour.addClient(), stylist_id: await neighbour.addStylist() };
    await expect(change(salon, id, wrong)).rejects.toMatchObject({
      violations: [
        { pointer: '/client_id', code: 'not_found' },
        { pointer: '/stylist_id', code: 'not_found' },
      ],
    });
  });

  it('cannot give an inactive stylist another time, but other fields can change', async () => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    const id = await salon.addAppointment({ stylist_id });
    const other = await salon.addAppointment();
    await updateStylist(salon.as(), stylist_id, { change: { active: false } });
    const inactive = { violations: [{ pointer: '/stylist_id', code: 'inactive' }] };
    await expect(change(salon, id, { start_time: '2026-12-03T09:00:00Z' })).rejects.toMatchObject(inactive);
    await expect(change(salon, other, { stylist_id })).rejects.toMatchObject(inactive);
    const done = { status: 'completed', notes: 'done', allow_early: true } as const;
    await expect(change(salon, id, done)).resolves.toBeDefined();
  });
});

describe('a cancellation', () => {
  it('frees the slot and keeps the reason', async () => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    const id = await salon.addAppointment({ stylist_id });
    const reason = 'ill';
    await expect(cancelAppointment(salon.as(), id, { reason })).resolves.toMatchObject({
      status: 'cancelled',
      cancellation_reason: reason,
      updated_at: '2026-11-21T12:00:00.001Z',
    });
    await expect(salon.addAppointment({ stylist_id })).resolves.toBeDefined();
  });

  it('of a cancelled appointment changes nothing', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment();
    const cancelled = await cancelAppointment(salon.as(), id, {});
    expect(await cancelAppointment(salon.as(), id, { reason: 'late' })).toEqual(cancelled);
  });

  it.each(['in_service', 'completed', 'no_show'] as const)(
    'of an appointment that is %s is refused',
    async (status) => {
      await using salon = await openTestSalon();
      const id = await salon.addAppointment({ status });
      await expect(cancelAppointment(salon.as(), id, {})).rejects.toMatchObject({
        code: 'invalid_status_transition',
        members: { current_status: status },
      });
    },
  );

  it('refuses a reason with invalid characters', async () => {
    await using salon = await openTestSalon();
    const id = await salon.addAppointment();
    await expect(cancelAppointment(salon.as(), id, { reason: '\ud800' })).rejects.toMatchObject({
      violations: [{ pointer: '/cancellation_reason', code: 'invalid_format' }],
    });
  });
});
