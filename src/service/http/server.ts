import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { apiVersion } from '../../contract/endpoints.ts';
import { bodyLimitBytes } from '../../contract/limits.ts';
import type { AccountLimiter } from '../domain/rate-limit.ts';
import type { AppContext } from './admission.ts';
import { compileBody } from './body.ts';
import { addEntrance } from './entrance.ts';
import { prepareValidation } from './formats.ts';
import { addProblems, sendProblem } from './problem-answers.ts';
import { compileQuery, type QuerySchema } from './query-string.ts';
import { createRequestIds } from './request-id.ts';
import { addRequestLog } from './request-log.ts';
import { addRoutes } from './routes.ts';
import { createSocketErrorAnswer } from './socket-errors.ts';
import { addUnknownPaths } from './unknown-paths.ts';

export interface ServerParts {
  readonly ground: AppContext;
  readonly meter: AccountLimiter;
  /** The origin that callers see; the one listened on when left out. */
  readonly publicUrl?: string | undefined;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly log: { write(line: string): unknown };
  /** Whether the database answers. */
  readonly isReady: () => Promise<boolean>;
}

/** A request has to arrive within these, so that a slow sender holds a connection only so long. */
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 60_000;
const checkEveryMs = 5_000;
const idleTimeoutMs = 65_000;
/** All headers of a request together; Node's own default, stated because answers name it. */
const maxHeaderBytes = 16_384;

/** The service's HTTP server with everything it answers, not yet listening. */
export function createServer(parts: ServerParts): FastifyInstance {
  prepareValidation();
  const { ground, meter, publicUrl, logLevel } = parts;
  const app = fastify({
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkEveryMs,
      maxHeaderSize: maxHeaderBytes,
    },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    forceCloseConnections: 'idle',
    // A request that still comes on an open connection while closing is in flight like any other.
    return503OnClosing: false,
    bodyLimit: bodyLimitBytes,
    genReqId: createRequestIds(ground.environment),
    requestIdHeader: false,
    logger: logLevel === 'silent' ? false : { level: logLevel, stream: parts.log },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    routerOptions: { querystringParser: (text) => ({ text }) },
    frameworkErrors: sendProblem,
    clientErrorHandler: createSocketErrorAnswer(ground.environment),
  });

  app.decorateRequest('caller', null);
  app.removeAllContentTypeParsers();
  // Only bytes are taken in here: Fastify hangs up after whatever a parser throws.
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, bytes: Buffer) => bytes,
  );
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? compileBody(schema) : compileQuery(schema as QuerySchema),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('api-version', apiVersion);
    done();
  });
  if (logLevel !== 'silent') {
    addRequestLog(app);
  }
  addProblems(app, publicUrl);
  addUnknownPaths(app);
  addRoutes(app, ground, meter);
  addEntrance(app, { publicUrl, isReady: parts.isReady });
  return app;
}
