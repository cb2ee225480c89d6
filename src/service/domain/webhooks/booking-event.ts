import type { Appointment, AppointmentStatus } from '../../../contract/appointment.ts';
import type { BookingEvent } from '../../../contract/events.ts';

/** Becoming pending again is told as an update: there is no event of its own for it. */
const statusEvents: Readonly<Record<AppointmentStatus, BookingEvent['type']>> = {
  pending: 'booking.updated',
  confirmed: 'booking.confirmed',
  arrived: 'booking.arrived',
  in_service: 'booking.started',
  completed: 'booking.completed',
  cancelled: 'booking.cancelled',
  no_show: 'booking.no_show',
};

/** Fields that decide when and with whom the time is taken. */
const slotFields = ['start_time', 'stylist_id', 'duration'] as const;

/** The one event of a change that changed something: a status wins over a move, a move over other edits. */
export function toBookingEvent(former: Appointment, present: Appointment): BookingEvent['type'] {
  if (former.status !== present.status) {
    return statusEvents[present.status];
  }
  const isMoved = slotFields.some((field) => former[field] !== present[field]);
  return isMoved ? 'booking.rescheduled' : 'booking.updated';
}
