import {
  bookingEvent,
  clientChangeEvent,
  clientRemovalEvent,
  type EventType,
  eventTypes,
  paymentEvent,
  webhookTestEvent,
} from '../../contract/events.ts';
import { toReferences } from './openapi-parts.ts';

/** Every event as a request that the service sends, by its type. */
export function toWebhooks(): Record<string, object> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: toMessage(type) }]));
}

const summaries: Readonly<Record<EventType, string>> = {
  'booking.created': 'An appointment was booked',
  'booking.updated': 'An appointment was changed, but neither its time nor its status',
  'booking.rescheduled': 'An appointment was moved to another time',
  'booking.confirmed': 'An appointment was confirmed',
  'booking.arrived': 'A client has arrived for an appointment',
  'booking.started': 'The service of an appointment has begun',
  'booking.completed': 'An appointment was completed',
  'booking.no_show': 'A client did not come',
  'booking.cancelled': 'An appointment was cancelled',
  'payment.created': 'A payment was recorded',
  'payment.completed': 'A payment went through',
  'payment.failed': 'A payment did not go through',
  'payment.refunded': 'A payment was given back, in part or whole',
  'client.created': 'A client was added',
  'client.updated': 'A client was changed',
  'client.deleted': 'A client was removed; nothing but the identifier is left',
  'webhook.test': 'Somebody tried out a webhook',
};

const bodies = [bookingEvent, paymentEvent, clientChangeEvent, clientRemovalEvent, webhookTestEvent];

function toMessage(type: EventType): object {
  const body = bodies.find(({ properties }) => properties.type.enum.some((known) => known === type));
  const own = { type: 'object', properties: { type: { type: 'string', const: type } } };
  const schema = { allOf: [toReferences(body), own] };
  return {
    operationId: type,
    summary: summaries[type],
    'x-standing': 'extension',
    security: [],
    parameters: signedHeaders,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Taken. What the answer says is not read.' },
      410: { description: 'Not wanted any more: the webhook is switched off.' },
      default: { description: 'Not taken: the message is sent again later, with the same webhook-id.' },
    },
  };
}

const signedHeaders = [
  toHeader('webhook-id', 'Names the event; the same one can come twice.'),
  toHeader('webhook-timestamp', 'When this message was sent, in Unix seconds.'),
  toHeader('webhook-signature', 'HMAC-SHA256 of id, timestamp and body, by Standard Webhooks.'),
];

function toHeader(name: string, description: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
