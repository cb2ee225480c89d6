import { SalonError } from '../../contract/errors.ts';
import { rateWindowSeconds } from '../../contract/limits.ts';
import { inTime } from '../../time/time.ts';
import type { Database } from '../db/database.ts';
import { addGranted, deleteWindowsBefore, type RateWindow, readGranted } from '../db/identity/accounts.ts';
import type { Environment } from './context.ts';
import { createWindowLimiter } from './window-limit.ts';

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

export interface LimiterOptions {
  /** A clock that is never set back. */
  readonly uptimeMs?: () => number;
  /** How long a request waits for the database before it is counted in memory. */
  readonly timeoutMs?: number;
}

/** The hour of an account. */
interface Hour {
  readonly window: RateWindow;
  /** What all processes were granted, when this one last looked. */
  granted: number;
  /** What this process holds of it. Below zero while requests are counted in memory that the database does not know yet. */
  left: number;
  /** A grant under way, shared by requests that arrive together; it may last longer than they wait. */
  granting: Promise<boolean> | undefined;
}

const defaultTimeoutMs = 250;
/** Requests for the usage once the hour's are used up. */
const usageLimit = { burst: 30, intervalMs: 10_000 };
/** Old windows are kept, so that a clock that is set back does not start an hour again. */
const retentionSeconds = 24 * 3600;

/** A fiftieth of the hour: a process asks the database fifty times, and one that crashes forfeits no more. */
function toGrantSize(limit: number): number {
  return Math.max(1, Math.floor(limit / 50));
}

/**
 * Opens the limiter. A process has requests of the hour granted by the database before it spends them, so that all
 * processes together stay within the limit. While the database cannot be written, or takes long, requests are counted in
 * memory: as many as remain of the hour, as far as this process knows. The database learns about them later.
 */
export function openAccountLimiter(
  { reader, transaction }: Pick<Database, 'reader' | 'transaction'>,
  environment: Environment,
  { uptimeMs = () => performance.now(), timeoutMs = defaultTimeoutMs }: LimiterOptions = {},
) {
  const hours = new Map<string, Hour>();
  const limitBurst = createWindowLimiter(uptimeMs);

  function findHour(accountId: string): Hour {
    const start = toWindowStart(environment.now());
    const known = hours.get(accountId);
    if (known?.window.start === start) return known;
    const hour = { window: { accountId, start }, granted: 0, left: 0, granting: undefined };
    hours.set(accountId, hour);
    return hour;
  }

  async function spend({ id, hourlyLimit }: LimitedAccount, count: number): Promise<RateLimitStatus> {
    const hour = findHour(id);
    const toAnswer = (refusedBy: 'hour' | null) => toStatus(hour, { hourlyLimit, refusedBy }, environment);
    while (hour.left < count) {
      const isGranted = await askForMore(hour, count, hourlyLimit);
      if (hour.left >= count) break;
      if (toUsed(hour) + count > hourlyLimit) return toAnswer('hour');
      if (!isGranted) break;
    }
    hour.left -= count;
    return toAnswer(null);
  }

  /** Returns false if the database did not answer, or not soon. */
  async function askForMore(hour: Hour, count: number, limit: number): Promise<boolean> {
    // Only read, so that requests over the limit cost no write. Others may have returned requests.
    const isUsedUp = hour.granting === undefined && toUsed(hour) + count > limit;
    if (!isUsedUp) {
      hour.granting ??= requestGrant(hour, count, limit)
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          hour.granting = undefined;
        });
      if (await inTime(hour.granting, timeoutMs, false)) return true;
    }
    hour.granted = await readGranted(reader, hour.window);
    return isUsedUp;
  }

  async function requestGrant(hour: Hour, count: number, limit: number): Promise<void> {
    const { window } = hour;
    // What is spent between this and the commit is counted with the next grant.
    const overdrawn = Math.max(0, -hour.left);
    const wanted = Math.max(toGrantSize(limit), count) - Math.max(0, hour.left);
    const { granted, grant } = await transaction('rows', async (tx) => {
      const total = await addGranted(tx, window, overdrawn + wanted);
      const excess = Math.min(wanted, Math.max(0, total - limit));
      if (excess > 0) await addGranted(tx, window, -excess);
      await deleteWindowsBefore(tx, window.accountId, window.start - retentionSeconds);
      return { granted: total - excess, grant: wanted - excess };
    });
    hour.granted = granted;
    hour.left += overdrawn + grant;
  }

  return {
    /** Counts one request, unless a limit is reached. One that asks what was counted may go above the hour's. */
    take: async (account: LimitedAccount, { asksForUsage = false } = {}) => {
      const { id, hourlyLimit } = account;
      const burst = toBurst(hourlyLimit);
      if (limitBurst({ key: id, burst, intervalMs: 1000 / burst }) > 0)
        return toStatus(findHour(id), { hourlyLimit, refusedBy: 'burst' }, environment);
      const status = await spend(account, 1);
      const isFree =
        !status.allowed && asksForUsage && limitBurst({ key: `${id} usage`, ...usageLimit }) === 0;
      return isFree ? { ...status, allowed: true } : status;
    },
    /** Counts as many requests of the hour as a costly one is worth, in addition to itself; all or none. */
    charge: spend,
    /** Returns requests that were charged, with what the charge gave, and not used. */
    refund: ({ id }: LimitedAccount, count: number, { resetAt }: RateLimitStatus) => {
      const hour = hours.get(id);
      // What belongs to an hour that is over is worth nothing.
      if (hour?.window.start === resetAt - rateWindowSeconds) hour.left += count;
    },
    /** Returns granted requests that were not used. */
    close: async () => {
      const held = [...hours.values()];
      hours.clear();
      await Promise.all(held.map(({ granting }) => granting));
      const unused = held.filter(({ left }) => left !== 0);
      if (unused.length === 0) return;
      // What cannot be returned is forfeited.
      await transaction('rows', async (tx) => {
        for (const { window, left } of unused) await addGranted(tx, window, -left);
      }).catch(() => {});
    },
  };
}

