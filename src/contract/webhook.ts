import type { XStatic } from 'typebox/schema';
import { delivery, deliveryEndpoints } from './delivery.ts';
import { accept, create, type Endpoint, endpointsOf, get, post } from './endpoint.ts';
import { eventPatterns, eventTypes } from './events.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  type ChangeOf,
  instantSchema,
  listQueryOf,
  readOnlyFields,
  recordOf,
  stamps,
} from './schemas.ts';

/** The maximum number of webhooks of an account. */
export const maxWebhooks = 25;

/** Why the service disabled a webhook: it returned 410, or a delivery used up its attempts. */
export const disabledReasons = ['gone', 'exhausted'] as const;

const writable = {
  url: {
    type: 'string',
    minLength: 1,
    maxLength: 2048,
    description:
      'An https URL with a public address. A service can be set to accept loopback addresses too, with https or http.',
  },
  events: {
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: { type: 'string', enum: eventPatterns },
    description: 'The events to send: * for all, a family such as booking.*, or single event types.',
  },
  description: { type: ['string', 'null'], maxLength: 200 },
  active: { type: 'boolean', description: 'Whether events are sent.' },
} as const;

const recordProperties = {
  id: idSchema('webhook'),
  ...writable,
  disabled_reason: {
    type: ['string', 'null'],
    enum: [...disabledReasons, null],
    description:
      'Why the service disabled the webhook: gone (it returned 410) or exhausted (no attempts left). Enabling it clears this.',
  },
  ...stamps,
} as const;

/** A webhook in a response, without its secret. */
const webhook = recordOf('Webhook', recordProperties);

const secret = { type: 'string', description: 'The signing secret. It is shown only once.' } as const;

/** The response that creates a webhook, with its secret. */
const createdWebhook = recordOf('CreatedWebhook', { ...recordProperties, secret });

/** The body that adds a webhook. By default it is active and gets every event. */
export const newWebhook = bodyOf(
  { title: 'NewWebhook', required: ['url'] },
  {
    ...writable,
    events: { ...writable.events, default: ['*'] },
    active: { ...writable.active, default: true },
  },
);

/** The body that changes a webhook: missing fields keep their value, read-only fields are ignored. */
const webhookChange = bodyOf(
  { title: 'WebhookChange' },
  { ...writable, ...readOnlyFields, disabled_reason: {} },
);

/** The new secret, and until when the previous one signs as well. */
const rotatedSecret = recordOf('RotatedSecret', {
  id: idSchema('webhook'),
  secret,
  former_secret_until: instantSchema,
});

const webhookQuery = listQueryOf({});

const eventTypeList = recordOf('EventTypes', {
  data: { type: 'array', items: { type: 'string', enum: eventTypes } },
  patterns: { type: 'array', items: { type: 'string', enum: eventPatterns } },
});

export type Webhook = XStatic<typeof webhook>;
export type WebhookQuery = XStatic<typeof webhookQuery>;
export type CreatedWebhook = XStatic<typeof createdWebhook>;
export type NewWebhook = XStatic<typeof newWebhook>;
export type WebhookChange = ChangeOf<typeof webhookChange>;
export type EventTypeList = XStatic<typeof eventTypeList>;
export type RotatedSecret = XStatic<typeof rotatedSecret>;

const at = endpointsOf('/webhooks', 'webhooks', { record: webhook });

/** The endpoints of webhooks and their deliveries. */
export const webhookEndpoints = {
  listWebhooks: at.list('List webhooks', webhookQuery),
  createWebhook: create('/webhooks', createdWebhook, {
    action: 'webhooks.write',
    isTagged: true,
    summary: 'Add a webhook (the secret is shown only once)',
    secret: 'secret',
    body: newWebhook,
  }),
  listEventTypes: get('/webhooks/event-types', eventTypeList, {
    summary: 'List event types and the patterns that select them',
    action: 'webhooks.read',
  }),
  getWebhook: at.get('Get a webhook'),
  updateWebhook: at.put('Update a webhook', webhookChange),
  deleteWebhook: at.remove('Delete a webhook and its pending deliveries'),
  testWebhook: accept('/webhooks/:id/test', delivery, {
    summary: 'Send a webhook.test event to a webhook',
    action: 'webhooks.write',
  }),
  rotateWebhookSecret: post('/webhooks/:id/rotate-secret', rotatedSecret, {
    summary: "Rotate a webhook's secret (the old one stays valid for 24 hours)",
    action: 'webhooks.write',
    secret: 'secret',
  }),
  ...deliveryEndpoints,
} as const satisfies Record<string, Endpoint>;
