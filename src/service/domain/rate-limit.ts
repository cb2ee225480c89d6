import { rateWindowSeconds } from '../../contract/limits.ts';
import { addGranted, deleteWindowsBefore, readGranted } from '../db/accounts.ts';
import type { Database } from '../db/database.ts';
import type { Environment } from './context.ts';

/** How an account's hour stands after a request. */
export interface RateLimitStatus {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left as far as this process knows; what others hold unspent is not among them. */
  readonly remaining: number;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  /** When the window ends, in Unix seconds. */
  readonly resetAt: number;
}

/** Counts requests against accounts' hourly limits, together with every other process on the database. */
export interface AccountLimiter {
  /** Takes one request off the account's hour, unless it is used up. */
  take(account: { readonly id: string; readonly hourlyLimit: number }): Promise<RateLimitStatus>;
  /** Gives back what was granted and not spent. */
  close(): Promise<void>;
}

/** Requests of one window that this process may spend, and what the database last said was handed out. */
interface Allowance {
  readonly windowStart: number;
  left: number;
  granted: number;
  /** A grant under way; others wait for it instead of asking for their own. */
  refill: Promise<void> | undefined;
}

/** How much of a limit is granted at once: a hundredth, so that a hundred durable writes pay for an hour. */
const grantShare = 0.01;
/** Ended windows are kept a while, so that a clock set back does not begin an hour anew. */
const keptSeconds = 24 * rateWindowSeconds;

/**
 * Requests are spent from grants that are on the disk before the first of them is spent. Whoever dies with an
 * unspent grant loses it; nobody ever spends more than the limit.
 */
export function openAccountLimiter(database: Database, environment: Environment): AccountLimiter {
  const purses = new Map<string, Allowance>();

  async function take({ id, hourlyLimit }: { id: string; hourlyLimit: number }): Promise<RateLimitStatus> {
    const nowSeconds = environment.now().getTime() / 1000;
    const windowStart = Math.floor(nowSeconds / rateWindowSeconds) * rateWindowSeconds;
    const purse = openPurse(id, windowStart);
    while (purse.left === 0 && (purse.refill !== undefined || !(await isUsedUp(purse, id, hourlyLimit)))) {
      purse.refill ??= refill(purse, id, hourlyLimit).finally(() => {
        purse.refill = undefined;
      });
      await purse.refill;
    }
    const allowed = purse.left > 0;
    if (allowed) {
      purse.left -= 1;
    }
    const resetAt = windowStart + rateWindowSeconds;
    return {
      allowed,
      limit: hourlyLimit,
      remaining: Math.max(0, hourlyLimit - purse.granted + purse.left),
      resetSeconds: Math.max(1, Math.ceil(resetAt - nowSeconds)),
      resetAt,
    };
  }

  function openPurse(accountId: string, windowStart: number): Allowance {
    const known = purses.get(accountId);
    if (known?.windowStart === windowStart) {
      return known;
    }
    const purse = { windowStart, left: 0, granted: 0, refill: undefined };
    purses.set(accountId, purse);
    return purse;
  }

  /** A read, so that requests over the limit cost no write. */
  async function isUsedUp(purse: Allowance, accountId: string, limit: number): Promise<boolean> {
    if (purse.granted < limit) {
      return false;
    }
    purse.granted = await readGranted(database.reader, { accountId, start: purse.windowStart });
    return purse.left === 0 && purse.granted >= limit;
  }

  async function refill(purse: Allowance, accountId: string, limit: number): Promise<void> {
    const window = { accountId, start: purse.windowStart };
    // Counted only once it is committed: a grant that failed must not be spent.
    const { granted, grant } = await database.transaction(async (tx) => {
      const before = await readGranted(tx, window);
      const grant = Math.min(Math.max(1, Math.floor(limit * grantShare)), Math.max(0, limit - before));
      if (grant > 0) {
        await addGranted(tx, window, grant);
        await deleteWindowsBefore(tx, accountId, purse.windowStart - keptSeconds);
      }
      return { granted: before + grant, grant };
    });
    purse.granted = granted;
    purse.left += grant;
  }

  async function close(): Promise<void> {
    const all = [...purses];
    purses.clear();
    await Promise.allSettled(all.map(([, purse]) => purse.refill));
    const unspent = all.filter(([, purse]) => purse.left > 0);
    if (unspent.length === 0) {
      return;
    }
    await database.transaction(async (tx) => {
      for (const [accountId, purse] of unspent) {
        await addGranted(tx, { accountId, start: purse.windowStart }, -purse.left);
        purse.left = 0;
      }
    });
  }

  return { take, close };
}
