import type { Endpoint } from '../../contract/endpoint.ts';
import type { QuerySchema } from './query-string.ts';

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
