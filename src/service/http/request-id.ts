import type { IncomingMessage } from 'node:http';
import type { Environment } from '../domain/context.ts';

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
