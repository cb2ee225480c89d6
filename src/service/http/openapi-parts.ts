import { problems } from '../../contract/errors.ts';
import { type EventType, event, eventTypes } from '../../contract/events.ts';
import { linesMediaType, streamedRowsPerRequest } from '../../contract/schemas.ts';
import { renderCount } from '../../text/numbers.ts';

/** The schemas of `#/components/schemas`, by title. */
export type Schemas = Record<string, unknown>;

/** Replaces every schema with a title by a reference, and adds it to `schemas`. */
export function toReferences(schema: unknown, schemas: Schemas): unknown {
  if (Array.isArray(schema)) return schema.map((part) => toReferences(part, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, toReferences(part, schemas)]),
  );
  // In `properties`, title can be a field with a schema.
  const { title } = copy;
  if (typeof title !== 'string') return copy;
  schemas[title] = copy;
  return { $ref: `#/components/schemas/${title}` };
}

/**
 * The schema of a request body with its defaults in words: generators take a member with a `default` for one that is
 * always there, as it is in a response, so that generated clients would have to send it.
 */
export function withoutDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDefaults);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, withoutDefaults(part)]),
  );
  const { default: usual, description, ...others } = copy;
  if (usual === undefined) return copy;
  const words = `Default: ${JSON.stringify(usual)}.`;
  return { ...others, description: description === undefined ? words : `${description} ${words}` };
}

const violation = {
  type: 'object',
  required: ['code', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'JSON pointer of the invalid field in the body (RFC 6901).' },
    parameter: { type: 'string', description: 'Name of the invalid query parameter or header.' },
    code: { type: 'string' },
    detail: { type: 'string' },
  },
} as const;

/** The schema of a problem document. */
export const problem = {
  title: 'Problem',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'The page that explains this problem.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(problems) },
    request_id: { type: 'string' },
    errors: { type: 'array', items: violation },
  },
} as const;

/** Every response header. */
export const headers = {
  'X-Request-Id': toHeader('string', 'The ID of this request. Include it in reports.'),
  'API-Version': toHeader('string', 'The API version of this response.'),
  'RateLimit-Policy': toHeader('string', 'The number of requests allowed per hour.'),
  RateLimit: toHeader('string', 'The number of requests left, and the seconds until the limit resets.'),
  'X-RateLimit-Limit': toHeader('integer', 'The number of requests allowed per hour.'),
  'X-RateLimit-Remaining': toHeader('integer', 'The number of requests left.'),
  'X-RateLimit-Reset': toHeader('integer', 'When the limit resets, in Unix seconds.'),
  'Salon-Settings-Version': toHeader(
    'string',
    'Changes with the time zone, currency, country and opening hours of the salon and, after the dot, with the clock rules of the service and once a year: GET /salon has them.',
  ),
  Link: toHeader('string', 'Links to the first, previous, next and last page (RFC 8288).'),
  'Salon-Collection-Version': toHeader(
    'integer',
    'Increases with every write to the collection. Pages with the same version belong to one snapshot.',
  ),
  'Salon-Total': toHeader('integer', 'Number of matching records. Only for a list in one response.'),
  'Preference-Applied': toHeader('string', 'cursors, if Prefer has it. Only in a whole list as lines.'),
  ETag: toHeader('string', 'The version of this page or record. The ETag of a record is its updated_at.'),
  'Idempotent-Replayed': toHeader(
    'boolean',
    'Whether this is the stored response of an earlier request. Only sent for requests with an Idempotency-Key.',
  ),
  'Salon-Idempotency-Keys': toHeader('integer', 'How long idempotency keys are remembered, in seconds.'),
  'Salon-Dry-Run': toHeader('integer', 'How many writes a request to /dry-run may check.'),
  Location: toHeader('string', 'The path of the new record.'),
  'Retry-After': toHeader('integer', 'How many seconds to wait before a retry.'),
  'WWW-Authenticate': toHeader('string', 'How to authenticate (RFC 6750).'),
};

function toHeader(type: 'string' | 'integer' | 'boolean', description: string): object {
  return { description, schema: { type } };
}

/** References to headers by name. */
export function toHeaders(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Parameters in the path and in request headers. */
export const parameters = {
  id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of a cached response. If it is still current, the response is 304 without a body.',
    schema: { type: 'string' },
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'cursors: a whole list as lines also has a line {"cursor": "…"} after every 200 records, which after accepts, and the last line {"end": true, "rows": …}.',
    schema: { type: 'string' },
  },
  settingsVersion: {
    name: 'Salon-Settings-Version',
    in: 'header',
    description:
      'The version that a response had, or its part before the dot. The request is refused with 412 salon_settings_changed if the salon has another one now.',
    schema: { type: 'string' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'One or more ETags, or *. The change is made only if the record still has one of them. The ETag of a record is its updated_at in double quotes; its weak form, as a compressing proxy sends it, matches too.',
    schema: { type: 'string' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique key that makes retries safe: within 24 hours, a repeated request with the same key is not executed again and gets the first response.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
};

/** The other form of a list. It is no second schema of the response, which would make every generated type a string, too. */
export const wholeList = `With Accept: ${linesMediaType} (an extension), the response is a line for each record of one snapshot, without pages. It costs one request for every ${renderCount(streamedRowsPerRequest)} records, and ends early if the client reads nothing for 10 seconds.`;

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
  toSignatureHeader('webhook-id', 'The ID of the event. An event may be delivered more than once.'),
  toSignatureHeader('webhook-timestamp', 'When this request was sent, in Unix seconds.'),
  toSignatureHeader('webhook-signature', 'HMAC-SHA256 of ID, timestamp and body (Standard Webhooks).'),
];

function toSignatureHeader(name: string, description: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
