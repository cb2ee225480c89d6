import type { FastifyReply, FastifyRequest } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import { rateWindowSeconds } from '../../contract/limits.ts';
import { authenticate } from '../domain/api-keys.ts';
import type { Caller, Context } from '../domain/context.ts';
import type { AccountLimiter, RateLimitStatus } from '../domain/rate-limit.ts';
import { readCredential } from './credential.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null until the credential has been checked, and on paths that need none. */
    caller: Caller | null;
  }
}

/** What the domain works on; each request adds who asks. */
export type AppContext = Omit<Context, 'caller'>;

/**
 * Makes the check in front of every operation: a good credential, then one request off the account's hour.
 * Every answer after that says how the hour stands, refusals too. What fails the first costs nothing.
 */
export function createAdmission({ database, environment }: AppContext, meter: AccountLimiter) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await authenticate(database, environment, readCredential(request.raw.rawHeaders));
    request.caller = caller;
    const state = await meter.take(caller.account);
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
function toRateHeaders(state: RateLimitStatus): Record<string, string> {
  const { limit, remaining, resetSeconds, resetAt } = state;
  return {
    'ratelimit-policy': `"hourly";q=${limit};w=${rateWindowSeconds}`,
    ratelimit: `"hourly";r=${remaining};t=${resetSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetAt),
  };
}
