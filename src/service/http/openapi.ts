import { type Endpoint, scopeOf } from '../../contract/endpoint.ts';
import { apiVersion, endpoints, prefixes } from '../../contract/endpoints.ts';
import { type ProblemCode, problems } from '../../contract/errors.ts';
import { accessByRole, roles, scopeTexts } from '../../contract/roles.ts';
import {
  changeLines,
  headers,
  parameters,
  problem,
  type Schemas,
  toHeaders,
  toReferences,
  toWebhooks,
  wholeList,
  withoutDefaults,
} from './openapi-parts.ts';
import type { QuerySchema } from './query-string.ts';

type Endpoints = Readonly<Record<string, Endpoint>>;

/** The OpenAPI 3.1 document of the endpoints. With an empty `origin`, its URLs are relative. */
export function toOpenApi(table: Endpoints, { origin }: { origin: string }): Record<string, unknown> {
  const schemas: Schemas = { Problem: problem };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Salon',
      version: apiVersion,
      description:
        'Appointments, clients, stylists and payments of a salon, and webhooks for changes to them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}${prefixes[0]}` }],
    security: [{ apiKey: [] }, { oauth2: [] }],
    tags: [...new Set(Object.values(table).map(toTag))].map((name) => ({
      name,
      description: tagDescriptions[name] ?? `Endpoints under /${name}.`,
    })),
    paths: toPaths(table, schemas),
    webhooks: toWebhooks(schemas),
    components: { securitySchemes: toSecuritySchemes(origin), headers, schemas },
  };
}

const tagDescriptions: Readonly<Record<string, string>> = {
  appointments: 'Book, view, change and cancel appointments.',
  'blocked-times': 'Block time in which a stylist, or nobody, can be booked.',
  availability: 'See when stylists can be booked.',
  waitlist: 'Keep who waits for a time, and find who would come.',
  clients: 'Add, find, change and delete clients.',
  stylists: 'Add, list and change stylists.',
  salon: 'The name, time zone, currency and opening hours of the salon.',
  services: 'List, add and change services and their prices.',
  payments: 'Record, list and refund payments.',
  webhooks: 'Register URLs that receive events, and see their deliveries.',
  deliveries: 'List the deliveries of all webhooks, and redeliver events.',
  'oauth-clients': 'Register apps that ask people for access or act on their own.',
  changes: 'Follow what changes in the records, deletions included.',
  'dry-run': 'Check writes without executing them.',
  me: 'The account, role and scopes of the API key or access token.',
};

function toTag({ path }: Endpoint): string {
  return path.split('/')[1] ?? '';
}

function toPaths(table: Endpoints, schemas: Schemas): Record<string, object> {
  const paths: Record<string, object> = {};
  for (const [operation, endpoint] of Object.entries(table)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    const method = endpoint.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: toOperation(operation, endpoint, schemas) };
  }
  return paths;
}

function toOperation(operation: string, endpoint: Endpoint, schemas: Schemas): object {
  const { method, path, summary, isDocumented, isSafe, isBodyOptional, query, body, success } = endpoint;
  const scope = scopeOf(endpoint);
  const toContent = (schema: unknown) => ({ 'application/json': { schema: toReferences(schema, schemas) } });

  const isList = success.body !== undefined && hasMember(success.body, 'pagination');
  const isVersioned = isList && !endpoint.isUnversioned;
  const isChange = path.includes(':') || method === 'PATCH';
  const isTagged = endpoint.isTagged === true;
  const isConditional = isTagged && method !== 'GET' && isChange;
  const isCacheable = isVersioned || (isTagged && method === 'GET');
  // The tag of a record is made of the time of its last change.
  const hasTag = isVersioned || (isTagged && hasMember(success.body, 'updated_at'));

  const contentHeaders = [
    ...['X-Request-Id', 'API-Version', 'RateLimit-Policy', 'RateLimit'],
    ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
    'Salon-Settings-Version',
    ...(isList ? ['Link'] : []),
    ...(isVersioned ? ['Salon-Collection-Version'] : []),
    ...(endpoint.isStreamed ? ['Salon-Total', 'Preference-Applied'] : []),
    ...(hasTag ? ['ETag'] : []),
  ];
  const successHeaders = [
    ...contentHeaders,
    ...(method === 'POST' && !isSafe ? ['Idempotent-Replayed'] : []),
    ...(endpoint === endpoints.getMe ? ['Salon-Idempotency-Keys', 'Salon-Dry-Run', 'Salon-Batch'] : []),
    ...(isSafe ? ['Salon-Dry-Run'] : []),
    ...(success.status === 201 && hasMember(success.body, 'id') ? ['Location'] : []),
  ];

  return {
    operationId: operation,
    summary,
    ...(endpoint.isStreamed ? { description: wholeList } : {}),
    ...(endpoint === endpoints.listChanges ? { description: changeLines } : {}),
    tags: [toTag(endpoint)],
    security: toSecurity(endpoint),
    'x-standing': isDocumented ? 'documented' : 'extension',
    ...(scope === null ? {} : { 'x-scope': scope }),
    parameters: [
      ...(path.includes(':') ? [parameters.id] : []),
      ...toQueryParameters(query),
      parameters.settingsVersion,
      ...(isCacheable ? [parameters.ifNoneMatch] : []),
      ...(endpoint.isStreamed ? [parameters.prefer] : []),
      ...(isConditional ? [parameters.ifMatch] : []),
      ...(method === 'POST' && !isSafe ? [parameters.idempotencyKey] : []),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: !isBodyOptional, content: toContent(withoutDefaults(body)) } }),
    responses: {
      [success.status]: {
        description: summary,
        headers: toHeaders(successHeaders),
        ...(success.body === undefined ? {} : { content: toContent(success.body) }),
      },
      ...(isCacheable ? { 304: { ...notModified, headers: toHeaders(contentHeaders) } } : {}),
      ...toProblemResponses(toProblemCodes(operation, endpoint, { isConditional })),
    },
  };
}

