import type { Endpoint } from '../../contract/endpoint.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { problemCodeOf } from './decode-error.ts';
import type { RawResponse } from './send.ts';

/** A 404 that our service did not send. */
export function isForeign404(raw: RawResponse): boolean {
  return raw.status === 404 && problemCodeOf(raw) !== 'not_found';
}

/** Whether a response says that there is no such endpoint. */
export function isMissing(raw: RawResponse): boolean {
  return isForeign404(raw) || raw.status === 405 || raw.status === 501;
}

export function notSupported({ method, path }: Endpoint, { status }: RawResponse): SalonError {
  return new SalonError('not_supported', `This server does not support ${method} ${path}.`, {
    status,
    hint: 'Use the server\'s own tools, or "salon api" if the server has another path for it.',
  });
}

/** A path without an ID was not found: nothing is wrong with an ID. */
export function withoutIdHint(thrown: unknown): unknown {
  if (!(thrown instanceof SalonError) || thrown.code !== 'not_found') return thrown;
  return withContext(thrown, { hint: 'Check the base URL: the server has nothing at this path.' });
}
