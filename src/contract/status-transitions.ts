import type { AppointmentStatus } from './appointment.ts';

/** Where a status can lead. What leads nowhere is final. */
const transitions: Readonly<Record<AppointmentStatus, readonly AppointmentStatus[]>> = {
  pending: ['confirmed', 'cancelled'],
  confirmed: ['arrived', 'in_service', 'completed', 'no_show', 'cancelled', 'pending'],
  arrived: ['in_service', 'completed', 'cancelled', 'no_show', 'confirmed'],
  in_service: ['completed', 'arrived'],
  no_show: ['confirmed', 'arrived'],
  completed: [],
  cancelled: [],
};

/** The statuses that an appointment can get next. Nobody has failed to come before the start is reached. */
export function nextStatuses(
  status: AppointmentStatus,
  { isStarted }: { isStarted: boolean },
): AppointmentStatus[] {
  return transitions[status].filter((next) => next !== 'no_show' || isStarted);
}

/** Whether an appointment is done with: nothing but its notes changes any more. */
export function isFinal(status: AppointmentStatus): boolean {
  return transitions[status].length === 0;
}
