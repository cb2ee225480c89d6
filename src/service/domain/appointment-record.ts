import type { Appointment } from '../../contract/appointment.ts';
import type { AppointmentRow } from '../store/appointments.ts';
import { toNextInstant } from './record-tag.ts';

/** The row of an appointment: its record, and what it is found by. */
export function toAppointmentRow(accountId: string, appointment: Appointment): AppointmentRow {
  const { id, client_id, stylist_id, status, duration } = appointment;
  const startMs = Date.parse(appointment.start_time);
  return {
    account_id: accountId,
    id,
    created_ms: Date.parse(appointment.created_at),
    updated_ms: Date.parse(appointment.updated_at),
    client_id,
    stylist_id,
    status,
    start_ms: startMs,
    end_ms: startMs + duration * 60_000,
    record: JSON.stringify(appointment),
  };
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
