import { type Appointment, appointmentStatuses } from '../../contract/appointment.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Access } from '../../contract/roles.ts';
import type { Condition } from '../db/conditions.ts';
import type { Reader } from '../db/engine.ts';
import { insertRecord, readRecord } from '../db/records.ts';
import { authorize, permissionDenied } from './authorization.ts';
import { assertAvailable, toAppointmentRow, validateBooking } from './booking.ts';
import type { Context } from './context.ts';
import { recordEvent } from './events.ts';
import { type ListFilters, toConditions } from './filters.ts';
import { assertStorableQuery, type PageOfCollection, readCollectionPage } from './list-page.ts';
import { createId, notFound } from './records.ts';

const filters: ListFilters = {
  equal: ['client_id', 'stylist_id'],
  statuses: appointmentStatuses,
  edges: [
    { parameter: 'start_time_from', edge: 'begin', column: 'start_ms' },
    { parameter: 'start_time_to', edge: 'end', column: 'start_ms' },
    { parameter: 'updated_since', edge: 'begin', column: 'updated_ms' },
  ],
};

/** One page of the appointments a query asks for; a stylist's key sees its own. Throws `invalid_parameter`. */
export async function listAppointments(
  context: Context,
  query: QueryOf<'listAppointments'>,
): Promise<PageOfCollection> {
  const reach = authorize(context.caller, 'listAppointments');
  assertStorableQuery(query);
  const conditions = toConditions(query, filters);
  if (reach === 'all') {
    return readCollectionPage(context, { collection: 'appointments', query, conditions });
  }
  // A key without a stylist has no calendar of its own, and an empty text names nobody.
  const ownerId = context.caller.stylistId ?? '';
  const own: Condition = { column: 'stylist_id', is: '=', value: ownerId };
  return readCollectionPage(context, {
    collection: 'appointments',
    query,
    conditions: [own, ...conditions],
    stylistId: ownerId,
  });
}

/** Throws `not_found`, also for an appointment of another stylist's calendar. */
export function getAppointment(context: Context, id: string): Promise<Appointment> {
  const reach = authorize(context.caller, 'getAppointment');
  return readAppointment(context.database.reader, context, { id, reach });
}

/** The appointment, if it is in reach. Throws `not_found`. */
export async function readAppointment(
  reader: Reader,
  { caller }: Context,
  { id, reach }: { id: string; reach: Access },
): Promise<Appointment> {
  const found = await readRecord(reader, 'appointments', { accountId: caller.account.id, id });
  if (found === undefined) {
    throw notFound('appointment', id);
  }
  const appointment: Appointment = JSON.parse(found.record);
  if (reach === 'own' && appointment.stylist_id !== caller.stylistId) {
    throw notFound('appointment', id);
  }
  return appointment;
}

/**
 * Books a stylist's time. Of two bookings of one slot exactly one is made, whichever processes they come from.
 * Throws `permission_denied`, `validation_failed` and `appointment_conflict`.
 */
export async function createAppointment(
  context: Context,
  body: BodyOf<'createAppointment'>,
): Promise<Appointment> {
  const { database, environment, caller } = context;
  const reach = authorize(caller, 'createAppointment');
  if (reach === 'own' && body.stylist_id !== caller.stylistId) {
    throw permissionDenied(caller, 'appointments.write');
  }
  return database.transaction(async (tx) => {
    const { start_time } = await validateBooking(tx, caller.account.id, body);
    const now = environment.now().toISOString();
    const appointment: Appointment = {
      id: createId('appointment', environment),
      client_id: body.client_id,
      stylist_id: body.stylist_id,
      service: body.service,
      start_time,
      duration: body.duration,
      status: body.status ?? 'confirmed',
      notes: body.notes ?? null,
      cancellation_reason: null,
      created_at: now,
      updated_at: now,
    };
    if (body.allow_overlap !== true) {
      await assertAvailable(tx, caller.account.id, appointment);
    }
    await insertRecord(tx, 'appointments', toAppointmentRow(caller.account.id, appointment));
    await recordEvent(tx, context, { type: 'booking.created', object: appointment });
    return appointment;
  });
}
