import type { FastifyReply, FastifyRequest } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import { rateWindowSeconds } from '../../contract/limits.ts';
import { authenticate } from '../domain/accounts/api-keys.ts';
import type { RateMeter, RateState } from '../domain/accounts/rate-meter.ts';
import type { Context, Principal } from '../domain/context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null until the credential has been checked, and on paths that need none. */
    principal: Principal | null;
  }
}

/** What the domain works on; each request adds who asks. */
export type AppContext = Omit<Context, 'principal'>;

/**
 * Makes the check in front of every operation: a good credential, then one request off the account's hour.
 * Every answer after that says how the hour stands, refusals too. What fails the first costs nothing.
 */
export function createAuthentication({ database, environment }: AppContext, meter: RateMeter) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const principal = await authenticate(database, environment, readCredential(request.raw.rawHeaders));
    request.principal = principal;
    const state = await meter.take(principal.account);
    reply.headers(toRateHeaders(state));
    if (!state.allowed) {
      throw new SalonError(
        'rate_limited',
        `The account's ${state.limit} requests of this hour are used up.`,
        {
          retryAfterMs: state.resetSeconds * 1000,
        },
      );
    }
  };
}

/** What an answer says of the hour's requests: the IETF draft's fields, and the older X- fields beside them. */
function toRateHeaders(state: RateState): Record<string, string> {
  const { limit, remaining, resetSeconds, resetAt } = state;
  return {
    'ratelimit-policy': `"hourly";q=${limit};w=${rateWindowSeconds}`,
    ratelimit: `"hourly";r=${remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetAt),
  };
}

const bearer = /^bearer +([^\s]+) *$/i;
const headerName = 'authorization';

/**
 * The key of a request, from Node's raw header list: the joined headers keep only the first of two
 * Authorization headers, and a request that carries two must not pass with either.
 * Throws `authentication_required`.
 */
export function readCredential(rawHeaders: readonly string[]): string {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === headerName.length && name.toLowerCase() === headerName) {
      if (found !== undefined) {
        throw new SalonError(
          'authentication_required',
          'The request carries more than one Authorization header.',
        );
      }
      found = rawHeaders[at + 1] ?? '';
    }
  }
  if (found === undefined) {
    throw new SalonError('authentication_required', 'The request carries no Authorization header.');
  }
  const key = bearer.exec(found)?.[1];
  if (key === undefined) {
    throw new SalonError('authentication_required', 'The Authorization header is not "Bearer <key>".');
  }
  return key;
}
