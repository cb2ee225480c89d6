import type { XStatic } from 'typebox/schema';
import { identifierSchema } from './identifiers.ts';
import { instantSchema } from './instants.ts';
import { listOf, pagingQuery, sortDescription } from './list.ts';

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
