import type { FastifyReply, FastifyRequest } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import { rateWindowSeconds } from '../../contract/limits.ts';
import { authenticate } from '../domain/api-keys.ts';
import type { Caller, Context, Source } from '../domain/context.ts';
import type { AccountLimiter, RateLimitStatus } from '../domain/rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; null before authentication and on public routes. */
    caller: Caller | null;
  }
}

/** The context of every operation, before the caller is known. */
export type AppContext = Omit<Context, 'caller' | 'source'>;

/**
 * Creates the hook that authenticates a request and counts it against the account's hourly limit. Every response
 * after that carries the rate limit headers. A failed authentication is not counted.
 */
export function createAuthentication({ database, environment }: AppContext, limiter: AccountLimiter) {
  const readCaller = createCallerReader({ database, environment });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await readCaller(readApiKey(request.raw.rawHeaders));
    request.caller = caller;
    const status = await limiter.take(caller.account);
    reply.headers(toRateLimitHeaders(status));
    if (!status.allowed) {
      throw new SalonError(
        'rate_limited',
        `The account has used all of its ${status.limit} requests for this hour.`,
        { retryAfterMs: status.resetSeconds * 1000 },
      );
    }
  };
}

/** Callers kept at most. */
const maxCallers = 1000;

/** Keeps callers until any process writes to the database, so that a revoked key is refused at once. */
function createCallerReader({
  database,
  environment,
}: Pick<AppContext, 'database' | 'environment'>): (key: string) => Promise<Caller> {
  const callers = new Map<string, Caller>();
  let version: number | undefined;
  return async (key) => {
    const current = database.readDataVersion();
    if (current !== version || callers.size >= maxCallers) {
      callers.clear();
      version = current;
    }
    const known = callers.get(key);
    if (known !== undefined && !isExpired(known, environment.now())) return known;
    const caller = await authenticate(database, environment, key);
    // A commit during the read may have changed the key.
    if (database.readDataVersion() === current) callers.set(key, caller);
    return caller;
  };
}

function isExpired({ credential }: Caller, now: Date): boolean {
  const expiresAt = 'expiresAt' in credential ? credential.expiresAt : null;
  return expiresAt !== null && expiresAt <= now;
}

export function toCaller({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('The route has no authentication hook.');
  return caller;
}

export function toSource({ id, ip }: FastifyRequest): Source {
  return { requestId: id, address: ip };
}

/** The fields of the IETF draft, and the older X- fields. */
function toRateLimitHeaders(status: RateLimitStatus): Record<string, string> {
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
 * Reads the API key from Node's raw header list: the joined headers keep only the first of two Authorization
 * headers, and such a request must be refused. Throws `authentication_required`.
 */
function readApiKey(rawHeaders: readonly string[]): string {
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
  const key = bearer.exec(authorization)?.[1];
  if (key === undefined) throw unauthenticated('The Authorization header is not "Bearer <key>".');
  return key;
}

function unauthenticated(message: string): SalonError {
  return new SalonError('authentication_required', message);
}
