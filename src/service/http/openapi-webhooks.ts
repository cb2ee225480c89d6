import { type EventType, event, eventTypes } from '../../contract/events.ts';
import { type Schemas, toReferences } from './openapi-parts.ts';

const summaries: Readonly<Record<EventType, string>> = {
  'booking.created': 'An appointment was booked',
  'booking.updated': 'An appointment was edited (not its time or status)',
  'booking.rescheduled': 'An appointment was rescheduled',
  'booking.confirmed': 'An appointment was confirmed',
  'booking.arrived': 'The client has arrived',
  'booking.started': 'The service has started',
  'booking.completed': 'An appointment was completed',
  'booking.no_show': 'The client did not show up',
  'booking.cancelled': 'An appointment was cancelled',
  'payment.created': 'A payment was recorded',
  'payment.completed': 'A payment was completed',
  'payment.failed': 'A payment failed',
  'payment.refunded': 'A payment was refunded, in full or in part',
  'payment.updated': 'A payment moved to another client, because clients were merged (extension)',
  'client.created': 'A client was added',
  'client.updated': 'A client was edited',
  'client.deleted': 'A client was deleted (only the ID remains)',
  'webhook.test': 'A webhook was tested',
};

/** The OpenAPI webhooks: one request per event type. */
export function toWebhooks(schemas: Schemas): Record<string, object> {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: toOperation(type, schemas) }]));
}

function toOperation(type: EventType, schemas: Schemas): object {
  const body = event.oneOf.find(({ properties }) => properties.type.enum.some((known) => known === type));
  const typeOnly = { type: 'object', properties: { type: { type: 'string', const: type } } };
  const schema = { allOf: [toReferences(body, schemas), typeOnly] };
  return {
    operationId: type,
    summary: summaries[type],
    'x-standing': 'extension',
    security: [],
    parameters: signatureHeaders,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Accepted. The response body is ignored.' },
      410: { description: 'Gone. The webhook is disabled.' },
      default: { description: 'Not accepted. The request is retried later with the same webhook-id.' },
    },
  };
}

const signatureHeaders = [
  toHeader('webhook-id', 'The ID of the event. An event may be delivered more than once.'),
  toHeader('webhook-timestamp', 'When this request was sent, in Unix seconds.'),
  toHeader('webhook-signature', 'HMAC-SHA256 of ID, timestamp and body (Standard Webhooks).'),
];

function toHeader(name: string, description: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
