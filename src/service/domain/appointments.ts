import {
  type Appointment,
  type AppointmentStatus,
  appointmentStatuses,
  slotFreeingStatuses,
} from '../../contract/appointment.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import { SalonError, type Violation } from '../../contract/errors.ts';
import { parseInstant } from '../../contract/instants.ts';
import { findOverlapping, insertAppointment } from '../store/appointments.ts';
import type { Condition } from '../store/conditions.ts';
import type { Writer } from '../store/engine.ts';
import { readRecord } from '../store/records.ts';
import { readStylistStanding } from '../store/stylists.ts';
import { toAppointmentRow } from './appointment-record.ts';
import type { Context } from './context.ts';
import { newId } from './identifiers.ts';
import { parseEdge } from './instants.ts';
import { assertStorableQuery, type ListPage, readListPage } from './list-page.ts';
import { notFound } from './not-found.ts';
import { assertMay, permissionDenied } from './rights.ts';
import { toStylistViolations } from './stylist-violations.ts';
import { findUnstorable, invalidBody, invalidQuery } from './violations.ts';

/** How many appointments a refused booking names. */
const mostNamed = 100;

/** One page of the appointments a query asks for; a stylist's key sees its own. Throws `invalid_parameter`. */
export async function listAppointments(
  context: Context,
  query: QueryOf<'listAppointments'>,
): Promise<ListPage> {
  const reach = assertMay(context.principal, 'listAppointments');
  assertStorableQuery(query);
  const conditions = toConditions(query);
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
export async function getAppointment(context: Context, id: string): Promise<Appointment> {
  const { database, principal } = context;
  const reach = assertMay(principal, 'getAppointment');
  const found = await readRecord(database.reader, 'appointments', { accountId: principal.account.id, id });
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
  const { database, outside, principal } = context;
  const reach = assertMay(principal, 'createAppointment');
  if (reach === 'own' && body.stylist_id !== principal.stylistId) {
    throw permissionDenied(principal, 'appointments.write');
  }
  return database.transaction(async (tx) => {
    const startTime = await parseBooking(tx, principal.account.id, body);
    const now = outside.now().toISOString();
    const appointment: Appointment = {
      id: newId('appointment', outside),
      client_id: body.client_id,
      stylist_id: body.stylist_id,
      service: body.service,
      start_time: startTime,
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
    await insertAppointment(tx, toAppointmentRow(principal.account.id, appointment));
    return appointment;
  });
}

function toConditions(query: QueryOf<'listAppointments'>): Condition[] {
  const conditions: Condition[] = [];
  const violations: Violation[] = [];
  for (const column of ['client_id', 'stylist_id'] as const) {
    const value = query[column];
    if (value !== undefined) {
      conditions.push({ column, is: '=', value });
    }
  }
  if (query.status !== undefined) {
    const statuses = query.status.split(',');
    const unknown = statuses.find((status) => !isStatus(status));
    if (unknown !== undefined) {
      const detail = `status "${unknown}" is not one of ${appointmentStatuses.join(', ')}.`;
      violations.push({ parameter: 'status', code: 'invalid_format', detail });
    }
    conditions.push({ column: 'status', isOneOf: [...new Set(statuses)] });
  }
  for (const { parameter, edge, column, is } of edges) {
    const text = query[parameter];
    if (text !== undefined) {
      const ms = parseEdge(text, edge);
      if (ms === undefined) {
        const detail = `${parameter} must be an RFC 3339 time with a zone, or a day.`;
        violations.push({ parameter, code: 'invalid_format', detail });
      }
      conditions.push({ column, is, value: ms ?? 0 });
    }
  }
  if (violations.length > 0) {
    throw invalidQuery(violations);
  }
  return conditions;
}

const edges = [
  { parameter: 'start_time_from', edge: 'begin', column: 'start_ms', is: '>=' },
  { parameter: 'start_time_to', edge: 'end', column: 'start_ms', is: '<' },
  { parameter: 'updated_since', edge: 'begin', column: 'updated_ms', is: '>=' },
] as const;

function isStatus(text: string): text is AppointmentStatus {
  return appointmentStatuses.some((status) => status === text);
}

/** Checks what a schema cannot, and answers the start in UTC. */
async function parseBooking(
  tx: Writer,
  accountId: string,
  body: BodyOf<'createAppointment'>,
): Promise<string> {
  const violations = findUnstorable(body);
  if ((await readRecord(tx, 'clients', { accountId, id: body.client_id })) === undefined) {
    const detail = '/client_id names no client of this account.';
    violations.push({ pointer: '/client_id', code: 'not_found', detail });
  }
  const standing = await readStylistStanding(tx, { accountId, id: body.stylist_id });
  violations.push(...toStylistViolations('/stylist_id', standing));
  const start = parseInstant(body.start_time);
  if (start === undefined) {
    const detail = '/start_time must be an RFC 3339 time with a zone.';
    violations.push({ pointer: '/start_time', code: 'invalid_format', detail });
  }
  if (start === undefined || violations.length > 0) {
    throw invalidBody(violations);
  }
  return start.utc;
}

async function assertFree(tx: Writer, accountId: string, appointment: Appointment): Promise<void> {
  if (slotFreeingStatuses.some((status) => status === appointment.status)) {
    return;
  }
  const {
    stylist_id: stylistId,
    start_ms: startMs,
    end_ms: endMs,
  } = toAppointmentRow(accountId, appointment);
  const taken = await findOverlapping(tx, { accountId, stylistId, startMs, endMs }, mostNamed);
  if (taken.length > 0) {
    throw new SalonError('appointment_conflict', `The stylist ${stylistId} is taken then.`, {
      members: { conflicting_appointment_ids: taken },
    });
  }
}
