import type { XStatic } from 'typebox/schema';
import { hourMs, minuteMs } from '../time/time.ts';
import { accept, type Endpoint, get } from './endpoint.ts';
import { event, eventTypes } from './events.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  fromFilter,
  instantSchema,
  listOf,
  listQueryOf,
  recordOf,
  stamps,
  toFilter,
} from './schemas.ts';

/** The statuses of a delivery: more attempts follow, a 2xx was returned, or no attempts are left. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** In the list over all webhooks: an event of the account that no webhook was subscribed to, so that nothing was sent. */
export const noWebhook = 'no_webhook';

export const loggedStatuses = [...deliveryStatuses, noWebhook] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** When each attempt is due after the first, in milliseconds, plus a small random delay. */
export const deliverySchedule = [
  ...[0, 5_000, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs],
  ...[10 * hourMs, 14 * hourMs, 20 * hourMs, 24 * hourMs],
] as const;

const attempt = recordOf('DeliveryAttempt', {
  number: { type: 'integer', minimum: 1 },
  at: instantSchema,
  status_code: { type: ['integer', 'null'], description: 'Null if there was no response.' },
  error: { type: ['string', 'null'], description: 'Why the attempt failed; null if it succeeded.' },
  duration_ms: { type: 'integer', minimum: 0 },
  response: {
    type: ['string', 'null'],
    description:
      'The start of the response body, up to 1 KiB, without what looks like a secret; null if there was none, and once a client in the event has been erased.',
  },
});

const deliveryProperties = {
  id: idSchema('delivery'),
  webhook_id: idSchema('webhook'),
  event_id: idSchema('event'),
  event_type: { type: 'string', enum: eventTypes },
  status: { type: 'string', enum: deliveryStatuses },
  next_attempt_at: { type: ['string', 'null'], format: 'date-time' },
  attempts: { type: 'array', items: attempt, description: 'Oldest first.' },
  event: {
    oneOf: [event, { type: 'null' }],
    description: 'The request body; null after the client in it has been erased.',
  },
  ...stamps,
} as const;

/** The delivery of one event to one webhook, with every attempt. */
export const delivery = recordOf('Delivery', deliveryProperties);

/** A delivery to any webhook, or an event that no webhook was subscribed to. */
const loggedDelivery = recordOf('LoggedDelivery', {
  ...deliveryProperties,
  id: { type: 'string', description: 'The ID of the delivery; of the event if its status is no_webhook.' },
  webhook_id: { type: ['string', 'null'], description: 'The webhook may have been deleted since.' },
  status: { type: 'string', enum: loggedStatuses },
});

const status = { type: 'string', enum: deliveryStatuses } as const;

const filters = {
  event_type: { type: 'string', enum: eventTypes },
  created_from: fromFilter,
  created_to: toFilter,
} as const;

const deliveryQuery = listQueryOf({ status, ...filters });

const loggedDeliveryQuery = listQueryOf({
  status: {
    type: 'string',
    enum: loggedStatuses,
    description:
      'no_webhook lists the events that no webhook was subscribed to. Default: deliveries of any status.',
  },
  ...filters,
});

/** The body that selects the deliveries of a webhook to repeat. */
const redelivery = bodyOf(
  { title: 'Redelivery', required: ['created_from'] },
  { created_from: fromFilter, created_to: toFilter, status },
);

/** How many deliveries are repeated. */
const redeliveryCount = recordOf('RedeliveryCount', { redelivered: { type: 'integer', minimum: 0 } });

export type Delivery = XStatic<typeof delivery>;
export type DeliveryAttempt = XStatic<typeof attempt>;
export type LoggedDelivery = XStatic<typeof loggedDelivery>;
export type DeliveryQuery = XStatic<typeof deliveryQuery>;
export type Redelivery = XStatic<typeof redelivery>;
export type RedeliveryCount = XStatic<typeof redeliveryCount>;

export const deliveryEndpoints = {
  listDeliveries: get('/webhooks/:id/deliveries', listOf(delivery), {
    summary: 'List the deliveries of a webhook in the last 30 days, with every attempt',
    action: 'webhooks.read',
    isUnversioned: true,
    query: deliveryQuery,
  }),
  listAllDeliveries: get('/deliveries', listOf(loggedDelivery), {
    summary:
      'List the deliveries of all webhooks in the last 30 days, or the events that no webhook was subscribed to',
    action: 'webhooks.read',
    isUnversioned: true,
    query: loggedDeliveryQuery,
  }),
  redeliverSome: accept('/webhooks/:id/redeliver', redeliveryCount, {
    summary: 'Redeliver all deliveries of a webhook in a time range',
    action: 'webhooks.write',
    body: redelivery,
  }),
  redeliver: accept('/deliveries/:id/redeliver', delivery, {
    summary: 'Redeliver a delivery',
    action: 'webhooks.write',
  }),
} as const satisfies Record<string, Endpoint>;
