import type { XStatic } from 'typebox/schema';
import { create, type Endpoint, endpointsOf, post } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import { paidAmount, paymentStates, price } from './payment.ts';
import {
  bodyOf,
  type ChangeOf,
  fromFilter,
  idInput,
  listQueryOf,
  objectOf,
  readOnlyFields,
  recordOf,
  sortBy,
  stamps,
  statusFilter,
  timeInput,
  toFilter,
} from './schemas.ts';

/** Every status of an appointment. A new one is `confirmed` by default. */
export const appointmentStatuses = [
  ...['pending', 'confirmed', 'arrived', 'in_service'],
  ...['completed', 'cancelled', 'no_show'],
] as const;

export type AppointmentStatus = (typeof appointmentStatuses)[number];

/** Statuses in which an appointment does not occupy the stylist's time. */
export const slotFreeingStatuses = ['cancelled', 'no_show'] as const satisfies readonly AppointmentStatus[];

/** Statuses of an appointment whose client came. */
export const visitStatuses: readonly AppointmentStatus[] = ['completed', 'in_service', 'arrived'];

/** Statuses of an appointment whose client has come, or has failed to. */
export const attendanceStatuses: readonly AppointmentStatus[] = [...visitStatuses, 'no_show'];

/** The next statuses of each status. One without next statuses is final. */
const transitions: Readonly<Record<AppointmentStatus, readonly AppointmentStatus[]>> = {
  pending: ['confirmed', 'cancelled'],
  confirmed: ['arrived', 'in_service', 'completed', 'no_show', 'cancelled', 'pending'],
  arrived: ['in_service', 'completed', 'cancelled', 'no_show', 'confirmed'],
  in_service: ['completed', 'arrived'],
  no_show: ['confirmed', 'arrived'],
  completed: [],
  cancelled: [],
};

/** The allowed next statuses. `no_show` is allowed only after the start. */
export function nextStatuses(
  status: AppointmentStatus,
  { isStarted }: { isStarted: boolean },
): AppointmentStatus[] {
  return transitions[status].filter((next) => next !== 'no_show' || isStarted);
}

/** Whether only the notes of an appointment with this status can still change. */
export function isFinal(status: AppointmentStatus): boolean {
  return transitions[status].length === 0;
}

const service = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'Name of the booked service.',
} as const;
const duration = { type: 'integer', minimum: 1, maximum: 1440, description: 'In whole minutes.' } as const;
const status = { type: 'string', enum: appointmentStatuses } as const;
const notes = { type: ['string', 'null'], maxLength: 4096 } as const;

/** An appointment in a response. */
export const appointment = recordOf('Appointment', {
  id: idSchema('appointment'),
  client_id: idSchema('client'),
  stylist_id: idSchema('stylist'),
  service,
  start_time: timeInput,
  duration,
  status,
  notes,
  cancellation_reason: { type: ['string', 'null'] },
  ...stamps,
  price,
  paid_amount: paidAmount,
});

const writable = {
  client_id: idInput,
  stylist_id: idInput,
  service,
  start_time: timeInput,
  duration,
  status,
  notes,
  price: {
    ...price,
    description: `${price.description} Of a new appointment, that of the service by default.`,
  },
  allow_overlap: { type: 'boolean', default: false, description: 'Book even if the stylist is busy.' },
  allow_blocked: {
    type: 'boolean',
    default: false,
    description: 'Extension. Book even if the stylist is away or the salon is closed.',
  },
  allow_early: {
    type: 'boolean',
    default: false,
    description:
      'Allow arrived, in_service, completed and no_show more than a day before the start, and no_show before it.',
  },
} as const;

/** Appointments that one request may book. */
export const maxBookings = 60;

/** What becomes of appointments booked together when one of them is refused: none is booked, or the others are. */
export const onConflicts = ['refuse', 'skip'] as const;

export type OnConflict = (typeof onConflicts)[number];

/** The body that creates an appointment. */
export const newAppointment = bodyOf(
  { title: 'NewAppointment', required: ['client_id', 'stylist_id', 'service', 'start_time', 'duration'] },
  { ...writable, status: { ...status, default: 'confirmed' } },
);

const bookings = bodyOf(
  { title: 'NewAppointments', required: ['bookings'] },
  {
    bookings: { type: 'array', minItems: 1, maxItems: maxBookings, items: newAppointment },
    on_conflict: {
      type: 'string',
      enum: onConflicts,
      default: 'refuse',
      description: 'Whether a refused booking leaves all of them unbooked (refuse), or only itself (skip).',
    },
  },
);

/** One entry a booking, in order. */
const booked = objectOf({
  data: {
    type: 'array',
    items: objectOf({
      appointment: { oneOf: [appointment, { type: 'null' }] },
      problem: { type: ['object', 'null'], description: 'Why it was refused; null for one that is booked.' },
    }),
  },
});

/**
 * The body that changes an appointment: missing fields keep their value, `null` clears one, read-only fields are
 * ignored. Only the notes and the price of a completed or cancelled appointment can change.
 */
export const appointmentChange = bodyOf(
  { title: 'AppointmentChange' },
  { ...writable, ...readOnlyFields, cancellation_reason: {}, paid_amount: {} },
);

const appointmentCancellation = bodyOf(
  { title: 'AppointmentCancellation' },
  { cancellation_reason: { type: ['string', 'null'], maxLength: 1000 } },
);

export const appointmentQuery = listQueryOf({
  sort: sortBy('start_time', 'created_at', 'updated_at'),
  client_id: idInput,
  stylist_id: idInput,
  status: statusFilter,
  start_time_from: fromFilter,
  start_time_to: toFilter,
  updated_since: fromFilter,
  payment: {
    type: 'string',
    enum: paymentStates,
    description:
      'Extension. Completed appointments with a price: due, not yet fully paid; check, with payments in another currency.',
  },
});

/** Read-only fields of an appointment. */
export const readOnlyAppointmentFields = [
  ...['id', 'cancellation_reason', 'created_at', 'updated_at', 'paid_amount'],
] as const;

export type Appointment = XStatic<typeof appointment>;
export type NewAppointment = XStatic<typeof newAppointment>;
export type AppointmentChange = ChangeOf<typeof appointmentChange>;
export type AppointmentQuery = XStatic<typeof appointmentQuery>;

const at = endpointsOf('/appointments', 'appointments', { record: appointment });

export const appointmentEndpoints = {
  listAppointments: at.list('List appointments', appointmentQuery, { isDocumented: true, isStreamed: true }),
  createAppointment: at.create('Create an appointment', newAppointment, { isDocumented: true }),
  createAppointments: create('/appointments/batch', booked, {
    action: 'appointments.write',
    summary: 'Create several appointments in one transaction',
    countedBy: 'bookings',
    body: bookings,
  }),
  getAppointment: at.get('Get an appointment'),
  updateAppointment: at.put('Update an appointment', appointmentChange),
  patchAppointment: at.patch('Update an appointment (same as PUT)', appointmentChange),
  cancelAppointment: post('/appointments/:id/cancel', appointment, {
    action: 'appointments.write',
    isTagged: true,
    summary: 'Cancel an appointment',
    body: appointmentCancellation,
    isBodyOptional: true,
  }),
} as const satisfies Record<string, Endpoint>;
