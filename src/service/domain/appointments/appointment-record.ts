import type { Appointment } from '../../../contract/appointment.ts';
import type { NewRow } from '../../db/tables.ts';
import { toNextInstant } from '../record-tag.ts';

/** The row of an appointment: its record, and what it is found by. */
export function toAppointmentRow(accountId: string, appointment: Appointment): NewRow<'appointments'> {
  const { id, client_id, stylist_id, status } = appointment;
  const { startMs, endMs } = toSpan(appointment);
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
export function toSpan(appointment: Appointment): { startMs: number; endMs: number } {
  const startMs = Date.parse(appointment.start_time);
  return { startMs, endMs: startMs + appointment.duration * 60_000 };
}

/** The appointment as it is once it is cancelled. */
export function toCancelled(appointment: Appointment, reason: string | null, now: Date): Appointment {
  return {
    ...appointment,
    status: 'cancelled',
    cancellation_reason: reason,
    updated_at: toNextInstant(appointment, now),
  };
}
