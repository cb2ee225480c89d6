import fastify, { type FastifyInstance, LogController } from 'fastify';
import { apiVersion } from '../../contract/endpoints.ts';
import { bodyLimitBytes } from '../../contract/limits.ts';
import type { AccountLimiter } from '../domain/rate-limit.ts';
import type { Credentials } from '../identity/credentials.ts';
import { createLogOptions } from '../monitoring/log-options.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { AppContext } from './authentication.ts';
import { addConnectionLimits } from './connections.ts';
import { addProblems, answerHeaders, sendProblem } from './problems.ts';
import { addPublicRoutes, type PublicRouteOptions } from './public-routes.ts';
import { compileQuery, type QuerySchema } from './query-string.ts';
import { createBodyReader } from './read-body.ts';
import { compileBody } from './request-body.ts';
import {
  addRequestContext,
  addRequestLog,
  addRequestMetrics,
  createRequestIds,
  type RunForRequest,
} from './request-log.ts';
import { addRoutes } from './routes.ts';
import { createSocketErrorHandler } from './socket-errors.ts';
import { addUnknownPaths } from './unknown-paths.ts';
import { prepareValidation } from './validation-errors.ts';

export interface ServerOptions extends PublicRouteOptions {
  readonly context: AppContext;
  readonly limiter: AccountLimiter;
  readonly credentials: Credentials;
  /** Proxies whose `X-Forwarded-For` is believed; by default none. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly log: { write(line: string): unknown };
  readonly metrics?: Metrics | undefined;
  /** Runs what belongs to a request, so that its statements can be told from others. */
  readonly runForRequest?: RunForRequest | undefined;
}

/** Time limits for receiving a request, so that a slow sender cannot hold a connection open. */
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 60_000;
const checkIntervalMs = 5_000;
const idleTimeoutMs = 65_000;
/** All headers of a request together. This is Node's default; error messages name it. */
const maxHeaderBytes = 16_384;

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
    frameworkErrors: sendProblem,
    clientErrorHandler: createSocketErrorHandler(context.environment),
  });

  // Fastify sets each decoration on every request, so what few requests have is only declared.
  app.decorateRequest('caller', null);
  app.addHook('onClose', async () => flush());
  app.removeAllContentTypeParsers();
  // Bodies are parsed later: Fastify closes the connection when a parser throws.
  app.addContentTypeParser('*', createBodyReader());
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? compileBody(schema) : compileQuery(schema as QuerySchema),
  );
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
