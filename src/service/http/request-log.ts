import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../domain/context.ts';

/** One line for each request. Query values, headers and bodies may hold secrets or personal data and stay out. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        account: request.caller?.account.id ?? null,
      },
      'request',
    );
    done();
  });
}

const idBytes = 16;
const acceptable = /^[A-Za-z0-9._-]{1,100}$/;

/** A request's own `X-Request-Id` where it is harmless, else a new one. */
export function createRequestIds(environment: Environment): (request: IncomingMessage) => string {
  return (request) => {
    const sent = request.headers['x-request-id'];
    return typeof sent === 'string' && acceptable.test(sent) ? sent : newRequestId(environment);
  };
}

export function newRequestId(environment: Environment): string {
  return Buffer.from(environment.random(idBytes)).toString('hex');
}
