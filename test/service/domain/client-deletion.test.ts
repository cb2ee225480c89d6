import { describe, expect, it } from 'vitest';
import type { AppointmentStatus } from '../../../src/contract/appointment.ts';
import {
  getAppointment,
  listAppointments,
  updateAppointment,
} from '../../../src/service/domain/appointments.ts';
import { deleteClient, getClient } from '../../../src/service/domain/clients.ts';
import { openTestSalon } from '../../support/salon.ts';

describe('upcoming appointments', () => {
  it.each([
    ['pending', '2026-12-01T09:00:00Z', true],
    ['confirmed', '2026-12-01T09:00:00Z', true],
    ['arrived', '2026-12-01T09:00:00Z', true],
    ['in_service', '2026-12-01T09:00:00Z', true],
    ['completed', '2026-12-01T09:00:00Z', false],
    ['cancelled', '2026-12-01T09:00:00Z', false],
    ['no_show', '2026-12-01T09:00:00Z', false],
    ['confirmed', '2026-11-21T12:00:00Z', false],
    ['confirmed', '2026-11-21T12:00:00.001Z', true],
    ['confirmed', '2026-11-20T09:00:00Z', false],
  ] as const satisfies [AppointmentStatus, string, boolean][])(
    '%s at %s stand in the way: %s',
    async (status, start_time, inTheWay) => {
      await using salon = await openTestSalon();
      const client_id = await salon.addClient();
      const id = await salon.addAppointment({ client_id, status, start_time });
      const removal = deleteClient(salon.as(), client_id, { force: false });
      if (inTheWay) {
        await expect(removal).rejects.toMatchObject({
          code: 'client_has_upcoming_appointments',
          members: { appointment_ids: [id] },
        });
        await expect(getClient(salon.as(), client_id)).resolves.toBeDefined();
      } else {
        await removal;
        await expect(getAppointment(salon.as(), id)).resolves.toMatchObject({ client_id, status });
      }
    },
  );

  it('are listed up to a hundred', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const stylist_id = await salon.addStylist();
    for (let index = 0; index < 101; index++) {
      await salon.addAppointment({ client_id, stylist_id, allow_overlap: true });
    }
    const refusal = await deleteClient(salon.as(), client_id, { force: false }).catch((error) => error);
    expect(refusal.members.appointment_ids).toHaveLength(100);
    expect(refusal.message).toContain('101 upcoming appointments');
  });

  it('are cancelled in one transaction with a forced deletion', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const stylist_id = await salon.addStylist();
    const upcoming = await salon.addAppointment({ client_id, stylist_id });
    const past = await salon.addAppointment({ client_id, stylist_id, start_time: '2026-11-01T09:00:00Z' });
    const { version } = await listAppointments(salon.as(), {});
    salon.environment.setTime('2026-11-21T13:00:00.000Z');
    await deleteClient(salon.as(), client_id, { force: true });
    expect(await getAppointment(salon.as(), upcoming)).toMatchObject({
      client_id,
      status: 'cancelled',
      cancellation_reason: 'client removed',
      updated_at: '2026-11-21T13:00:00.000Z',
    });
    expect(await getAppointment(salon.as(), past)).toMatchObject({ client_id, status: 'confirmed' });
    expect(await listAppointments(salon.as(), { status: 'cancelled' })).toMatchObject({
      total: 1,
      version: version + 1,
    });
    await expect(salon.addAppointment({ stylist_id })).resolves.toBeDefined();
  });
});

describe('the appointments of a deleted client', () => {
  it('cannot be moved, but their other fields can be changed', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const id = await salon.addAppointment({ client_id, start_time: '2026-11-20T09:00:00Z' });
    await deleteClient(salon.as(), client_id, { force: false });
    await expect(
      updateAppointment(salon.as(), id, { change: { start_time: '2026-12-01T09:00:00Z' } }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer: '/client_id', code: 'not_found' }],
    });
    const change = { client_id, status: 'no_show', notes: 'Not seen' } as const;
    expect(await updateAppointment(salon.as(), id, { change })).toMatchObject(change);
  });

  it('cannot become upcoming again', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const id = await salon.addAppointment({ client_id, status: 'no_show' });
    await deleteClient(salon.as(), client_id, { force: false });
    const undone = updateAppointment(salon.as(), id, { change: { status: 'confirmed' } });
    await expect(undone).rejects.toMatchObject({
      violations: [{ pointer: '/client_id', code: 'not_found' }],
    });
    expect(await getAppointment(salon.as(), id)).toMatchObject({ status: 'no_show' });
  });
});
