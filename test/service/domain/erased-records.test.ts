import { describe, expect, it } from 'vitest';
import type { AuditEntryRow } from '../../../src/service/db/audit/entries.ts';
import {
  getAppointment,
  listAppointments,
  updateAppointment,
} from '../../../src/service/domain/appointments.ts';
import { deleteClient } from '../../../src/service/domain/clients.ts';
import { createPayment, getPayment } from '../../../src/service/domain/payments.ts';
import { readLog } from '../../support/delivery-log.ts';
import { cardPayment } from '../../support/double-salon.ts';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon, testNow } from '../../support/salon.ts';

const later = '2026-11-21T13:00:00.000Z';
const visit = { start_time: '2026-11-01T09:00:00Z', status: 'completed' } as const;

describe('appointments and payments of a deleted client', () => {
  it('lose their texts and nothing else', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const id = await salon.addAppointment({ ...visit, client_id, notes: 'Secret' });
    const bare = await salon.addAppointment({ ...visit, client_id });
    const payment = await createPayment(salon.as(), {
      ...cardPayment,
      appointment_id: id,
      reference: 'Secret',
    });
    const before = await getAppointment(salon.as(), id);
    const { version } = await listAppointments(salon.as(), {});
    salon.environment.setTime(later);
    await deleteClient(salon.as(), client_id, { force: false });
    expect(await getAppointment(salon.as(), id)).toEqual({ ...before, notes: null, updated_at: later });
    expect(await getAppointment(salon.as(), bare)).toMatchObject({ client_id, updated_at: testNow });
    expect(await getPayment(salon.as(), payment.id)).toEqual({
      ...payment,
      reference: null,
      updated_at: later,
    });
    expect((await listAppointments(salon.as(), {})).version).toBe(version + 1);
  });

  it('keep their events, which are delivered without the texts', async () => {
    await using salon = await openTestSalon();
    const webhookId = await addWebhook(salon, { events: ['booking.*'] });
    const client_id = await salon.addClient();
    const id = await salon.addAppointment({ client_id, notes: 'Secret' });
    await updateAppointment(salon.as(), id, { change: { notes: 'Another secret' } });
    await deleteClient(salon.as(), client_id, { force: true });
    const { data } = await readLog(salon, webhookId);
    const object = { id, client_id, notes: null };
    expect(data).toMatchObject([
      { status: 'pending', event: { type: 'booking.created', data: { object } } },
      { status: 'pending', event: { data: { object, previous_attributes: { notes: null } } } },
      {
        ...{ status: 'pending' },
        event: {
          type: 'booking.cancelled',
          data: { object: { ...object, cancellation_reason: 'client removed' } },
        },
      },
    ]);
  });

  it('do not take the texts of another client with them', async () => {
    await using salon = await openTestSalon();
    const webhookId = await addWebhook(salon, { events: ['booking.updated'] });
    const client_id = await salon.addClient();
    const other = await salon.addClient({ first_name: 'Bo' });
    const id = await salon.addAppointment({ client_id, notes: 'Secret' });
    await updateAppointment(salon.as(), id, { change: { client_id: other, notes: 'Of Bo' } });
    await deleteClient(salon.as(), client_id, { force: false });
    expect(await getAppointment(salon.as(), id)).toMatchObject({ client_id: other, notes: 'Of Bo' });
    const [moved] = (await readLog(salon, webhookId)).data;
    expect(moved?.event?.data).toMatchObject({
      ...{ object: { client_id: other, notes: 'Of Bo' }, previous_attributes: { client_id, notes: null } },
    });
  });

  it('are recorded in the audit log without their texts', async () => {
    await using salon = await openTestSalon();
    const client_id = await salon.addClient();
    const id = await salon.addAppointment({ ...visit, client_id, notes: 'Secret' });
    await deleteClient(salon.as(), client_id, { force: false });
    const text = "select * from audit_entries where action = 'appointment.erased'";
    const entries = await salon.store.database.reader.run<AuditEntryRow>(text, []);
    expect(entries).toMatchObject([{ record_id: id, client_id, values_digest: null }]);
    expect(JSON.parse(entries[0]?.changes ?? '')).toMatchObject({ after: { notes: null } });
  });
});
