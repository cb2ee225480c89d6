import type { XStatic } from 'typebox/schema';
import { delivery, deliveryList, deliveryQuery, redelivery, redeliveryCount } from './delivery.ts';
import type { Endpoint } from './endpoint.ts';
import { eventPatterns, eventTypes } from './events.ts';
import { identifierSchema } from './identifiers.ts';
import { listOf, pagingQuery } from './list.ts';
import { instantSchema } from './time.ts';

/** Webhooks an account may have. */
export const mostWebhooks = 25;

/** How long the secret before the newest one goes on signing beside it, in seconds. */
export const secretOverlapSeconds = 86_400;

/** Why a webhook was switched off without being asked: it answered 410, or a delivery used up its tries. */
export const disabledReasons = ['gone', 'exhausted'] as const;

const writable = {
  url: {
    type: 'string',
    minLength: 1,
    maxLength: 2048,
    description:
      'https and a public address; a service that only this machine can call delivers to loopback too, also by http.',
  },
  events: {
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: { type: 'string', enum: eventPatterns },
    description: 'What it is told of: * for everything, a family such as booking.*, or names.',
  },
  description: { type: ['string', 'null'], maxLength: 200 },
  active: { type: 'boolean', description: 'Whether it is told anything.' },
} as const;

const own = {
  id: identifierSchema('webhook'),
  ...writable,
  disabled_reason: {
    type: ['string', 'null'],
    enum: [...disabledReasons, null],
    description: 'Why the service switched it off; switching it on again clears this.',
  },
  created_at: instantSchema,
  updated_at: instantSchema,
} as const;

const members = [
  'id',
  'url',
  'events',
  'description',
  'active',
  'disabled_reason',
  'created_at',
  'updated_at',
] as const;

/** One webhook, as the service answers it. Its secret is not in it. */
export const webhook = {
  title: 'Webhook',
  type: 'object',
  required: members,
  additionalProperties: false,
  properties: own,
} as const;

const secret = {
  type: 'string',
  description: 'What its messages are signed with; shown here and never again.',
} as const;

/** A webhook that has just been made. */
export const createdWebhook = {
  title: 'CreatedWebhook',
  type: 'object',
  required: [...members, 'secret'],
  additionalProperties: false,
  properties: { ...own, secret },
} as const;

/** What a new webhook is made from. It is told everything when nothing else is said. */
export const newWebhook = {
  title: 'NewWebhook',
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    ...writable,
    events: { ...writable.events, default: ['*'] },
    active: { ...writable.active, default: true },
  },
} as const;

/** A change of a webhook: fields left out stay; what only the service sets is passed over. */
export const webhookChange = {
  title: 'WebhookChange',
  type: 'object',
  additionalProperties: false,
  properties: { ...writable, id: {}, disabled_reason: {}, created_at: {}, updated_at: {} },
} as const;

/** The secret that signs from now on; the one before it signs too, until the overlap is over. */
export const rotatedSecret = {
  title: 'RotatedSecret',
  type: 'object',
  required: ['id', 'secret', 'former_secret_until'],
  additionalProperties: false,
  properties: { id: identifierSchema('webhook'), secret, former_secret_until: instantSchema },
} as const;

/** Order and paging of the webhook list. */
export const webhookQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { ...pagingQuery },
} as const;

export const webhookList = listOf(webhook);

/** Every name an event can have, and every pattern a webhook can ask for. */
export const eventTypeList = {
  title: 'EventTypes',
  type: 'object',
  required: ['data', 'patterns'],
  additionalProperties: false,
  properties: {
    data: { type: 'array', items: { type: 'string', enum: eventTypes } },
    patterns: { type: 'array', items: { type: 'string', enum: eventPatterns } },
  },
} as const;

/** Members of a webhook record that only the service sets. */
const readOnlyWebhookFields = ['id', 'disabled_reason', 'created_at', 'updated_at'] as const;

export type Webhook = XStatic<typeof webhook>;
export type WebhookQuery = XStatic<typeof webhookQuery>;
export type CreatedWebhook = XStatic<typeof createdWebhook>;
export type NewWebhook = XStatic<typeof newWebhook>;
export type WebhookChange = Omit<XStatic<typeof webhookChange>, (typeof readOnlyWebhookFields)[number]>;
export type EventTypeList = XStatic<typeof eventTypeList>;
export type RotatedSecret = XStatic<typeof rotatedSecret>;

/** What can be done with webhooks and their deliveries. */
export const webhookEndpoints = {
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    standing: 'extension',
    summary: 'List webhooks',
    scope: 'webhooks:read',
    action: 'webhooks.read',
    query: webhookQuery,
    success: { status: 200, body: webhookList },
  },
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    standing: 'extension',
    summary: 'Add a webhook; its secret is shown once',
    scope: 'webhooks:write',
    action: 'webhooks.write',
    isTagged: true,
    body: newWebhook,
    success: { status: 201, body: createdWebhook },
  },
  listEventTypes: {
    method: 'GET',
    path: '/webhooks/event-types',
    standing: 'extension',
    summary: 'List the events there are, and the patterns that choose among them',
    scope: 'webhooks:read',
    action: 'webhooks.read',
    success: { status: 200, body: eventTypeList },
  },
  getWebhook: {
    method: 'GET',
    path: '/webhooks/:id',
    standing: 'extension',
    summary: 'Read one webhook',
    scope: 'webhooks:read',
    action: 'webhooks.read',
    isTagged: true,
    success: { status: 200, body: webhook },
  },
  updateWebhook: {
    method: 'PUT',
    path: '/webhooks/:id',
    standing: 'extension',
    summary: 'Update a webhook',
    scope: 'webhooks:write',
    action: 'webhooks.write',
    isTagged: true,
    body: webhookChange,
    success: { status: 200, body: webhook },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/:id',
    standing: 'extension',
    summary: 'Remove a webhook, and what is on its way to it',
    scope: 'webhooks:write',
    action: 'webhooks.write',
    isTagged: true,
    success: { status: 204 },
  },
  testWebhook: {
    method: 'POST',
    path: '/webhooks/:id/test',
    standing: 'extension',
    summary: 'Send a webhook.test event to one webhook',
    scope: 'webhooks:write',
    action: 'webhooks.write',
    success: { status: 202, body: delivery },
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    standing: 'extension',
    summary: 'Give a webhook another secret; the one before it signs for another 24 hours',
    scope: 'webhooks:write',
    action: 'webhooks.write',
    success: { status: 200, body: rotatedSecret },
  },
  listDeliveries: {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    standing: 'extension',
    summary: 'List what was sent to a webhook in the last 30 days, with every try',
    scope: 'webhooks:read',
    action: 'webhooks.read',
    isUnversioned: true,
    query: deliveryQuery,
    success: { status: 200, body: deliveryList },
  },
  redeliverSome: {
    method: 'POST',
    path: '/webhooks/:id/redeliver',
    standing: 'extension',
    summary: 'Send the events of a time once more to a webhook',
    scope: 'webhooks:write',
    action: 'webhooks.write',
    body: redelivery,
    success: { status: 202, body: redeliveryCount },
  },
  redeliver: {
    method: 'POST',
    path: '/deliveries/:id/redeliver',
    standing: 'extension',
    summary: 'Send one event once more',
    scope: 'webhooks:write',
    action: 'webhooks.write',
    success: { status: 202, body: delivery },
  },
} as const satisfies Record<string, Endpoint>;
