import type { XStatic } from 'typebox/schema';
import { appointment } from './appointment.ts';
import { client } from './client.ts';
import { idSchema } from './identifiers.ts';
import { payment } from './payment.ts';
import { objectOf, recordOf } from './schemas.ts';

const bookingEvents = [
  ...['booking.created', 'booking.updated', 'booking.rescheduled', 'booking.confirmed', 'booking.arrived'],
  ...['booking.started', 'booking.completed', 'booking.no_show', 'booking.cancelled'],
] as const;
const paymentEvents = [
  ...['payment.created', 'payment.completed', 'payment.failed', 'payment.refunded'],
  // An extension of the catalogue: a payment that moved to another client must not look like a new one.
  'payment.updated',
] as const;
const clientChanges = ['client.created', 'client.updated'] as const;
const clientRemovals = ['client.deleted'] as const;
const webhookTests = ['webhook.test'] as const;

/** Every event type. A change has one event: a status change takes precedence over a new time, and that over other edits. */
export const eventTypes = [
  ...bookingEvents,
  ...paymentEvents,
  ...clientChanges,
  ...clientRemovals,
  ...webhookTests,
] as const;

export type EventType = (typeof eventTypes)[number];

/** The patterns that select events: all, a family, or one type. */
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

/** Whether one of the patterns matches an event type. The names of other servers are mapped first. */
export function matchesEvent(patterns: readonly EventPattern[], name: string): boolean {
  const type = toEventType(name);
  return patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === type ||
      (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}

/** Maps the families `appointment` and `customer` of other servers to this contract's. */
export function toEventType(name: string): string {
  return name.replace(/^appointment\./, 'booking.').replace(/^customer\./, 'client.');
}

const removedClient = objectOf({ id: idSchema('client'), deleted: { type: 'boolean', const: true } });
const testedWebhook = objectOf({ id: idSchema('webhook') });

const bookingEvent = eventOf('BookingEvent', bookingEvents, changeOf('appointment', appointment));
const paymentEvent = eventOf('PaymentEvent', paymentEvents, changeOf('payment', payment));
const clientChangeEvent = eventOf('ClientChangeEvent', clientChanges, changeOf('client', client));
const clientRemovalEvent = eventOf('ClientRemovalEvent', clientRemovals, dataOf('client', removedClient));
const webhookTestEvent = eventOf('WebhookTestEvent', webhookTests, dataOf('webhook', testedWebhook));

/** The body of a webhook request. */
export const event = {
  title: 'Event',
  oneOf: [bookingEvent, paymentEvent, clientChangeEvent, clientRemovalEvent, webhookTestEvent],
} as const;

/** An appointment was created or changed; `data.object` is its current state. */
export type BookingEvent = XStatic<typeof bookingEvent>;
/** A payment was recorded or changed. */
export type PaymentEvent = XStatic<typeof paymentEvent>;
/** A client was added or changed. */
export type ClientChangeEvent = XStatic<typeof clientChangeEvent>;
/** A client was removed. Personal data is erased, so only the ID remains. */
export type ClientRemovalEvent = XStatic<typeof clientRemovalEvent>;
/** A webhook was tested; `data.object` has its ID. */
export type WebhookTestEvent = XStatic<typeof webhookTestEvent>;

/** A change in a salon; `type` determines the record in `data.object`. */
export type SalonEvent = XStatic<typeof event>;

function eventOf<const Types extends readonly EventType[], Data>(title: string, types: Types, data: Data) {
  return recordOf(title, {
    id: idSchema('event'),
    type: { type: 'string', enum: types },
    timestamp: { type: 'string', format: 'date-time', description: 'When the change happened.' },
    api_version: { type: 'string', description: 'The API version of the record, such as v1.0.' },
    data,
  });
}

/** A record after the change and, for an existing record, the previous values of the changed fields. */
function changeOf<const Resource extends string, Item extends { readonly properties: object }>(
  resource: Resource,
  record: Item,
) {
  const { properties, ...data } = dataOf(resource, record);
  const fields: Pick<Item, 'properties'> = { properties: record.properties };
  const previous = { type: 'object', additionalProperties: false, ...fields } as const;
  return { ...data, properties: { ...properties, previous_attributes: previous } } as const;
}

function dataOf<const Resource extends string, Item>(resource: Resource, object: Item) {
  return objectOf({ resource: { type: 'string', const: resource }, object });
}
