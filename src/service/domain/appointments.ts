import { type Appointment, appointmentStatuses } from '../../contract/appointment.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Access } from '../../contract/roles.ts';
import type { Reader } from '../db/engine.ts';
import { insertRecord, readRecord } from '../db/records/records.ts';
import { authorize, permissionDenied } from './authorization.ts';
import { assertAvailable, assertNotEarly, blocksTime, toAppointmentRow, validateBooking } from './booking.ts';
import type { Context } from './context.ts';
import { readLogs, recordEvent } from './events.ts';
import { type ListFilters, limitToOwn, toConditions } from './filters.ts';
import { type CollectionQuery, type PageOfCollection, readCollectionPage } from './list-page.ts';
import { createId, notFound } from './records.ts';

const filters: ListFilters = {
  equal: ['client_id', 'stylist_id'],
  statuses: appointmentStatuses,
  ranges: [
    { parameter: 'start_time_from', edge: 'begin', column: 'start_ms' },
    { parameter: 'start_time_to', edge: 'end', column: 'start_ms' },
    { parameter: 'updated_since', edge: 'begin', column: 'updated_ms' },
  ],
};

/** The appointments that match a query; for a stylist's key only its own. Throws `invalid_parameter`. */
export function findAppointments(context: Context, query: QueryOf<'listAppointments'>): CollectionQuery {
  const access = authorize(context.caller, 'listAppointments');
  const conditions = toConditions(query, filters);
  return limitToOwn(context, access, { collection: 'appointments', query, conditions });
}

/** One page of appointments. Throws `invalid_parameter`. */
export async function listAppointments(
  context: Context,
  query: QueryOf<'listAppointments'>,
): Promise<PageOfCollection> {
  return readCollectionPage(context, findAppointments(context, query));
}

/** Throws `not_found`, also for another stylist's appointment when the key is limited to one stylist. */
export async function getAppointment(context: Context, id: string): Promise<Appointment> {
  const access = authorize(context.caller, 'getAppointment');
  return readAppointment(context.database.reader, context, { id, access });
}

/** An appointment that the caller may use. Throws `not_found`. */
export async function readAppointment(
  reader: Reader,
  { caller }: Context,
  { id, access }: { id: string; access: Access },
): Promise<Appointment> {
  const found = await readRecord(reader, 'appointments', { accountId: caller.account.id, id });
  const appointment: Appointment | undefined = found && JSON.parse(found.record);
  if (appointment === undefined || (access === 'own' && appointment.stylist_id !== caller.stylistId)) {
    throw notFound('appointment', id);
  }
  return appointment;
}

/**
 * Books an appointment. Of two simultaneous bookings of one slot exactly one succeeds, in any processes.
 * Throws `permission_denied`, `validation_failed`, `appointment_not_started` and `appointment_conflict`.
 */
export async function createAppointment(
  context: Context,
  body: BodyOf<'createAppointment'>,
): Promise<Appointment> {
  const { database, environment, caller } = context;
  const access = authorize(caller, 'createAppointment');
  if (access === 'own' && body.stylist_id !== caller.stylistId) {
    throw permissionDenied(caller, 'appointments.write');
  }
  const accountId = caller.account.id;
  return database.transaction({ accountId }, async (tx) => {
    const status = body.status ?? 'confirmed';
    const takesTime = body.allow_overlap !== true && blocksTime({ status });
    const [{ fields, isTaken }, logs] = await Promise.all([
      validateBooking(tx, accountId, body, takesTime ? body.duration : undefined),
      readLogs(tx, { accountId, collection: 'appointments' }),
    ]);
    const now = environment.now().toISOString();
    const appointment: Appointment = {
      id: createId('appointment', environment),
      client_id: body.client_id,
      stylist_id: body.stylist_id,
      service: body.service,
      start_time: fields.start_time,
      duration: body.duration,
      status,
      notes: body.notes ?? null,
      cancellation_reason: null,
      created_at: now,
      updated_at: now,
    };
    if (body.allow_early !== true) assertNotEarly(appointment, environment.now());
    if (isTaken) await assertAvailable(tx, caller, appointment);
    const row = toAppointmentRow(accountId, appointment);
    await insertRecord(tx, 'appointments', row, logs.ends);
    await recordEvent(tx, context, { type: 'booking.created', object: appointment }, { logs });
    return appointment;
  });
}
