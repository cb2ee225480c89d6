import { type Appointment, appointmentStatuses } from '../../contract/appointment.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { Reach } from '../../contract/roles.ts';
import type { Reader } from '../db/engine.ts';
import { addRecord } from '../db/lists/collections.ts';
import type { Condition } from '../db/lists/conditions.ts';
import { readRecord } from '../db/lists/records.ts';
import { assertMay, permissionDenied } from './authorization.ts';
import { assertFree, parseBooking, toAppointmentRow } from './booking.ts';
import type { Context } from './context.ts';
import { recordEvent } from './events.ts';
import { type ListFilters, toConditions } from './filters.ts';
import { assertStorableQuery, type ListPage, readListPage } from './list-page.ts';
import { newId, notFound } from './records.ts';

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
): Promise<ListPage> {
  const reach = assertMay(context.principal, 'listAppointments');
  assertStorableQuery(query);
  const conditions = toConditions(query, filters);
  if (reach === 'all') {
    return readListPage(context, { collection: 'appointments', query, conditions });
  }
  // A key without a stylist has no calendar of its own, and an empty text names nobody.
  const ownerId = context.principal.stylistId ?? '';
  const own: Condition = { column: 'stylist_id', is: '=', value: ownerId };
  return readListPage(context, {
    collection: 'appointments',
    query,
    conditions: [own, ...conditions],
    ownerId,
  });
}

/** Throws `not_found`, also for an appointment of another stylist's calendar. */
export function getAppointment(context: Context, id: string): Promise<Appointment> {
  const reach = assertMay(context.principal, 'getAppointment');
  return readAppointment(context.database.reader, context, { id, reach });
}

/** The appointment, if it is in reach. Throws `not_found`. */
export async function readAppointment(
  reader: Reader,
  { principal }: Context,
  { id, reach }: { id: string; reach: Reach },
): Promise<Appointment> {
  const found = await readRecord(reader, 'appointments', { accountId: principal.account.id, id });
  if (found === undefined) {
    throw notFound('appointment', id);
  }
  const appointment: Appointment = JSON.parse(found.record);
  if (reach === 'own' && appointment.stylist_id !== principal.stylistId) {
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
  const { database, environment, principal } = context;
  const reach = assertMay(principal, 'createAppointment');
  if (reach === 'own' && body.stylist_id !== principal.stylistId) {
    throw permissionDenied(principal, 'appointments.write');
  }
  return database.transaction(async (tx) => {
    const { start_time } = await parseBooking(tx, principal.account.id, body);
    const now = environment.now().toISOString();
    const appointment: Appointment = {
      id: newId('appointment', environment),
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
      await assertFree(tx, principal.account.id, appointment);
    }
    await addRecord(tx, 'appointments', toAppointmentRow(principal.account.id, appointment));
    await recordEvent(tx, context, { type: 'booking.created', object: appointment });
    return appointment;
  });
}
