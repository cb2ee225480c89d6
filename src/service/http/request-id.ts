import type { IncomingMessage } from 'node:http';
import type { Outside } from '../domain/context.ts';

const idBytes = 16;
const idsPerDraw = 64;
const acceptable = /^[A-Za-z0-9._-]{1,100}$/;

/** A request's own `X-Request-Id` where it is harmless, else a new one. */
export function createRequestIds(outside: Outside): (request: IncomingMessage) => string {
  const draw = createDraw(outside);
  return (request) => {
    const sent = request.headers['x-request-id'];
    return typeof sent === 'string' && acceptable.test(sent) ? sent : draw();
  };
}

export function newRequestId(outside: Outside): string {
  return Buffer.from(outside.random(idBytes)).toString('hex');
}

/** Asking the system for randomness costs the same for many identifiers as for one. */
function createDraw(outside: Outside): () => string {
  let drawn = Buffer.alloc(0);
  let next = 0;
  return () => {
    if (next === drawn.length) {
      drawn = Buffer.from(outside.random(idBytes * idsPerDraw));
      next = 0;
    }
    next += idBytes;
    return drawn.toString('hex', next - idBytes, next);
  };
}
