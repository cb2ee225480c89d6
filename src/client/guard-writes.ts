import type { RetryingSender } from './http/retrying-sender.ts';

/** Called before a request that may write; what it throws keeps the request from being sent. */
export type BeforeWrite = (request: {
  readonly method: string;
  readonly path: string;
}) => void | Promise<void>;

/** The same exchange behind a guard that only GET and HEAD pass unasked. */
export function guardWrites(exchange: RetryingSender, beforeWrite: BeforeWrite): RetryingSender {
  return async (outgoing, options) => {
    const { method, path } = outgoing;
    if (method !== 'GET' && method !== 'HEAD') await beforeWrite({ method, path });
    return exchange(outgoing, options);
  };
}
