import type { Endpoint } from '../../contract/endpoint.ts';
import { SalonError } from '../../contract/errors.ts';
import { readHeader } from '../headers.ts';
import type { EndpointOptions } from '../http/api-requester.ts';
import type { ApiResponse } from '../http/decode.ts';
import type { ApiContext } from '../pagination/page-requests.ts';

/** Calls an endpoint for a record that must still have an entity tag. Throws `precondition_failed` otherwise. */
export type GuardedCall = (
  endpoint: Endpoint,
  options: EndpointOptions & { readonly id: string },
  ifMatch: string | undefined,
) => Promise<ApiResponse>;

/**
 * A proxy that compresses makes a tag weak or adds a suffix, so the tag is sent as the server gave it out. Where that is
 * rejected although the record still has the tag, the server's own tags are weak and never match (RFC 9110, 13.1.1):
 * the tag is compared here, just before the write, with a warning.
 */
export function createGuardedCall(read: Endpoint, { api, observe }: ApiContext): GuardedCall {
  let tagsNeverMatch = false;

  return async (endpoint, options, ifMatch) => {
    const original = ifMatch === undefined ? undefined : toOriginalTag(ifMatch);
    if (original === ifMatch) return call(original);
    if (!tagsNeverMatch) {
      try {
        return await call(original);
      } catch (thrown) {
        if (!isPreconditionFailed(thrown) || (await readTag()) !== ifMatch) throw thrown;
        tagsNeverMatch = true;
        observe({ type: 'warning', message: weakTagsWarning });
      }
    } else if ((await readTag()) !== ifMatch) {
      throw new SalonError('precondition_failed', 'The record has changed since it was read.');
    }
    return call(undefined);

    function call(tag: string | undefined): Promise<ApiResponse> {
      const headers = tag === undefined ? options.headers : { ...options.headers, 'if-match': tag };
      return api.endpoint(endpoint, { ...options, headers });
    }

    async function readTag(): Promise<string | undefined> {
      // A cache could return the record as it was.
      const fresh = { id: options.id, headers: { 'cache-control': 'no-cache' } };
      return readHeader((await api.endpoint(read, fresh)).headers, 'etag');
    }
  };
}

const weakTagsWarning =
  'This server has weak entity tags only: a change that someone else makes at the same moment cannot be detected.';

/** The tag as it was before nginx (`W/"x"`) or Apache and Caddy (`"x-gzip"`) compressed the response. */
export function toOriginalTag(tag: string): string {
  return tag.replace(/^W\//, '').replace(/-(?:gzip|br|zstd|deflate)"$/, '"');
}

function isPreconditionFailed(thrown: unknown): boolean {
  return thrown instanceof SalonError && thrown.code === 'precondition_failed';
}
