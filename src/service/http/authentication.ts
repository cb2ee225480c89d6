import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { rateWindowSeconds } from '../../contract/limits.ts';
import { namesSettings, settingsVersionHeader } from '../../contract/salon.ts';
import type { Caller, Context, Environment, RequestSource } from '../domain/context.ts';
import { type AccountLimiter, type RateLimitStatus, toRateLimitError } from '../domain/rate-limit.ts';
import { toSettingsVersion } from '../domain/salon-settings.ts';
import { toClientAddress } from '../identity/address-ranges.ts';
import type { Credentials } from '../identity/credentials.ts';
import type { RequestQueue } from './request-queue.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; null before authentication and on public routes. */
    caller: Caller | null;
    /** Whose credential was refused, for the log; undefined if it was not, or is unknown. */
    refusedCaller?: Caller;
    /** Once it was asked for. */
    source?: RequestSource;
  }
}

/** The context of every operation, before the caller is known. */
export type AppContext = Omit<Context, 'caller' | 'source'>;

/**
 * Creates the authentication of a request, which gives it its place in the queue and counts it against the account's
 * limits. Every response after that carries the rate limit headers and the version of the salon's settings, which the
 * request may name: throws `salon_settings_changed` for another one. A failed authentication is not counted, nor is a
 * request that finds the queue full.
 */
export function createAuthentication(
  credentials: Credentials,
  options: {
    readonly limiter: AccountLimiter;
    readonly queue: RequestQueue;
    readonly environment: Environment;
  },
) {
  const { limiter, queue, environment } = options;
  return async (request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint): Promise<void> => {
    const text = readBearer(request.raw.rawHeaders);
    const caller = await credentials.read(text, toSource(request), (refused) => {
      request.refusedCaller = refused;
    });
    request.caller = caller;
    queue.admit(request, endpoint);
    const status = await limiter.take(caller.account, { asksForUsage: endpoint === endpoints.getKeyUsage });
    if (status.refusedBy === null) credentials.count(caller, 1, status);
    reply.headers(toRateLimitHeaders(status));
    if (!status.allowed) throw toRateLimitError(status);
    const version = toSettingsVersion(caller.account.settings, environment);
    reply.header(settingsVersionHeader, version);
    const { [settingsVersionHeader]: expected = version } = request.headers;
    if (namesSettings(String(expected), version)) return;
    throw new SalonError(
      'salon_settings_changed',
      'The settings of the salon have changed since they were read.',
    );
  };
}

export function toCaller({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('The route has no authentication hook.');
  return caller;
}

export function toSource(request: FastifyRequest): RequestSource {
  request.source ??= { requestId: request.id, address: toClientAddress(request) };
  return request.source;
}

/** The fields of the IETF draft, and the older X- fields. */
export function toRateLimitHeaders(status: RateLimitStatus): Record<string, string> {
  const { limit, remaining, resetSeconds, resetAt } = status;
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
 * Reads the API key or access token from Node's raw header list: the joined headers keep only the first of two Authorization
 * headers, and such a request must be refused. Throws `authentication_required`.
 */
export function readBearer(rawHeaders: readonly string[]): string {
  let authorization: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === headerName.length && name.toLowerCase() === headerName) {
      if (authorization !== undefined) {
        throw unauthenticated('The request has more than one Authorization header.');
      }
      authorization = rawHeaders[at + 1] ?? '';
    }
  }
  if (authorization === undefined) throw unauthenticated('The request has no Authorization header.');
  const text = bearer.exec(authorization)?.[1];
  if (text === undefined) throw unauthenticated('The Authorization header is not "Bearer <key>".');
  return text;
}

function unauthenticated(message: string): SalonError {
  return new SalonError('authentication_required', message);
}
