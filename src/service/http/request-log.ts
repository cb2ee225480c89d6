import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SalonError } from '../../contract/errors.ts';
import type { Caller, Environment } from '../domain/context.ts';
import { toClientAddress } from '../identity/address-ranges.ts';
import type { Metrics } from '../monitoring/metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The number of records in the response; undefined for one without a list. */
    rowCount?: number | undefined;
    /** Why the request failed; undefined if it did not. */
    failure?: SalonError;
  }
}

/** Asked every few seconds by load balancers and monitoring. */
const unlogged: readonly (string | undefined)[] = ['/healthz', '/readyz', '/metrics'];

/** Logs one line per request, without query values, headers and bodies: they may contain secrets or personal data. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (!unlogged.includes(request.routeOptions.url)) {
      const caller = request.caller ?? request.refusedCaller ?? null;
      request.log.info(
        {
          method: request.method,
          path: toLoggedPath(request),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          account: caller?.account.id ?? null,
          ...toLoggedCredential(caller),
          rows: request.rowCount,
          address: toClientAddress(request),
          ...toLoggedFailure(request.failure),
        },
        'request',
      );
    }
    done();
  });
}

/** Runs something as part of a request. */
export type RunForRequest = (requestId: string, act: () => void) => void;

/** Runs every request's work as its own. Reading a body, which the socket does, ends that. */
export function addRequestContext(app: FastifyInstance, run: RunForRequest): void {
  app.addHook('onRequest', ({ id }, _reply, done) => run(id, done));
  app.addHook('preValidation', ({ id, body }, _reply, done) => {
    if (body === undefined) done();
    else run(id, done);
  });
}

/** Counts every request. */
export function addRequestMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', ({ method, routeOptions, failure }, reply, done) => {
    const { statusCode: status, elapsedTime: ms } = reply;
    metrics.countRequest({ method, route: routeOptions.url, status, code: failure?.code, ms });
    done();
  });
}

/** A link that works once has its token in the path, which is as good as a password. */
function toLoggedPath({ originalUrl, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.url?.includes(':token') ? routeOptions.url : originalUrl.split('?', 1)[0];
}

/** IDs, never secrets. */
function toLoggedCredential(caller: Caller | null): object {
  const { credential } = caller ?? {};
  switch (credential?.kind) {
    case 'api_key':
      return { key: credential.id };
    case 'token':
      return { app: credential.app.id, user: credential.user?.id };
    case 'session':
      return { user: credential.user.id };
    default:
      return {};
  }
}

/** Only the messages about credentials contain no data of an account. */
function toLoggedFailure(failure: SalonError | undefined): object {
  if (failure === undefined) return {};
  const { code, status, message } = failure;
  return { code, reason: status === 401 || code === 'address_not_allowed' ? message : undefined };
}

const idBytes = 16;
const safeId = /^[A-Za-z0-9._-]{1,100}$/;

/** Uses the `X-Request-Id` of a request if it is safe to log, otherwise a new ID. */
export function createRequestIds(environment: Environment): (request: IncomingMessage) => string {
  return ({ headers }) => {
    const header = headers['x-request-id'];
    return typeof header === 'string' && safeId.test(header) ? header : createRequestId(environment);
  };
}

export function createRequestId(environment: Environment): string {
  return `req_${Buffer.from(environment.random(idBytes)).toString('hex')}`;
}
