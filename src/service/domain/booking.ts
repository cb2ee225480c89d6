import { type Appointment, slotFreeingStatuses } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseInstant } from '../../contract/time.ts';
import { findOverlapping } from '../db/appointments.ts';
import type { Writer } from '../db/engine.ts';
import { hasRecord } from '../db/records.ts';
import { readStylistStatus } from '../db/stylists.ts';
import type { NewRow } from '../db/tables.ts';
import { nextUpdatedAt } from './records.ts';
import { toStylistViolations } from './stylists.ts';
import { findUnstorable, invalidBody } from './validation.ts';

/** How many appointments a refused booking names. */
const mostNamed = 100;

/** As much of a booking as is to be checked. */
interface Booking {
  readonly client_id?: string;
  readonly stylist_id?: string;
  readonly start_time?: string;
}

/** Checks of a booking what a schema cannot, and answers it with its start in UTC. Throws `validation_failed`. */
export async function validateBooking<Some extends Booking>(
  tx: Writer,
  accountId: string,
  booking: Some,
): Promise<Some> {
  const violations = findUnstorable(booking);
  const { client_id: clientId, stylist_id: stylistId, start_time: startTime } = booking;
  if (clientId !== undefined && !(await hasRecord(tx, 'clients', { accountId, id: clientId }))) {
    const detail = '/client_id names no client of this account.';
    violations.push({ pointer: '/client_id', code: 'not_found', detail });
  }
  if (stylistId !== undefined) {
    const standing = await readStylistStatus(tx, { accountId, id: stylistId });
    violations.push(...toStylistViolations('/stylist_id', standing));
  }
  const start = startTime === undefined ? undefined : parseInstant(startTime);
  if (startTime !== undefined && start === undefined) {
    const detail = '/start_time must be an RFC 3339 time with a zone.';
    violations.push({ pointer: '/start_time', code: 'invalid_format', detail });
  }
  if (violations.length > 0) {
    throw invalidBody(violations);
  }
  return start === undefined ? booking : { ...booking, start_time: start.utc };
}

/** Whether a change makes an appointment take time of a stylist that it did not take before. */
export function needsNewTime(before: Appointment, after: Appointment): boolean {
  const [old, wanted] = [toTimeRange(before), toTimeRange(after)];
  const isWithin = wanted.startMs >= old.startMs && wanted.endMs <= old.endMs;
  return !blocksTime(before) || before.stylist_id !== after.stylist_id || !isWithin;
}

/** Lets an appointment pass whose stylist has no other one then. Throws `appointment_conflict`. */
export async function assertAvailable(
  tx: Writer,
  accountId: string,
  appointment: Appointment,
): Promise<void> {
  if (!blocksTime(appointment)) {
    return;
  }
  const { id: exceptId, stylist_id: stylistId } = appointment;
  const slot = { accountId, stylistId, exceptId, ...toTimeRange(appointment) };
  const taken = await findOverlapping(tx, slot, mostNamed);
  if (taken.length > 0) {
    const by = `${taken.slice(0, 3).join(', ')}${taken.length > 3 ? ' and others' : ''}`;
    throw new SalonError('appointment_conflict', `The stylist ${stylistId} is taken then, by ${by}.`, {
      members: { conflicting_appointment_ids: taken },
    });
  }
}

/** Whether an appointment of this status is in another one's way. */
export function blocksTime({ status }: Pick<Appointment, 'status'>): boolean {
  return !slotFreeingStatuses.some((freeing) => freeing === status);
}

/** The row of an appointment: its record, and what it is found by. */
export function toAppointmentRow(accountId: string, appointment: Appointment): NewRow<'appointments'> {
  const { id, client_id, stylist_id, status } = appointment;
  const { startMs, endMs } = toTimeRange(appointment);
  return {
    account_id: accountId,
    id,
    created_ms: Date.parse(appointment.created_at),
    updated_ms: Date.parse(appointment.updated_at),
    client_id,
    stylist_id,
    status,
    start_ms: startMs,
    end_ms: endMs,
    record: JSON.stringify(appointment),
  };
}

/** From when to when an appointment lasts; its end is outside of it. */
export function toTimeRange(appointment: Appointment): { startMs: number; endMs: number } {
  const startMs = Date.parse(appointment.start_time);
  return { startMs, endMs: startMs + appointment.duration * 60_000 };
}

/** The appointment as it is once it is cancelled. */
export function toCancelled(appointment: Appointment, reason: string | null, now: Date): Appointment {
  return {
    ...appointment,
    status: 'cancelled',
    cancellation_reason: reason,
    updated_at: nextUpdatedAt(appointment, now),
  };
}
