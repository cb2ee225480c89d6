import type { XStatic } from 'typebox/schema';
import { appointment } from './appointment.ts';
import { client } from './client.ts';
import { identifierSchema } from './identifiers.ts';
import { payment } from './payment.ts';

const bookingEvents = [
  'booking.created',
  'booking.updated',
  'booking.rescheduled',
  'booking.confirmed',
  'booking.arrived',
  'booking.started',
  'booking.completed',
  'booking.no_show',
  'booking.cancelled',
] as const;
const paymentEvents = ['payment.created', 'payment.completed', 'payment.failed', 'payment.refunded'] as const;
const clientChanges = ['client.created', 'client.updated'] as const;
const clientRemovals = ['client.deleted'] as const;
const webhookTests = ['webhook.test'] as const;

/** Every event there is, one for each change: a change of status wins over a move, a move over other edits. */
export const eventTypes = [
  ...bookingEvents,
  ...paymentEvents,
  ...clientChanges,
  ...clientRemovals,
  ...webhookTests,
] as const;

export type EventType = (typeof eventTypes)[number];

/** What an endpoint can ask for: everything, a family, or one event. */
export const eventPatterns = [
  '*',
  'booking.*',
  'payment.*',
  'client.*',
  'webhook.*',
  ...eventTypes,
] as const satisfies readonly (EventType | '*' | `${string}.*`)[];

export type EventPattern = (typeof eventPatterns)[number];

export function isEventPattern(text: string): text is EventPattern {
  return eventPatterns.some((pattern) => pattern === text);
}

/** Whether one of the patterns takes an event of this name; a foreign name counts to its family here. */
export function matchesEvent(patterns: readonly EventPattern[], name: string): boolean {
  const type = toEventType(name);
  return patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === type ||
      (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}

/** The name of an event in a body, wherever the server that sent it puts it; undefined where there is none. */
export function readEventName(body: Readonly<Record<string, unknown>>): string | undefined {
  const names = [body['type'], body['event'], body['event_type']];
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}

/** A name as this contract has it: other servers call the same families `appointment` and `customer`. */
export function toEventType(name: string): string {
  return name.replace(/^appointment\./, 'booking.').replace(/^customer\./, 'client.');
}

const clientRemoval = {
  type: 'object',
  required: ['id', 'deleted'],
  additionalProperties: false,
  properties: { id: identifierSchema('client'), deleted: { type: 'boolean', const: true } },
} as const;
const testedWebhook = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: identifierSchema('webhook') },
} as const;

export const bookingEvent = eventOf('BookingEvent', bookingEvents, changeOf('appointment', appointment));
export const paymentEvent = eventOf('PaymentEvent', paymentEvents, changeOf('payment', payment));
export const clientChangeEvent = eventOf('ClientChangeEvent', clientChanges, changeOf('client', client));
export const clientRemovalEvent = eventOf(
  'ClientRemovalEvent',
  clientRemovals,
  dataOf('client', clientRemoval),
);
export const webhookTestEvent = eventOf('WebhookTestEvent', webhookTests, dataOf('webhook', testedWebhook));

/** The body of a webhook. */
export const event = {
  title: 'Event',
  oneOf: [bookingEvent, paymentEvent, clientChangeEvent, clientRemovalEvent, webhookTestEvent],
} as const;

/** An appointment was made or changed; `data.object` is the appointment as it is now. */
export type BookingEvent = XStatic<typeof bookingEvent>;
/** A payment was recorded, or became something else. */
export type PaymentEvent = XStatic<typeof paymentEvent>;
/** A client was added or changed. */
export type ClientChangeEvent = XStatic<typeof clientChangeEvent>;
/** A client was removed: personal data is gone, so the identifier is all there is. */
export type ClientRemovalEvent = XStatic<typeof clientRemovalEvent>;
/** Somebody tried out a webhook; `data.object` names it. */
export type WebhookTestEvent = XStatic<typeof webhookTestEvent>;

/** What changed in a salon; `type` tells which record is in `data.object`. */
export type SalonEvent = XStatic<typeof event>;

function eventOf<const Types extends readonly EventType[], Data>(title: string, types: Types, data: Data) {
  return {
    title,
    type: 'object',
    required: ['id', 'type', 'timestamp', 'api_version', 'data'],
    additionalProperties: false,
    properties: {
      id: identifierSchema('event'),
      type: { type: 'string', enum: types },
      timestamp: { type: 'string', format: 'date-time', description: 'When the change was made.' },
      api_version: { type: 'string', description: 'What its records are written in, such as v1.0.' },
      data,
    },
  } as const;
}

/** A record as it is after the change and, where it had been there before, the fields that were otherwise. */
function changeOf<const Resource extends string, Item extends { readonly properties: object }>(
  resource: Resource,
  record: Item,
) {
  const { properties, ...data } = dataOf(resource, record);
  const former: Pick<Item, 'properties'> = { properties: record.properties };
  const previous = { type: 'object', additionalProperties: false, ...former } as const;
  return { ...data, properties: { ...properties, previous_attributes: previous } } as const;
}

function dataOf<const Resource extends string, Item>(resource: Resource, object: Item) {
  return {
    type: 'object',
    required: ['resource', 'object'],
    additionalProperties: false,
    properties: { resource: { type: 'string', const: resource }, object },
  } as const;
}
