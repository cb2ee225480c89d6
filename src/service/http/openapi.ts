import type { Endpoint } from '../../contract/endpoint.ts';
import { apiVersion, endpoints, prefixes } from '../../contract/endpoints.ts';
import type { ProblemCode } from '../../contract/errors.ts';
import { rights, roles } from '../../contract/roles.ts';
import {
  answerHeaders,
  collectSchemas,
  isCacheable,
  isConditional,
  isList,
  isVersioned,
  keyHeaders,
  linkHeaders,
  repeatHeaders,
  tagHeaders,
  toParameters,
  toProblemAnswers,
  toReferences,
  versionHeaders,
} from './openapi-parts.ts';
import { toWebhooks } from './openapi-webhooks.ts';

type Table = Readonly<Record<string, Endpoint>>;

/** Refusals that belong to one operation alone. */
const ownProblems: Readonly<Record<string, readonly ProblemCode[]>> = {
  createAppointment: ['appointment_conflict'],
  updateAppointment: ['appointment_conflict', 'invalid_status_transition'],
  patchAppointment: ['appointment_conflict', 'invalid_status_transition'],
  cancelAppointment: ['invalid_status_transition'],
  // A repeat of what made a client that has been erased since.
  createClient: ['not_found'],
  refundPayment: ['invalid_status_transition'],
  deleteClient: ['client_has_upcoming_appointments'],
  testWebhook: ['validation_failed'],
  redeliver: ['validation_failed'],
};

/** The OpenAPI 3.1 document of a table of endpoints. `origin` may be empty: addresses are then relative. */
export function toOpenApi(table: Table, { origin }: { origin: string }): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Salon',
      version: apiVersion,
      description: 'Appointments, clients, stylists and payments of a salon, and webhooks that tell of them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}${prefixes[0]}` }],
    security: [{ apiKey: [] }],
    tags: toTags(table),
    paths: toPaths(table),
    webhooks: toWebhooks(),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
      headers: {
        ...answerHeaders,
        ...linkHeaders,
        ...versionHeaders,
        ...tagHeaders,
        ...repeatHeaders,
        ...keyHeaders,
      },
      schemas: collectSchemas(table),
    },
  };
}

function toTags(table: Table): object[] {
  const names = new Set(Object.values(table).map(toTag));
  return [...names].map((name) => ({ name, description: `Everything under /${name}.` }));
}

function toTag({ path }: Endpoint): string {
  return path.split('/')[1] ?? '';
}

function toPaths(table: Table): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operation, endpoint] of Object.entries(table)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(operation, endpoint) };
  }
  return paths;
}

function toOperation(operation: string, endpoint: Endpoint): Record<string, unknown> {
  const { summary, standing, scope, body, isBodyOptional = false } = endpoint;
  return {
    operationId: operation,
    summary,
    tags: [toTag(endpoint)],
    'x-standing': standing,
    ...(scope === null ? {} : { 'x-scope': scope }),
    parameters: toParameters(endpoint),
    ...(body === undefined ? {} : { requestBody: { required: !isBodyOptional, content: toContent(body) } }),
    responses: {
      [endpoint.success.status]: toSuccess(endpoint),
      ...(isCacheable(endpoint) ? { 304: toUnchanged(endpoint) } : {}),
      ...toProblemAnswers(toProblemCodes(operation, endpoint)),
    },
  };
}

function toSuccess(endpoint: Endpoint): object {
  const { status, body } = endpoint.success;
  const headers = toHeaders({
    ...toGotHeaders(endpoint),
    ...(endpoint.method === 'POST' ? repeatHeaders : {}),
    ...(endpoint === endpoints.getMe ? keyHeaders : {}),
  });
  return {
    description: endpoint.summary,
    headers: status === 201 ? { ...headers, Location: locationHeader } : headers,
    ...(body === undefined ? {} : { content: toContent(body) }),
  };
}

function toUnchanged(endpoint: Endpoint): object {
  return {
    description: 'What was asked for still is what If-None-Match names.',
    headers: toHeaders(toGotHeaders(endpoint)),
  };
}

/** Headers that tell of what is answered, be it sent or known already. */
function toGotHeaders(endpoint: Endpoint): object {
  const hasTag = isVersioned(endpoint) || (endpoint.isTagged && endpoint.success.body !== undefined);
  return {
    ...answerHeaders,
    ...(isList(endpoint) ? linkHeaders : {}),
    ...(isVersioned(endpoint) ? versionHeaders : {}),
    ...(hasTag ? tagHeaders : {}),
  };
}

function toHeaders(described: object): object {
  return Object.fromEntries(
    Object.keys(described).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

const locationHeader = { description: 'The path of what was made.', schema: { type: 'string' } };

function toContent(schema: object): object {
  return { 'application/json': { schema: toReferences(schema) } };
}

function toProblemCodes(operation: string, endpoint: Endpoint): ProblemCode[] {
  const { method, path, scope, action, body } = endpoint;
  const isRefusedToSome = action !== null && roles.some((role) => rights[action][role] !== 'all');
  return [
    'invalid_parameter',
    'authentication_required',
    'invalid_token',
    ...(scope === null ? [] : (['insufficient_scope'] as const)),
    ...(isRefusedToSome ? (['permission_denied'] as const) : []),
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(body === undefined ? [] : bodyProblems),
    ...(method === 'POST' ? repeatProblems : []),
    ...(isConditional(endpoint) ? (['precondition_failed'] as const) : []),
    ...(ownProblems[operation] ?? []),
    'rate_limited',
    'internal_error',
    'service_unavailable',
  ];
}

const bodyProblems = [
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const satisfies readonly ProblemCode[];

const repeatProblems = [
  'idempotency_key_in_use',
  'idempotency_key_reused',
] as const satisfies readonly ProblemCode[];
