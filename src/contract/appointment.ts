import type { XStatic } from 'typebox/schema';
import type { Endpoint } from './endpoint.ts';
import { identifierSchema } from './identifiers.ts';
import { listOf, pagingQuery, sortDescription } from './list.ts';
import { instantSchema } from './time.ts';

/** Every status an appointment can have; `confirmed` is what a new one gets. */
export const appointmentStatuses = [
  'pending',
  'confirmed',
  'arrived',
  'in_service',
  'completed',
  'cancelled',
  'no_show',
] as const;

export type AppointmentStatus = (typeof appointmentStatuses)[number];

/** Statuses in which an appointment no longer holds its stylist's time. */
export const slotFreeingStatuses = ['cancelled', 'no_show'] as const satisfies readonly AppointmentStatus[];

const service = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'Name of the booked service.',
} as const;
const startTime = {
  type: 'string',
  format: 'date-time',
  description: 'RFC 3339 with a zone; answered in UTC.',
} as const;
const duration = {
  type: 'integer',
  minimum: 1,
  maximum: 1440,
  description: 'Length in whole minutes.',
} as const;
const status = { type: 'string', enum: appointmentStatuses } as const;
const notes = { type: ['string', 'null'], maxLength: 4096 } as const;
const text = { type: ['string', 'null'] } as const;

/** One appointment, as the service answers it. */
export const appointment = {
  title: 'Appointment',
  type: 'object',
  required: [
    'id',
    'client_id',
    'stylist_id',
    'service',
    'start_time',
    'duration',
    'status',
    'notes',
    'cancellation_reason',
    'created_at',
    'updated_at',
  ],
  additionalProperties: false,
  properties: {
    id: identifierSchema('appointment'),
    client_id: identifierSchema('client'),
    stylist_id: identifierSchema('stylist'),
    service,
    start_time: startTime,
    duration,
    status,
    notes,
    cancellation_reason: text,
    created_at: instantSchema,
    updated_at: instantSchema,
  },
} as const;

const writable = {
  client_id: { type: 'string', minLength: 1, maxLength: 64 },
  stylist_id: { type: 'string', minLength: 1, maxLength: 64 },
  service,
  start_time: startTime,
  duration,
  status,
  notes,
  allow_overlap: { type: 'boolean', default: false, description: 'Book although the stylist is taken.' },
} as const;

/** What a new appointment is made from. */
export const newAppointment = {
  title: 'NewAppointment',
  type: 'object',
  required: ['client_id', 'stylist_id', 'service', 'start_time', 'duration'],
  additionalProperties: false,
  properties: { ...writable, status: { ...status, default: 'confirmed' } },
} as const;

/**
 * A change of an appointment: fields left out stay, `null` clears; what only the service sets is passed over.
 * Of one that is completed or cancelled the notes alone can be changed.
 */
export const appointmentChange = {
  title: 'AppointmentChange',
  type: 'object',
  additionalProperties: false,
  properties: { ...writable, id: {}, cancellation_reason: {}, created_at: {}, updated_at: {} },
} as const;

/** What may be said of a cancellation. */
export const appointmentCancellation = {
  title: 'AppointmentCancellation',
  type: 'object',
  additionalProperties: false,
  properties: { cancellation_reason: { type: ['string', 'null'], maxLength: 1000 } },
} as const;

/** Filters, order and paging of the appointment list. */
export const appointmentQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...pagingQuery,
    sort: {
      type: 'string',
      enum: ['start_time', '-start_time', 'created_at', '-created_at', 'updated_at', '-updated_at'],
      description: sortDescription,
    },
    client_id: { type: 'string', minLength: 1, maxLength: 64 },
    stylist_id: { type: 'string', minLength: 1, maxLength: 64 },
    status: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'One status, or several with commas.',
    },
    start_time_from: { type: 'string', description: 'Inclusive: an instant with a zone, or a day in UTC.' },
    start_time_to: {
      type: 'string',
      description: 'Exclusive instant; a bare day is counted to its end, in UTC.',
    },
    updated_since: { type: 'string', description: 'Inclusive: an instant with a zone, or a day in UTC.' },
  },
} as const;

export const appointmentList = listOf(appointment);

/** Members of an appointment record that no body sets. */
export const readOnlyAppointmentFields = ['id', 'cancellation_reason', 'created_at', 'updated_at'] as const;

export type Appointment = XStatic<typeof appointment>;
export type NewAppointment = XStatic<typeof newAppointment>;
export type AppointmentChange = Omit<
  XStatic<typeof appointmentChange>,
  (typeof readOnlyAppointmentFields)[number]
>;
export type AppointmentCancellation = XStatic<typeof appointmentCancellation>;
export type AppointmentQuery = XStatic<typeof appointmentQuery>;

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

/** What can be done with appointments. */
export const appointmentEndpoints = {
  listAppointments: {
    method: 'GET',
    path: '/appointments',
    standing: 'documented',
    summary: 'List appointments',
    scope: 'appointments:read',
    action: 'appointments.read',
    query: appointmentQuery,
    success: { status: 200, body: appointmentList },
  },
  createAppointment: {
    method: 'POST',
    path: '/appointments',
    standing: 'documented',
    summary: 'Create an appointment',
    scope: 'appointments:write',
    action: 'appointments.write',
    isTagged: true,
    body: newAppointment,
    success: { status: 201, body: appointment },
  },
  getAppointment: {
    method: 'GET',
    path: '/appointments/:id',
    standing: 'extension',
    summary: 'Read one appointment',
    scope: 'appointments:read',
    action: 'appointments.read',
    isTagged: true,
    success: { status: 200, body: appointment },
  },
  updateAppointment: {
    method: 'PUT',
    path: '/appointments/:id',
    standing: 'extension',
    summary: 'Update an appointment',
    scope: 'appointments:write',
    action: 'appointments.write',
    isTagged: true,
    body: appointmentChange,
    success: { status: 200, body: appointment },
  },
  patchAppointment: {
    method: 'PATCH',
    path: '/appointments/:id',
    standing: 'extension',
    summary: 'Update an appointment, as PUT does',
    scope: 'appointments:write',
    action: 'appointments.write',
    isTagged: true,
    body: appointmentChange,
    success: { status: 200, body: appointment },
  },
  cancelAppointment: {
    method: 'POST',
    path: '/appointments/:id/cancel',
    standing: 'extension',
    summary: 'Cancel an appointment',
    scope: 'appointments:write',
    action: 'appointments.write',
    isTagged: true,
    body: appointmentCancellation,
    isBodyOptional: true,
    success: { status: 200, body: appointment },
  },
} as const satisfies Record<string, Endpoint>;
