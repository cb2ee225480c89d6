import type { FastifyRequest } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import { bodyLimitBytes } from '../../contract/limits.ts';
import { createBudget } from './budget.ts';
import { toOwner } from './connections.ts';

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
export function createBodyReader(): (
  request: FastifyRequest,
  payload: FastifyRequest['raw'],
  done: Done,
) => void {
  const budget = createBudget(bodyLimits);

  return (request, payload, done) => {
    const { bodyLimit = bodyLimitBytes } = request.routeOptions;
    const owner = toOwner(request);
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
