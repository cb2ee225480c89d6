import type { Appointment, AppointmentStatus } from '../../../contract/appointment.ts';
import { dayMs } from '../instants.ts';
import type { Slot } from './calendar.ts';
import type { Draw } from './draw.ts';
import { bookingNotes, cancellationReasons } from './names.ts';
import { createSampleId } from './people.ts';

/** A visit that was booked: when, and what has become of it. Small, for there may be millions at once. */
export interface Booking extends Slot {
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly status: AppointmentStatus;
}

const mostLeadDays = 35;

/** Tells when a visit was booked and what has become of it by `nowMs`. */
export function toBooking(draw: Draw, slot: Slot, nowMs: number): Booking {
  const endMs = slot.startMs + slot.duration * 60_000;
  // Most people book a few days ahead; squaring makes long leads rare.
  const leadMs = draw.fraction() ** 2 * mostLeadDays * dayMs;
  const latestMs = nowMs - draw.fraction() * 14 * dayMs;
  const createdMs = Math.floor(Math.min(slot.startMs - leadMs, latestMs));
  const status = pickStatus(draw, { startMs: slot.startMs, endMs, nowMs });
  const settledMs = status === 'cancelled' ? createdMs + draw.fraction() * leadMs : endMs;
  const isOpen = status === 'confirmed' || status === 'pending';
  const updatedMs = isOpen ? createdMs : Math.floor(Math.max(createdMs, Math.min(settledMs, nowMs)));
  return { ...slot, createdMs, updatedMs, status };
}

/** The record of a booking. */
export function toSampleAppointment(
  draw: Draw,
  booking: Booking,
  people: { clientId: string; stylistId: string },
): Appointment {
  return {
    id: createSampleId('appointment', draw, booking.createdMs),
    client_id: people.clientId,
    stylist_id: people.stylistId,
    service: booking.service,
    start_time: `${new Date(booking.startMs).toISOString().slice(0, 19)}Z`,
    duration: booking.duration,
    status: booking.status,
    notes: draw.chance(0.08) ? draw.pick(bookingNotes) : null,
    cancellation_reason: booking.status === 'cancelled' ? draw.pick(cancellationReasons) : null,
    created_at: new Date(booking.createdMs).toISOString(),
    updated_at: new Date(booking.updatedMs).toISOString(),
  };
}

function pickStatus(
  draw: Draw,
  { startMs, endMs, nowMs }: { startMs: number; endMs: number; nowMs: number },
): AppointmentStatus {
  const chance = draw.fraction();
  if (chance < 0.08) {
    return 'cancelled';
  }
  if (endMs <= nowMs) {
    return chance < 0.13 ? 'no_show' : 'completed';
  }
  if (startMs <= nowMs) {
    return 'in_service';
  }
  return chance < 0.2 ? 'pending' : 'confirmed';
}
