import { describe, expect, it } from 'vitest';
import type { BodyOf } from '../../../src/contract/endpoints.ts';
import { updateAppointment } from '../../../src/service/domain/appointments.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

type Change = BodyOf<'updateAppointment'>;

const past = '2026-11-20T09:00:00Z';

function change(salon: TestSalon, id: string, fields: Change, rights = {}) {
  return updateAppointment(salon.as(rights), id, { change: fields });
}

describe('a taken slot', () => {
  it.each([
    ['2026-12-01T10:00:00Z', 60, '2026-12-01T11:30:00Z'],
    // The gap at half past ten is too short for an hour, but not for fifteen minutes.
    ['2026-12-01T10:15:00Z', 15, '2026-12-01T10:30:00Z'],
    ['2026-12-01T11:00:00Z', 60, '2026-12-01T11:30:00Z'],
  ])(
    'at %s for %i minutes says who has it and when the stylist is free',
    async (start_time, duration, free) => {
      await using salon = await openTestSalon();
      const stylist_id = await salon.addStylist();
      const id = await salon.addAppointment({ stylist_id, start_time: '2026-12-01T10:00:00Z', duration: 30 });
      await salon.addAppointment({ stylist_id, start_time: '2026-12-01T11:00:00Z', duration: 30 });
      const moved = await salon.addAppointment({ duration });
      const moving = change(salon, moved, { stylist_id, start_time });
      await expect(moving).rejects.toMatchObject({ members: { stylist_name: 'Sam', free_from: free } });
      if (start_time === '2026-12-01T11:00:00Z') return;
      const conflict = { id, start_time: '2026-12-01T10:00:00Z', duration: 30, client_name: 'Ada' };
      await expect(moving).rejects.toMatchObject({ members: { conflicts: [conflict] } });
    },
  );

  it('names no client to a key that may not read clients', async () => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    const other = await salon.addAppointment({ stylist_id });
    const id = await salon.addAppointment();
    const refused = change(salon, id, { stylist_id }, { scopes: ['appointments:write'] });
    await expect(refused).rejects.toMatchObject({
      message: `Sam is already booked at that time (${other}).`,
      members: { conflicts: [{ id: other, client_name: null }] },
    });
  });

  const ten = '2026-12-01T10:00:00Z';
  const taken = { code: 'appointment_conflict' };
  const cases: [string, Change, boolean][] = [
    ['moved into it', { start_time: ten }, true],
    ['moved up to it', { start_time: '2026-12-01T09:30:00Z', duration: 30 }, false],
    ['lengthened into it', { duration: 61 }, true],
    ['shortened', { duration: 30 }, false],
    ['moved into it and let in', { start_time: ten, allow_overlap: true }, false],
  ];

  it.each(cases)('conflicts with an appointment that is %s', async (_, fields, collides) => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    const other = await salon.addAppointment({ stylist_id, start_time: ten });
    const id = await salon.addAppointment({ stylist_id });
    const changing = change(salon, id, fields);
    if (collides) {
      const members = { conflicting_appointment_ids: [other] };
      const message = 'Sam is already booked at that time (Ada).';
      await expect(changing).rejects.toMatchObject({ ...taken, members, message });
    } else {
      await expect(changing).resolves.toMatchObject({ id });
    }
  });

  it('conflicts with an appointment that gets this stylist', async () => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    await salon.addAppointment({ stylist_id });
    const id = await salon.addAppointment();
    await expect(change(salon, id, { stylist_id })).rejects.toMatchObject(taken);
    await expect(change(salon, id, { stylist_id, allow_overlap: true })).resolves.toMatchObject({
      stylist_id,
    });
  });

  it.each(['confirmed', 'arrived'] as const)('prevents a no-show from becoming %s again', async (status) => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    const id = await salon.addAppointment({ stylist_id, status: 'no_show', start_time: past });
    await salon.addAppointment({ stylist_id, start_time: past });
    await expect(change(salon, id, { status })).rejects.toMatchObject(taken);
    await expect(change(salon, id, { status, allow_overlap: true })).resolves.toMatchObject({ status });
  });

  it('does not matter to an appointment that needs no new time', async () => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    await salon.addAppointment({ stylist_id });
    const id = await salon.addAppointment({ stylist_id, allow_overlap: true });
    await expect(
      change(salon, id, { duration: 20, status: 'arrived', allow_early: true }),
    ).resolves.toMatchObject({ id });
  });

  it('goes to exactly one of twenty simultaneous moves in two processes', async () => {
    await using salon = await openTestSalon();
    const stylist_id = await salon.addStylist();
    const client_id = await salon.addClient();
    const processes = [salon.store.database, await salon.store.openAgain()];
    const moving = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        salon.addAppointment({ stylist_id, client_id, start_time: `2027-01-${10 + index}T09:00:00Z` }),
      ),
    );
    const results = await Promise.allSettled(
      moving.map((id, index) => change(salon, id, { start_time: ten }, { database: processes[index % 2] })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = results.filter((outcome) => outcome.status === 'rejected');
    expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(['appointment_conflict']));
  });
});
