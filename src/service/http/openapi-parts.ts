import type { Endpoint } from '../../contract/endpoint.ts';
import { type ProblemCode, problems } from '../../contract/errors.ts';
import { event } from '../../contract/events.ts';
import type { QuerySchema } from './query-string.ts';

/** Headers of every answer behind a credential. */
export const answerHeaders = {
  'X-Request-Id': { description: 'Names this request in reports.', schema: { type: 'string' } },
  'API-Version': { description: 'The version that answered.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'How many requests an hour has.', schema: { type: 'string' } },
  RateLimit: { description: 'How many are left, and for how many seconds.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'How many requests an hour has.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'How many are left.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'When the hour ends, in Unix seconds.', schema: { type: 'integer' } },
} as const;

/** Further headers of a page of a list whose versions are counted. */
export const versionHeaders = {
  'Salon-Collection-Version': {
    description: 'Raised by every write to the collection: equal on two pages, nothing lay between them.',
    schema: { type: 'integer' },
  },
} as const;

/** A further header of a page of any list. */
export const linkHeaders = {
  Link: { description: 'The pages first, prev, next and last (RFC 8288).', schema: { type: 'string' } },
} as const;

/** A further header of what can be known already. */
export const tagHeaders = {
  ETag: {
    description: 'Names what was answered: a page by its bytes, a record by its updated_at.',
    schema: { type: 'string' },
  },
} as const;

/** A further header of an answer to a request with an Idempotency-Key. */
export const repeatHeaders = {
  'Idempotent-Replayed': {
    description: 'Whether this was done before, and is only answered again; left out where no key was sent.',
    schema: { type: 'boolean' },
  },
} as const;

/** A further header of what is known of the credential. */
export const keyHeaders = {
  'Salon-Idempotency-Keys': {
    description: 'For how many seconds a POST with an Idempotency-Key can be repeated.',
    schema: { type: 'integer' },
  },
} as const;

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } };
const saysWhen = new Set<ProblemCode>(['rate_limited', 'service_unavailable', 'idempotency_key_in_use']);
const challenge = {
  'WWW-Authenticate': { description: 'How to sign in (RFC 6750).', schema: { type: 'string' } },
};

/** An answer for each status that the codes have, with the codes it can carry. */
export function toProblemAnswers(codes: readonly ProblemCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries([...byStatus].map(([status, group]) => [String(status), toAnswer(group)]));
}

function toAnswer(codes: readonly ProblemCode[]): object {
  const headers = {
    ...(codes.some((code) => saysWhen.has(code)) ? retryAfter : {}),
    ...(codes.some((code) => code === 'authentication_required' || code === 'insufficient_scope')
      ? challenge
      : {}),
  };
  return {
    description: `${codes.map((code) => problems[code].title).join('; ')}.`,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
      },
    },
  };
}

const violation = {
  type: 'object',
  required: ['code', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'The place in the body (RFC 6901).' },
    parameter: { type: 'string', description: 'The query parameter.' },
    code: { type: 'string' },
    detail: { type: 'string' },
  },
} as const;

const problem = {
  title: 'Problem',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'A page that explains the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(problems) },
    request_id: { type: 'string' },
    errors: { type: 'array', items: violation },
  },
} as const;

/** The schemas of bodies, answers and events that have a title, by title, and the one of problems. */
export function collectSchemas(table: Readonly<Record<string, Endpoint>>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const { body, success } of Object.values(table)) {
    collect(body, found);
    collect(success.body, found);
  }
  collect(event.oneOf, found);
  return { ...found, Problem: problem };
}

/** A schema with a reference wherever a titled one stands. */
export function toReferences(schema: unknown): unknown {
  return isTitled(schema) ? { $ref: `#/components/schemas/${schema.title}` } : toReferencesWithin(schema);
}

function collect(schema: unknown, found: Record<string, unknown>): void {
  if (typeof schema !== 'object' || schema === null) {
    return;
  }
  if (isTitled(schema)) {
    found[schema.title] = toReferencesWithin(schema);
  }
  for (const part of Object.values(schema)) {
    collect(part, found);
  }
}

function toReferencesWithin(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(toReferences);
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, toReferences(part)]));
}

// A property may be called title too; then it is a schema, not a text.
function isTitled(schema: unknown): schema is { title: string } {
  return (
    typeof schema === 'object' && schema !== null && 'title' in schema && typeof schema.title === 'string'
  );
}

/** What a request may say beside its body: in the path, the query and the headers. */
export function toParameters(endpoint: Endpoint): object[] {
  const { path, query } = endpoint;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const properties = (query as QuerySchema | undefined)?.properties ?? {};
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
  return [...inPath, ...inQuery, ...toHeaderParameters(endpoint)];
}

/** Whether what is answered has a tag by which a caller can ask for it only if it changed. */
export function isCacheable(endpoint: Endpoint): boolean {
  return isVersioned(endpoint) || (endpoint.method === 'GET' && endpoint.isTagged === true);
}

/** Whether the operation can be bound to the record as the caller knows it. */
export function isConditional({ method, path, isTagged }: Endpoint): boolean {
  return isTagged === true && method !== 'GET' && path.includes(':');
}

export function isList({ query, success }: Endpoint): boolean {
  return query !== undefined && success.body !== undefined;
}

/** Whether a page says which version of its list it is of. */
export function isVersioned(endpoint: Endpoint): boolean {
  return isList(endpoint) && endpoint.isUnversioned !== true;
}

function toHeaderParameters(endpoint: Endpoint): object[] {
  return [
    ...(isCacheable(endpoint) ? [ifNoneMatch] : []),
    ...(isConditional(endpoint) ? [ifMatch] : []),
    ...(endpoint.method === 'POST' ? [idempotencyKey] : []),
  ];
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of what is at hand already.',
  schema: { type: 'string' },
};

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description:
    'Tags, or *: go on only if the record has one of them. Its tag is its updated_at in double quotes, so a list tells it too.',
  schema: { type: 'string' },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names this request among its repeats: for 24 hours the same request with the same key is carried out once, and answered each time as it was then.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
