import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { apiVersion, prefixes } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { bodyLimitBytes } from '../../contract/limits.ts';
import type { AccountLimiter } from '../domain/rate-limit.ts';
import { compileBody, prepareValidation } from '../domain/schema-violations.ts';
import type { Credentials } from '../identity/credentials.ts';
import { createLogOptions } from '../monitoring/log-options.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { AppContext } from './authentication.ts';
import { addConnectionLimits, createBudget, toBudgetOwner } from './connections.ts';
import { addProblems, answerHeaders, createSocketErrorHandler, sendProblem } from './problems.ts';
import { addPublicRoutes, type PublicRouteOptions } from './public-routes.ts';
import { compileQuery, type QuerySchema, type RawQuery } from './query-string.ts';
import {
  addRequestContext,
  addRequestLog,
  addRequestMetrics,
  createRequestIds,
  type RunForRequest,
} from './request-log.ts';
import { addRoutes } from './routes.ts';

export interface ServerOptions extends PublicRouteOptions {
  readonly context: AppContext;
  readonly limiter: AccountLimiter;
  readonly credentials: Credentials;
  /** Proxies whose `X-Forwarded-For` is believed; by default none. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly log: { write(line: string): unknown };
  readonly metrics?: Metrics | undefined;
  /** Runs what belongs to a request, so that its statements can be told apart from others. */
  readonly runForRequest?: RunForRequest | undefined;
}

/** Time limits for receiving a request, so that a slow sender cannot hold a connection open. */
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 60_000;
const checkIntervalMs = 5_000;
const idleTimeoutMs = 65_000;
/** All headers of a request together. This is Node's default; error messages name it. */
const maxHeaderBytes = 16_384;

/** One prefix has routes; the others are read as that one. */
const otherPrefix = new RegExp(`^(?:${prefixes.slice(1).join('|')})(?=/)`);

/** Creates the HTTP server with all API routes. It does not listen yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  prepareValidation();
  const { context, publicUrl, logLevel } = options;
  const { options: logOptions, flush } = createLogOptions();
  const app = fastify({
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
      maxHeaderSize: maxHeaderBytes,
    },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    forceCloseConnections: 'idle',
    // While closing, a request on an open connection is served like any other in flight.
    return503OnClosing: false,
    bodyLimit: bodyLimitBytes,
    trustProxy: options.trustedProxies === undefined ? false : [...options.trustedProxies],
    genReqId: createRequestIds(context.environment),
    requestIdHeader: false,
    logger: logLevel === 'silent' ? false : { ...logOptions, level: logLevel, stream: options.log },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    routerOptions: { querystringParser: (text) => ({ text }) },
    rewriteUrl: ({ url = '' }) => url.replace(otherPrefix, prefixes[0]),
    frameworkErrors: sendProblem,
    clientErrorHandler: createSocketErrorHandler(context.environment),
  });

  // Fastify sets each decoration on every request, so what few requests have is only declared.
  app.decorateRequest('caller', null);
  app.addHook('onClose', async () => flush());
  app.removeAllContentTypeParsers();
  // Bodies are parsed later: Fastify closes the connection when a parser throws.
  app.addContentTypeParser('*', createBodyReader());
  // Compiled for the first request that needs it: a command of the embedded service needs one or two.
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const compile = () => (httpPart === 'body' ? compileBody(schema) : compileQuery(schema as QuerySchema));
    let validate: ReturnType<typeof compile> | undefined;
    return (input: RawQuery) => {
      validate ??= compile();
      return validate(input);
    };
  });
  const hasUnsent = addConnectionLimits(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'api-version': apiVersion, ...answerHeaders });
    done();
  });
  if (logLevel !== 'silent') addRequestLog(app);
  if (options.runForRequest !== undefined) addRequestContext(app, options.runForRequest);
  if (options.metrics !== undefined) addRequestMetrics(app, options.metrics);
  addProblems(app, publicUrl);
  addUnknownPaths(app);
  addRoutes(app, context, { ...options, hasUnsent });
  addPublicRoutes(app, options);
  return app;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Called once the request is over; undefined if it holds no large body. */
    releaseBody?: () => void;
  }
}