/** Enforces the limits of accounts: the hourly one together with all other processes on the database. */
export type AccountLimiter = ReturnType<typeof openAccountLimiter>;

/** When the hour began, in Unix seconds. */
export function toWindowStart(now: Date): number {
  return Math.floor(now.getTime() / 1000 / rateWindowSeconds) * rateWindowSeconds;
}

function toUsed({ granted, left }: Hour): number {
  return granted - left;
}

function toStatus(
  hour: Hour,
  { hourlyLimit, refusedBy }: { hourlyLimit: number; refusedBy: RateLimitStatus['refusedBy'] },
  environment: Environment,
): RateLimitStatus {
  const resetAt = hour.window.start + rateWindowSeconds;
  return {
    allowed: refusedBy === null,
    refusedBy,
    limit: hourlyLimit,
    remaining: Math.max(0, hourlyLimit - toUsed(hour)),
    resetSeconds: Math.max(1, Math.ceil(resetAt - environment.now().getTime() / 1000)),
    resetAt,
  };
}

/** The error for a request that a limit has refused. */
export function toRateLimitError({ refusedBy, limit, resetSeconds }: RateLimitStatus): SalonError {
  if (refusedBy === 'burst') {
    const detail = `The account may send at most ${toBurst(limit)} requests per second.`;
    return new SalonError('rate_limited', detail, { retryAfterMs: 1_000 });
  }
  const detail = `The account has used all of its ${limit} requests for this hour.`;
  return new SalonError('rate_limited', detail, { retryAfterMs: resetSeconds * 1000 });
}

/** Small limits may be spent at once. */
const minPerSecond = 1_000;
/** The part of the hourly limit that may be spent in one go, and again in every second after that. */
const hourShare = 1 / 2;

/** The requests that an account with this hourly limit may send at once, and in every further second. */
function toBurst(hourlyLimit: number): number {
  return Math.max(minPerSecond, Math.floor(hourlyLimit * hourShare));
}
