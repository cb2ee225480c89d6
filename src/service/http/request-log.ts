import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Environment } from '../domain/context.ts';

/** Logs one line per request, without query values, headers and bodies: they may contain secrets or personal data. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: toLoggedPath(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        account: request.caller?.account.id ?? null,
      },
      'request',
    );
    done();
  });
}

/** A link that works once has its token in the path, which is as good as a password. */
function toLoggedPath({ url, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.url?.includes(':token') ? routeOptions.url : url.split('?', 1)[0];
}

const idBytes = 16;
const batchBytes = 256 * idBytes;
const safeId = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * Uses the `X-Request-Id` of a request if it is safe to log, otherwise a new ID. Random bytes are drawn in batches: one
 * call costs as much as many bytes.
 */
export function createRequestIds(environment: Environment): (request: IncomingMessage) => string {
  let drawn = Buffer.alloc(0);
  let next = 0;
  return (request) => {
    const header = request.headers['x-request-id'];
    if (typeof header === 'string' && safeId.test(header)) return header;
    if (next >= drawn.length) {
      drawn = Buffer.from(environment.random(batchBytes));
      next = 0;
    }
    next += idBytes;
    return drawn.toString('hex', next - idBytes, next);
  };
}

export function createRequestId(environment: Environment): string {
  return Buffer.from(environment.random(idBytes)).toString('hex');
}
