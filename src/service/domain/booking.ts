import {
  type Appointment,
  attendanceStatuses,
  earlyAttendanceMs,
  slotFreeingStatuses,
} from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseInstant } from '../../contract/time.ts';
import type { Writer } from '../db/engine.ts';
import type { NewRow } from '../db/record-rows.ts';
import { readBookingFacts, type Slot } from '../db/records/appointments.ts';
import { assertFree } from './conflicts.ts';
import type { Caller } from './context.ts';
import { nextUpdatedAt } from './records.ts';
import { checkStylist } from './stylists.ts';
import { assertValidBody, findUnstorable } from './validation.ts';

/** The fields of a booking that are validated. */
interface BookingFields {
  readonly client_id?: string;
  readonly stylist_id?: string;
  readonly start_time?: string;
}

/**
 * Checks what a schema cannot. Returns the booking with its start in UTC, and whether the stylist has another appointment
 * at that time; for this, a duration in minutes is needed. Throws `validation_failed`.
 */
export async function validateBooking<Fields extends BookingFields>(
  tx: Writer,
  accountId: string,
  booking: Fields,
  duration?: number,
): Promise<{ readonly fields: Fields; readonly isTaken: boolean }> {
  const violations = findUnstorable(booking);
  const { client_id: clientId, stylist_id: stylistId, start_time: startTime } = booking;
  const start = startTime === undefined ? undefined : parseInstant(startTime);
  const slot =
    start === undefined || duration === undefined
      ? undefined
      : toTimeRange({ start_time: start.utc, duration });
  const facts = await readBookingFacts(tx, accountId, { clientId, stylistId, slot });
  if (clientId !== undefined && !facts.isClient) {
    const detail = '/client_id is not the ID of a client.';
    violations.push({ pointer: '/client_id', code: 'not_found', detail });
  }
  if (stylistId !== undefined) violations.push(...checkStylist('/stylist_id', facts.stylist));
  if (startTime !== undefined && start === undefined) {
    const detail = '/start_time must be an RFC 3339 time with a time zone.';
    violations.push({ pointer: '/start_time', code: 'invalid_format', detail });
  }
  assertValidBody(violations);
  const fields = start === undefined ? booking : { ...booking, start_time: start.utc };
  return { fields, isTaken: facts.isTaken };
}

/** Whether a change makes an appointment block time of a stylist that it did not block before. */
export function needsNewTime(before: Appointment, after: Appointment): boolean {
  const [former, wanted] = [toTimeRange(before), toTimeRange(after)];
  const isWithin = wanted.startMs >= former.startMs && wanted.endMs <= former.endMs;
  return !blocksTime(before) || before.stylist_id !== after.stylist_id || !isWithin;
}

/** Throws `appointment_conflict` when the stylist has another appointment at that time. */
export async function assertAvailable(tx: Writer, caller: Caller, appointment: Appointment): Promise<void> {
  if (blocksTime(appointment)) await assertFree(tx, caller, { ...toTimeRange(appointment), appointment });
}

/** Throws `appointment_not_started` for an appointment that is over or under way, but starts more than a day ahead. */
export function assertNotEarly({ status, start_time: start }: Appointment, now: Date): void {
  if (!attendanceStatuses.some((attended) => attended === status)) return;
  if (Date.parse(start) - now.getTime() <= earlyAttendanceMs) return;
  const detail = `The appointment starts at ${start} and cannot be ${status} more than a day ahead.`;
  throw new SalonError('appointment_not_started', detail);
}

/** Whether an appointment with this status blocks the stylist's time. */
export function blocksTime({ status }: Pick<Appointment, 'status'>): boolean {
  return !slotFreeingStatuses.some((freeing) => freeing === status);
}

/** The row of an appointment. */
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

/** When an appointment starts and ends; the end is exclusive. */
export function toTimeRange(appointment: Pick<Appointment, 'start_time' | 'duration'>): Slot {
  const startMs = Date.parse(appointment.start_time);
  return { startMs, endMs: startMs + appointment.duration * 60_000 };
}

/** The appointment after its cancellation. */
export function toCancelled(appointment: Appointment, reason: string | null, now: Date): Appointment {
  return {
    ...appointment,
    status: 'cancelled',
    cancellation_reason: reason,
    updated_at: nextUpdatedAt(appointment, now),
  };
}
