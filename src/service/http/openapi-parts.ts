import { problems } from '../../contract/errors.ts';
import { type EventType, event, eventTypes } from '../../contract/events.ts';
import { linesMediaType, streamedRowsPerRequest } from '../../contract/schemas.ts';
import { renderCount } from '../../text/numbers.ts';
import texts from './openapi-texts.json' with { type: 'json' };

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
 * The schema of a request body, with its defaults only in descriptions: generators make a member with a `default`
 * required, so generated clients would have to send it.
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

/** Every response header, and the parameters in the path and in request headers. */
export const { headers, parameters } = texts;

/** References to headers by name. */
export function toHeaders(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The other form of a list. It is no second schema of the response, which would make every generated type a string, too. */
export const wholeList = `With Accept: ${linesMediaType} (an extension), the response is a line for each record of one snapshot, without pages. It costs one request for every ${renderCount(streamedRowsPerRequest)} records, and ends early if the client reads nothing for 10 seconds.`;

export const changeLines = `With Accept: ${linesMediaType} (an extension), the response is a line for each of all the changes since the position, and lines with a cursor between them: a position, to go on after. {"end": true} and the number of changes are the last line. It costs one request for every ${renderCount(streamedRowsPerRequest)} entries of the log.`;

const summaries: Readonly<Record<EventType, string>> = texts.events;

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