type Done = (error: Error | null, body?: Buffer) => void;

/** Every request may send as much without being counted; few need more. */
const freeBytes = 16_384;
/** Eight of the largest bodies of an account at a time. */
const bodyLimits = { maxPerOwner: 8 * 2 ** 20, maxTotal: 128 * 2 ** 20 };
const retryAfterMs = 1_000;

/**
 * Creates the parser that reads a body of any type as bytes. Throws `payload_too_large`, `malformed_json` for one that
 * is cut off, and `service_unavailable` while other bodies of the account take up too much memory.
 */
function createBodyReader(): (request: FastifyRequest, payload: FastifyRequest['raw'], done: Done) => void {
  const budget = createBudget(bodyLimits);

  return (request, payload, done) => {
    const { bodyLimit = bodyLimitBytes } = request.routeOptions;
    const owner = toBudgetOwner(request);
    const declared = request.headers['content-length'];
    const chunks: Buffer[] = [];
    let received = 0;
    let taken = 0;

    const take = (bytes: number): SalonError | undefined => {
      if (bytes > bodyLimit) return tooLarge(bodyLimit);
      if (bytes <= Math.max(taken, freeBytes)) return undefined;
      if (!budget.take(owner, bytes - taken)) return tooMany();
      taken = bytes;
      request.releaseBody = () => budget.give(owner, taken);
      return undefined;
    };
    const finish = (error: Error | null) => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      done(error, error === null ? Buffer.concat(chunks, received) : undefined);
    };
    const onData = (chunk: Buffer) => {
      received += chunk.length;
      const refusal = take(received);
      if (refusal !== undefined) return finish(refusal);
      chunks.push(chunk);
    };
    const onEnd = () => finish(null);
    const onError = () => finish(cutOff());

    const refusal = declared === undefined ? undefined : take(Number(declared));
    if (refusal !== undefined) return done(refusal);
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  };
}

function tooLarge(maxBytes: number): SalonError {
  const limit = maxBytes === bodyLimitBytes ? '1 MiB' : `${maxBytes / 1024} KiB`;
  return new SalonError('payload_too_large', `The body is larger than ${limit}.`);
}

function tooMany(): SalonError {
  const detail = 'Other requests of this account are sending large bodies. Try again in a second.';
  return new SalonError('service_unavailable', detail, { retryable: true, retryAfterMs });
}

function cutOff(): SalonError {
  return new SalonError('malformed_json', 'The body is shorter than its Content-Length.');
}

const versioned = /^\/(?:api\/)?(v\d+)(?:\/|$)/;

/**
 * Handles requests without a route: unknown path, unknown method, unknown version, OPTIONS. Call it before adding
 * routes, because it collects their paths.
 */
function addUnknownPaths(app: FastifyInstance): void {
  const known = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: toPattern(url), methods: new Set<string>() };
    for (const name of [method].flat()) entry.methods.add(name);
    known.set(url, entry);
  });

  // A hook that runs before the body is read, which a not-found handler does not.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const [path = '', routed = ''] = [request.originalUrl, request.url].map((url) => url.split('?', 1)[0]);
    const methods = [...known.values()].find(({ pattern }) => pattern.test(routed))?.methods;
    if (methods === undefined || methods.has(request.method)) return done(toPathError(path));
    reply.header('allow', [...methods, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') return void reply.code(204).send();
    done(new SalonError('method_not_allowed', `${path} does not support ${request.method}.`));
  });
}

function toPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`);
}

function toPathError(path: string): SalonError {
  const version = versioned.exec(path)?.[1];
  return version === undefined || version === 'v1'
    ? new SalonError('not_found', `There is nothing at ${path}.`)
    : new SalonError('unsupported_api_version', `API version ${version} does not exist.`);
}
