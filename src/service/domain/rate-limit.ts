import { SalonError } from '../../contract/errors.ts';
import { rateWindowSeconds } from '../../contract/limits.ts';
import type { Database } from '../db/database.ts';
import type { Environment } from './context.ts';
import { type LeaseOptions, openRateLeases } from './rate-leases.ts';

/** An account's hourly limit after a request. */
export interface RateLimitStatus {
  readonly allowed: boolean;
  /** Which limit has refused the request. */
  readonly refusedBy: 'hour' | 'burst' | null;
  readonly limit: number;
  /** Requests left, as far as this process knows; without what other processes hold. */
  readonly remaining: number;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  /** When the window ends, in Unix seconds. */
  readonly resetAt: number;
}

type LimitedAccount = { readonly id: string; readonly hourlyLimit: number };

/** Enforces the limits of accounts: the hourly one together with all other processes on the database. */
export interface AccountLimiter {
  /** Counts one request, unless a limit is reached; at once where the database need not be asked. */
  take(account: LimitedAccount): RateLimitStatus | Promise<RateLimitStatus>;
  /** Counts as many requests of the hour as a costly one is worth, in addition to itself; all or none. */
  charge(account: LimitedAccount, count: number): Promise<RateLimitStatus>;
  /** Returns requests that were charged, with what the charge gave, and not used. */
  refund(account: LimitedAccount, count: number, charged: RateLimitStatus): void;
  /** Returns granted requests that were not used. */
  close(): Promise<void>;
}

/** Opens the limiter. */
export function openAccountLimiter(
  database: Pick<Database, 'reader' | 'transaction'>,
  environment: Environment,
  options: LeaseOptions = {},
): AccountLimiter {
  const { uptimeMs = () => performance.now() } = options;
  const leases = openRateLeases(database, options);
  const isWithinBurst = createBurstLimit(uptimeMs);

  function spend({ id, hourlyLimit }: LimitedAccount, count: number) {
    const window = toWindow(environment.now());
    const spent = leases.spend({ accountId: id, ...window }, { count, limit: hourlyLimit });
    const answer = ({ allowed, used }: Awaited<typeof spent>) =>
      toStatus(window, { used, hourlyLimit, refusedBy: allowed ? null : 'hour' });
    return 'allowed' in spent ? answer(spent) : spent.then(answer);
  }

  return {
    take: (account) => {
      const { id, hourlyLimit } = account;
      const window = toWindow(environment.now());
      if (isWithinBurst(id, hourlyLimit)) return spend(account, 1);
      const used = leases.readUsed({ accountId: id, start: window.start });
      return toStatus(window, { used, hourlyLimit, refusedBy: 'burst' });
    },
    charge: async (account, count) => spend(account, count),
    refund: ({ id }, count, { resetAt }) =>
      leases.refund({ accountId: id, start: resetAt - rateWindowSeconds }, count),
    close: leases.close,
  };
}

interface Window {
  readonly start: number;
  readonly secondsLeft: number;
}

function toWindow(now: Date): Window {
  const nowSeconds = now.getTime() / 1000;
  const start = Math.floor(nowSeconds / rateWindowSeconds) * rateWindowSeconds;
  return { start, secondsLeft: start + rateWindowSeconds - nowSeconds };
}

function toStatus(
  { start, secondsLeft }: Window,
  {
    used,
    hourlyLimit,
    refusedBy,
  }: { used: number; hourlyLimit: number; refusedBy: RateLimitStatus['refusedBy'] },
): RateLimitStatus {
  return {
    allowed: refusedBy === null,
    refusedBy,
    limit: hourlyLimit,
    remaining: Math.max(0, hourlyLimit - used),
    resetSeconds: Math.max(1, Math.ceil(secondsLeft)),
    resetAt: start + rateWindowSeconds,
  };
}

/** The error for a request that a limit has refused. */
export function toRateLimitError({ refusedBy, limit, resetSeconds }: RateLimitStatus): SalonError {
  return refusedBy === 'burst'
    ? new SalonError(
        'rate_limited',
        `The account may send at most ${toBurstLimit(limit)} requests per second.`,
        { retryAfterMs: 1_000 },
      )
    : new SalonError('rate_limited', `The account has used all of its ${limit} requests for this hour.`, {
        retryAfterMs: resetSeconds * 1000,
      });
}

/** Small limits may be spent at once. */
const minPerSecond = 1_000;
/** The part of the hourly limit that may be spent in one go, and again in every second after that. */
const hourShare = 1 / 2;

/** The requests that an account with this hourly limit may send at once, and in every further second. */
function toBurstLimit(hourlyLimit: number): number {
  return Math.max(minPerSecond, Math.floor(hourlyLimit * hourShare));
}

/**
 * Limits the requests of an account in a short time: a token bucket in memory, for each process on its own. It keeps an
 * account from spending its hour in an instant; who is served first is not decided here.
 */
function createBurstLimit(uptimeMs: () => number): (accountId: string, hourlyLimit: number) => boolean {
  const buckets = new Map<string, { tokens: number; filledAtMs: number }>();
  return (accountId, hourlyLimit) => {
    const nowMs = uptimeMs();
    const max = toBurstLimit(hourlyLimit);
    const { tokens, filledAtMs } = buckets.get(accountId) ?? { tokens: max, filledAtMs: nowMs };
    const filled = Math.min(max, tokens + ((nowMs - filledAtMs) / 1000) * max);
    const isAllowed = filled >= 1;
    buckets.set(accountId, { tokens: isAllowed ? filled - 1 : filled, filledAtMs: nowMs });
    return isAllowed;
  };
}
