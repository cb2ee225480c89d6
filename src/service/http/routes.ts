import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type BodyOf, endpoints, type Operation, prefixes, type QueryOf } from '../../contract/endpoints.ts';
import { type IdentifierKind, isIdentifier } from '../../contract/identifiers.ts';
import { keysKeptForSeconds } from '../../contract/limits.ts';
import type { Caller } from '../domain/context.ts';
import { createIdempotency, type Idempotency } from '../domain/idempotency.ts';
import type { PageOfRecords } from '../domain/list-page.ts';
import type { AccountLimiter } from '../domain/rate-limit.ts';
import { notFound } from '../domain/records.ts';
import { type AppContext, createAdmission } from './admission.ts';
import { parseJsonBody } from './body.ts';
import { isMatch, toEntityTag } from './entity-tag.ts';
import { type Call, handlers, type ResultOf } from './handlers.ts';
import { readIdempotencyKey, toDigest } from './idempotency-key.ts';
import { parseIfMatch } from './if-match.ts';
import { renderList, toLinkHeader } from './list-answer.ts';
import type { QuerySchema } from './query-string.ts';
import { jsonMediaType, sendRecord } from './record-answer.ts';

const noParameters: QuerySchema = { type: 'object', additionalProperties: false, properties: {} };

/** Serves every endpoint of the contract under both prefixes. */
export function addRoutes(app: FastifyInstance, ground: AppContext, meter: AccountLimiter): void {
  const admit = createAdmission(ground, meter);
  const once = createIdempotency();
  for (const operation of Object.keys(endpoints) as Operation[]) {
    const endpoint: Endpoint = endpoints[operation];
    const { method, path, query, body } = endpoint;
    for (const prefix of prefixes) {
      app.route({
        method,
        url: `${prefix}${path}`,
        onRequest: admit,
        ...(body === undefined ? {} : { preValidation: createBodyReader(endpoint) }),
        schema: { querystring: query ?? noParameters, ...(body === undefined ? {} : { body }) },
        handler: createHandler(operation, ground, once),
      });
    }
  }
}

function createBodyReader({ isBodyOptional }: Endpoint) {
  return async (request: FastifyRequest): Promise<void> => {
    const body = parseJsonBody(request);
    request.body = body === undefined && isBodyOptional ? {} : body;
  };
}

function createHandler<Op extends Operation>(operation: Op, ground: AppContext, once: Idempotency) {
  const handle = handlers[operation];
  const endpoint: Endpoint = endpoints[operation];

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const id = toId(request, endpoint);
    // This operation's own schemas have checked query and body.
    const result: PageOfRecords | object | undefined = await act(request, reply, {
      context: { ...ground, caller: toCaller(request) },
      id,
      query: request.query as QueryOf<Op>,
      body: request.body as BodyOf<Op>,
      ifMatch: parseIfMatch(request.headers['if-match']),
    });
    reply.code(endpoint.success.status);
    if (endpoint === endpoints.getMe) {
      reply.header('salon-idempotency-keys', String(keysKeptForSeconds));
    }
    if (result === undefined) {
      return reply.send();
    }
    return isPage(result)
      ? sendList({ request, reply, path: endpoint.path.replace(':id', id) }, result)
      : sendRecord({ request, reply, endpoint }, result);
  };

  /** Does what is asked; where the request has a key to be known by again, once. */
  async function act(request: FastifyRequest, reply: FastifyReply, call: Call<Op>): Promise<ResultOf<Op>> {
    const key = endpoint.method === 'POST' ? readIdempotencyKey(request) : undefined;
    if (key === undefined) {
      return handle(call);
    }
    // An answer may hold what only one calendar's key, or only the others, may see: a repeat is of the same reach.
    const { stylistId } = call.context.caller;
    const reach = stylistId === null ? [] : [stylistId];
    const repeatable = { key, digest: toDigest([operation, call.id, call.query, call.body, ...reach]) };
    const { result, isReplay } = await once(call.context, repeatable, (context) =>
      handle({ ...call, context }),
    );
    reply.header('idempotent-replayed', String(isReplay));
    return result;
  }
}

function sendList(
  { request, reply, path }: { request: FastifyRequest; reply: FastifyReply; path: string },
  list: PageOfRecords,
): FastifyReply {
  const query = request.query as Record<string, unknown>;
  const { account, stylistId } = toCaller(request);
  reply.header('link', toLinkHeader(path, query, list));
  if (list.version !== undefined) {
    const tag = toEntityTag(list.version, { accountId: account.id, stylistId, query });
    reply.header('etag', tag).header('salon-collection-version', String(list.version));
    if (isMatch(request.headers['if-none-match'], tag)) {
      return reply.code(304).send();
    }
  }
  return reply.header('content-type', jsonMediaType).send(renderList(list));
}

function toCaller({ caller }: FastifyRequest): Caller {
  if (caller === null) {
    throw new Error('The request reached its handler without being admitted.');
  }
  return caller;
}

const resources: Readonly<Record<string, IdentifierKind>> = {
  appointments: 'appointment',
  clients: 'client',
  stylists: 'stylist',
  payments: 'payment',
  webhooks: 'webhook',
  deliveries: 'delivery',
};

/** The identifier in the path. One that cannot be one is not looked up. */
function toId(request: FastifyRequest, { path }: Endpoint): string {
  const { id } = request.params as { id?: string };
  if (id !== undefined && !isIdentifier(id)) {
    throw notFound(resources[path.split('/')[1] ?? ''] ?? 'appointment', id);
  }
  return id ?? '';
}

function isPage(result: object): result is PageOfRecords {
  return 'dataJson' in result;
}
