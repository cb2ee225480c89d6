import { SalonError } from '../../contract/errors.ts';
import type { DialectDetector } from '../dialect/dialect.ts';
import type { RetryingSender } from './retrying-sender.ts';
import type { ApiRequest } from './send.ts';

export interface IdempotentSenderOptions {
  readonly dialect: DialectDetector;
  /** A read whose response says whether the server honours idempotency keys. */
  readonly toQuestion: () => ApiRequest;
}

/**
 * Asks, when the result of a POST is unknown, whether the server honours idempotency keys, and repeats the POST if it
 * does. A command that sends a single POST does not know it before.
 */
export function createIdempotentSender(
  send: RetryingSender,
  { dialect, toQuestion }: IdempotentSenderOptions,
): RetryingSender {
  let hasAsked = false;
  return async (request, options) => {
    try {
      return await send(request, options);
    } catch (thrown) {
      if (request.method !== 'POST' || options.honoursKeys || !isWorthAsking(thrown)) throw thrown;
      if (!dialect.current().idempotencyKeys && !hasAsked) {
        hasAsked = true;
        await send(toQuestion(), options).catch(() => {});
      }
      if (!dialect.current().idempotencyKeys) throw thrown;
      return await send(request, { ...options, honoursKeys: true });
    }
  };
}

/** A server that did not respond in time would not answer the question either. */
function isWorthAsking(thrown: unknown): boolean {
  if (!(thrown instanceof SalonError) || thrown.members['in_doubt'] !== true) return false;
  const cause = thrown.cause instanceof SalonError ? thrown.cause.code : undefined;
  return thrown.code !== 'interrupted' && (cause !== 'timeout' || thrown.status !== undefined);
}
