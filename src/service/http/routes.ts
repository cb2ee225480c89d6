import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { maxBookings } from '../../contract/appointment.ts';
import type { PlannedWrite } from '../../contract/dry-run.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type BodyOf, endpoints, type Operation, prefixes, type QueryOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { type Salon, settingsVersionHeader } from '../../contract/salon.ts';
import { authorize, mayUse } from '../domain/authorization.ts';
import type { Context } from '../domain/context.ts';
import { createIdempotency, type Idempotency } from '../domain/idempotency.ts';
import { idempotencyKeySeconds } from '../domain/limits.ts';
import type { PageOfRecords } from '../domain/list-page.ts';
import { type ListBatch, openListStream } from '../domain/list-stream.ts';
import type { AccountLimiter } from '../domain/rate-limit.ts';
import { notFound } from '../domain/records.ts';
import { toSettingsVersion } from '../domain/salon-settings.ts';
import { invalidParameter } from '../domain/validation.ts';
import type { Credentials } from '../identity/credentials.ts';
import { createExportNotes, type ExportNotes, noteRefusal, toRecordKind } from './audit-notes.ts';
import { type AppContext, createAuthentication, toCaller, toSource } from './authentication.ts';
import { createChangeHandler } from './change-feed.ts';
import { createBudget, type UnsentCheck } from './connections.ts';
import { createDryRunner, dryRunHeader } from './dry-run.ts';
import { handlers, type OperationRequest, type OperationResult, streamedLists } from './handlers.ts';
import { toProblemResponse, toProblemSource } from './problems.ts';
import { noFields } from './query-string.ts';
import { createRequestQueue, type RequestQueue } from './request-queue.ts';
import {
  chargeRequests,
  parseIfMatch,
  type StreamOptions,
  sendList,
  sendRecord,
  sendStream,
  streamLimits,
  wantsLines,
} from './responses.ts';

/** How long a whole list waits for a client that reads nothing of it. */
const streamStallMs = 10_000;

interface RouteOptions {
  readonly credentials: Credentials;
  readonly limiter: AccountLimiter;
  readonly hasUnsent: UnsentCheck;
}

/** Adds a route for every endpoint of the contract, under the first prefix. */
export function addRoutes(
  app: FastifyInstance,
  context: AppContext,
  { credentials, limiter, hasUnsent }: RouteOptions,
): void {
  const queue = createRequestQueue(app.log, hasUnsent);
  const authenticate = createAuthentication(credentials, {
    limiter,
    queue,
    environment: context.environment,
  });
  const idempotency = createIdempotency();
  const noteExport = createExportNotes();
  const streaming = { limiter, credentials, slots: createBudget(streamLimits), stallMs: streamStallMs };
  for (const operation of Object.keys(endpoints) as Operation[]) {
    const endpoint: Endpoint = endpoints[operation];
    const { method, path, query, body = method === 'POST' ? noFields : undefined } = endpoint;
    app.route({
      method,
      url: `${prefixes[0]}${path}`,
      onRequest: [
        (request, reply) => authenticate(request, reply, endpoint),
        (request, reply, done) => {
          if (!mayUse(toCaller(request), operation)) refuse(request, operation, context).catch(done);
          else if (method === 'GET') queue.start(request, reply, done);
          else done();
        },
      ],
      ...(method === 'GET' ? {} : { preValidation: toBodyHooks(endpoint, queue) }),
      schema: { querystring: query ?? noFields, ...(body === undefined ? {} : { body }) },
      handler: createHandler(operation),
    });
  }

  function createHandler(operation: Operation) {
    if (operation === 'checkWrites') return createDryRunHandler(context);
    if (operation === 'listChanges')
      return createChangeHandler(app, context, { credentials, noteExport, streaming });
    return createRouteHandler(operation, context, { idempotency, noteExport, streaming });
  }
}

/** Before the body is read and validated: what it contains is nothing to a caller without the right. */
async function refuse(request: FastifyRequest, operation: Operation, context: AppContext): Promise<void> {
  const caller = toCaller(request);
  try {
    authorize(caller, operation);
  } catch (error) {
    const { id = '' } = request.params as { id?: string };
    const inside = { ...context, caller, source: toSource(request) };
    await noteRefusal({ request, context: inside, operation, id }, error);
    throw error;
  }
}

/** A request runs once its body has arrived, so that slow senders delay no others. */
function toBodyHooks(
  { method, body: schema, isBodyOptional = schema === undefined }: Endpoint,
  { start }: RequestQueue,
) {
  if (schema === undefined && method !== 'POST') return start;
  const parse = async (request: FastifyRequest): Promise<void> => {
    const body = parseJsonBody(request);
    request.body = body === undefined && isBodyOptional ? {} : body;
  };
  return [start, parse];
}

function createDryRunHandler(context: AppContext) {
  const run = createDryRunner();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The operation's schema has validated the body.
    const { writes } = request.body as BodyOf<'checkWrites'>;
    const inside = { ...context, caller: toCaller(request), source: toSource(request) };
    const results = await run(request, inside, writes as readonly PlannedWrite[]);
    reply.headers(dryRunHeader);
    return sendRecord({ request, reply, endpoint: endpoints.checkWrites }, results);
  };
}

