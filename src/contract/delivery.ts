import type { XStatic } from 'typebox/schema';
import { event, eventTypes } from './events.ts';
import { identifierSchema } from './identifiers.ts';
import { listOf, pagingQuery } from './list.ts';
import { instantSchema } from './time.ts';

/** How a delivery stands: more tries to come, a 2xx was answered, or it was given up. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** How long events, deliveries and their tries can be looked up, in days. */
export const deliveriesKeptDays = 30;

/** How long a receiver may take to answer, in milliseconds. */
export const deliveryTimeoutMs = 15_000;

const minute = 60_000;
const hour = 60 * minute;

/** How long after the event each try is due at the earliest, in milliseconds; a little chance is added to each. */
export const deliverySchedule = [
  0,
  5_000,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

const nullableInstant = { type: ['string', 'null'], format: 'date-time' } as const;

/** One try to deliver. */
const attempt = {
  title: 'DeliveryAttempt',
  type: 'object',
  required: ['number', 'at', 'status_code', 'error', 'duration_ms'],
  additionalProperties: false,
  properties: {
    number: { type: 'integer', minimum: 1 },
    at: instantSchema,
    status_code: { type: ['integer', 'null'], description: 'Null where no answer came.' },
    error: { type: ['string', 'null'], description: 'Why it counts as failed; null where it does not.' },
    duration_ms: { type: 'integer', minimum: 0 },
  },
} as const;

/** One event on its way to one webhook, with every try that was made. */
export const delivery = {
  title: 'Delivery',
  type: 'object',
  required: [
    'id',
    'webhook_id',
    'event_id',
    'event_type',
    'status',
    'next_attempt_at',
    'attempts',
    'event',
    'created_at',
    'updated_at',
  ],
  additionalProperties: false,
  properties: {
    id: identifierSchema('delivery'),
    webhook_id: identifierSchema('webhook'),
    event_id: identifierSchema('event'),
    event_type: { type: 'string', enum: eventTypes },
    status: { type: 'string', enum: deliveryStatuses },
    next_attempt_at: nullableInstant,
    attempts: { type: 'array', items: attempt, description: 'Oldest first.' },
    event: {
      oneOf: [event, { type: 'null' }],
      description: 'The body; null once the client it is about was erased.',
    },
    created_at: instantSchema,
    updated_at: instantSchema,
  },
} as const;

const from = { type: 'string', description: 'Inclusive: an instant with a zone, or a day in UTC.' } as const;
const to = {
  type: 'string',
  description: 'Exclusive instant; a bare day is counted to its end, in UTC.',
} as const;
const statusFilter = { type: 'string', enum: deliveryStatuses } as const;

/** Filters and paging of a webhook's deliveries, in the order they were made in. */
export const deliveryQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { ...pagingQuery, status: statusFilter, created_from: from, created_to: to },
} as const;

export const deliveryList = listOf(delivery);

/** Which deliveries of a webhook are to be made once more. */
export const redelivery = {
  title: 'Redelivery',
  type: 'object',
  required: ['created_from'],
  additionalProperties: false,
  properties: { created_from: from, created_to: to, status: statusFilter },
} as const;

/** How many deliveries begin anew. */
export const redeliveryCount = {
  title: 'RedeliveryCount',
  type: 'object',
  required: ['redelivered'],
  additionalProperties: false,
  properties: { redelivered: { type: 'integer', minimum: 0 } },
} as const;

export type Delivery = XStatic<typeof delivery>;
export type DeliveryAttempt = XStatic<typeof attempt>;
export type DeliveryQuery = XStatic<typeof deliveryQuery>;
export type Redelivery = XStatic<typeof redelivery>;
export type RedeliveryCount = XStatic<typeof redeliveryCount>;