const notModified = { description: 'Not modified: the ETag in If-None-Match is current.' };

function hasMember(body: object | undefined, name: string): boolean {
  const { properties } = { ...(body as { readonly properties?: object } | undefined) };
  return properties !== undefined && name in properties;
}

function toQueryParameters(query: object | undefined): object[] {
  const { properties = {}, required = [] } = (query ?? {}) as Partial<QuerySchema>;
  return Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'query', schema },
    ...(required.includes(name) ? { required: true } : {}),
  }));
}

const bookingProblems = [
  'appointment_conflict',
  'time_blocked',
  'appointment_not_started',
  'salon_settings_missing',
] as const;

/** Problems of single operations. */
const operationProblems: Readonly<Record<string, readonly ProblemCode[]>> = {
  createAppointment: bookingProblems,
  createAppointments: ['bookings_refused'],
  getAvailability: ['salon_settings_missing'],
  createService: ['salon_settings_missing'],
  updateService: ['salon_settings_missing'],
  updateAppointment: [...bookingProblems, 'invalid_status_transition'],
  patchAppointment: [...bookingProblems, 'invalid_status_transition'],
  cancelAppointment: ['invalid_status_transition'],
  // When a replayed request created a client that has been erased since.
  createClient: ['not_found'],
  refundPayment: ['invalid_status_transition'],
  voidPayment: ['invalid_status_transition'],
  deleteClient: ['client_has_upcoming_appointments'],
  unmergeClients: ['merge_not_reversible'],
  testWebhook: ['validation_failed'],
  redeliver: ['validation_failed'],
  listChanges: ['position_expired'],
};

/** Operations that store more than before. */
const storing =
  /^(?:(?:create|update|patch)(?:Appointments?|Client)|create(?:Payment|Webhook)|(?:create|update)(?:Stylist|Service)|updateSalon|(?:create|update)(?:BlockedTime|WaitlistEntry)|refundPayment|voidPayment|(?:un)?mergeClients)$/;

function toProblemCodes(
  operation: string,
  { method, path, action, body, isSafe }: Endpoint,
  { isConditional }: { isConditional: boolean },
): ProblemCode[] {
  const isRestricted = action !== null && roles.some((role) => accessByRole[action][role] !== 'all');
  const when = (condition: boolean, ...codes: ProblemCode[]) => (condition ? codes : []);
  return [
    'invalid_parameter',
    'authentication_required',
    'invalid_token',
    'address_not_allowed',
    'salon_settings_changed',
    ...when(action !== null, 'insufficient_scope'),
    ...when(isRestricted, 'permission_denied'),
    ...when(path.includes(':'), 'not_found'),
    ...when(
      body !== undefined,
      ...(['malformed_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed'] as const),
    ),
    ...when(method === 'POST' && !isSafe, 'idempotency_key_in_use', 'idempotency_key_reused'),
    ...when(isConditional, 'precondition_failed'),
    ...(operationProblems[operation] ?? []),
    ...when(storing.test(operation), 'storage_quota_exceeded'),
    'rate_limited',
    'internal_error',
    'service_unavailable',
    ...when(method !== 'GET' && !isSafe, 'commit_unknown'),
  ];
}

const problemHeaders: Readonly<Partial<Record<ProblemCode, string>>> = {
  rate_limited: 'Retry-After',
  service_unavailable: 'Retry-After',
  idempotency_key_in_use: 'Retry-After',
  authentication_required: 'WWW-Authenticate',
  invalid_token: 'WWW-Authenticate',
  insufficient_scope: 'WWW-Authenticate',
};

/** One response for each status, with the codes it can have. */
function toProblemResponses(codes: readonly ProblemCode[]): Record<string, object> {
  const responses: Record<string, object> = {};
  for (const [status, group] of Map.groupBy(codes, (code) => problems[code].status)) {
    const names = group.flatMap((code) => problemHeaders[code] ?? []);
    const code = { type: 'object', properties: { code: { type: 'string', enum: group } } };
    const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, code] };
    responses[status] = {
      description: `${group.map((name) => problems[name].title).join('; ')}.`,
      ...(names.length === 0 ? {} : { headers: toHeaders(names) }),
      content: { 'application/problem+json': { schema } },
    };
  }
  return responses;
}

/** How requests are authenticated. The OAuth endpoints are those of the service's own metadata (RFC 8414). */
function toSecuritySchemes(origin: string): object {
  const tokenUrl = `${origin}/oauth/token`;
  const flow = { tokenUrl, scopes: scopeTexts };
  return {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' },
    oauth2: {
      type: 'oauth2',
      description: `An access token. The endpoints and flows, the device flow among them, are in ${origin}/.well-known/oauth-authorization-server.`,
      flows: {
        authorizationCode: { authorizationUrl: `${origin}/oauth/authorize`, refreshUrl: tokenUrl, ...flow },
        clientCredentials: flow,
      },
    },
  };
}

/** What an endpoint may be used with: API keys, and access tokens with its scope. Some are not for apps. */
function toSecurity(endpoint: Endpoint): object[] {
  const scope = scopeOf(endpoint);
  if (endpoint.action !== null && scope === null) return [{ apiKey: [] }];
  return [{ apiKey: [] }, { oauth2: scope === null ? [] : [scope] }];
}