function createRouteHandler<Op extends Exclude<Operation, 'checkWrites'>>(
  operation: Op,
  context: AppContext,
  tools: { idempotency: Idempotency; noteExport: ExportNotes; streaming: StreamOptions },
) {
  const { idempotency, noteExport, streaming } = tools;
  const { credentials } = streaming;
  const handle = handlers[operation];
  const endpoint: Endpoint = endpoints[operation];
  const findList = streamedLists[operation];

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const id = toId(request, endpoint);
    if (endpoint.secret !== undefined) reply.header('cache-control', 'no-store');
    // The operation's schemas have validated query and body.
    const inside = { ...context, caller: toCaller(request), source: toSource(request) };
    const operationRequest: OperationRequest<Op> = {
      context: inside,
      id,
      query: request.query as QueryOf<Op>,
      body: request.body as BodyOf<Op>,
      ifMatch: parseIfMatch(request.headers['if-match']),
      toProblem: (error) => toProblemResponse(error, toProblemSource(request)).problem,
    };
    let result: PageOfRecords | object | undefined;
    const extra = countExtra(endpoint, request.body);
    const refund =
      extra > 0 ? await chargeRequests({ request, reply }, { what: 'batch', extra }, streaming) : undefined;
    try {
      if (endpoint === endpoints.getKeyUsage) await credentials.save();
      if (findList !== undefined) {
        reply.header('vary', 'Accept, Prefer');
        if (wantsLines(request)) return await sendLines(findList, { request, reply, context: inside });
      }
      const key = endpoint.method === 'POST' ? readIdempotencyKey(request) : undefined;
      result = await (key === undefined
        ? handle(operationRequest)
        : executeOnce(reply, key, operationRequest));
    } catch (error) {
      if (error instanceof SalonError && uncounted.includes(error.code)) refund?.(extra);
      await noteRefusal({ request, context: inside, operation, id }, error);
      throw error;
    }
    reply.code(endpoint.success.status);
    if (endpoint === endpoints.getMe) {
      reply
        .header('salon-idempotency-keys', String(idempotencyKeySeconds))
        .headers(dryRunHeader)
        .header('salon-batch', String(maxBookings));
    }
    if (endpoint === endpoints.updateSalon && result !== undefined) {
      reply.header(settingsVersionHeader, toSettingsVersion(result as Salon, context.environment));
    }
    if (result === undefined) return reply.send();
    if (!('dataJson' in result)) return sendRecord({ request, reply, endpoint }, result);
    request.rowCount = result.count;
    await noteExport({ request, context: inside, path: endpoint.path }, result);
    return sendList({ request, reply, path: endpoint.path.replace(':id', id) }, result);
  };

  function sendLines(
    find: NonNullable<typeof findList>,
    { request, reply, context: inside }: { request: FastifyRequest; reply: FastifyReply; context: Context },
  ): Promise<FastifyReply> {
    const list = { request, context: inside, path: endpoint.path };
    const open = async () => openListStream(inside, await find(inside, request.query as object));
    const onBatch = (batch: ListBatch) => {
      request.rowCount = (request.rowCount ?? 0) + batch.count;
      return noteExport(list, batch);
    };
    return sendStream({ request, reply, open, onBatch }, streaming);
  }

  /** Runs the operation, or replays the result of the first request with this key. */
  async function executeOnce(
    reply: FastifyReply,
    key: string,
    operationRequest: OperationRequest<Op>,
  ): Promise<OperationResult<Op>> {
    // A response may contain what a key limited to one calendar must not see, so that limit is part of the request.
    const { id, query, body } = operationRequest;
    const { stylistId, credential } = operationRequest.context.caller;
    const calendar = stylistId === null ? [] : [stylistId];
    // A secret is shown again only to the one who got it.
    const isSecret = endpoint.secret !== undefined;
    const holder = isSecret && 'id' in credential ? [credential.id] : [];
    const digest = hash('sha256', JSON.stringify([operation, id, query, body, ...calendar, ...holder]));
    const act = (context: Context) => handle({ ...operationRequest, context });
    const once = { key, digest, isSecret };
    const { result, isReplay } = await idempotency(operationRequest.context, once, act);
    reply.header('idempotent-replayed', String(isReplay));
    return result;
  }
}

/** Errors of a request that was refused before it cost more than others. */
const uncounted: readonly string[] = [
  ...['permission_denied', 'idempotency_key_in_use', 'idempotency_key_reused'],
];

/** How many requests a request counts as, besides one. */
function countExtra({ countedBy }: Endpoint, body: unknown): number {
  const entries = countedBy && (body as Readonly<Record<string, readonly unknown[]>>)[countedBy];
  return entries ? entries.length - 1 : 0;
}

const visibleAscii = /^[!-~]{1,255}$/;

/** The `Idempotency-Key` header; undefined if there is none. Throws `invalid_parameter`. */
function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || (typeof key === 'string' && visibleAscii.test(key))) return key;
  throw invalidParameter('Idempotency-Key', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
}

/** The ID in the path, or '' for a path without one. Throws `not_found` for a text that cannot be an ID. */
function toId(request: FastifyRequest, { path }: Endpoint): string {
  const { id } = request.params as { id?: string };
  if (id !== undefined && !isIdentifier(id)) throw notFound(toRecordKind(path), id);
  return id ?? '';
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const json = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i;

/**
 * Parses the bytes in `request.body` as JSON. No bytes mean no body, also with other headers.
 * Throws `unsupported_media_type`, and `malformed_json` with the position.
 */
function parseJsonBody(request: FastifyRequest): unknown {
  const bytes = request.body;
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) return undefined;
  const { 'content-type': mediaType, 'content-encoding': encoding } = request.headers;
  if (encoding !== undefined) {
    const detail = `The body is encoded with ${encoding}. Send it without an encoding.`;
    throw new SalonError('unsupported_media_type', detail);
  }
  if (mediaType === undefined || !json.test(mediaType)) {
    const actual = mediaType === undefined ? 'but has no Content-Type' : `not ${mediaType}`;
    const detail = `The body must be application/json in UTF-8, ${actual}.`;
    throw new SalonError('unsupported_media_type', detail);
  }
  return parseJson(bytes);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'The body is not UTF-8';
    throw new SalonError('malformed_json', `${reason}.`, { cause: error });
  }
}
