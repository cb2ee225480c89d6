import type { XStatic } from 'typebox/schema';
import { eventPatterns, eventTypes } from './events.ts';
import { identifierSchema } from './identifiers.ts';
import { instantSchema } from './instants.ts';
import { listOf, pagingQuery } from './list.ts';

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
