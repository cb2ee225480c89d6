import { rateWindowSeconds } from '../../contract/limits.ts';
import { addGranted, deleteWindowsBefore, readGranted } from '../db/accounts.ts';
import type { Database } from '../db/database.ts';
import type { Environment } from './context.ts';

/** An account's hourly limit after a request. */
export interface RateLimitStatus {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left, as far as this process knows; without what other processes hold. */
  readonly remaining: number;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  /** When the window ends, in Unix seconds. */
  readonly resetAt: number;
}

/** Enforces the hourly limits of accounts, together with all other processes on the database. */
export interface AccountLimiter {
  /** Counts one request, unless the limit is reached. */
  take(account: { readonly id: string; readonly hourlyLimit: number }): Promise<RateLimitStatus>;
  /** Returns granted requests that were not used. */
  close(): Promise<void>;
}

/** The requests of one window that this process may still spend. */
interface Allowance {
  readonly windowStart: number;
  left: number;
  /** How many requests all processes were granted, when this process last looked. */
  granted: number;
  /** The grant in progress; others wait for it. */
  refill: Promise<void> | undefined;
}

/** A grant is a hundredth of the limit, so that a hundred durable writes pay for an hour. */
const grantShare = 0.01;
/** Old windows are kept, so that a clock that is set back does not start an hour again. */
const retentionSeconds = 24 * rateWindowSeconds;

/**
 * Opens the limiter. Grants are durable before they are spent: a process that crashes loses its unused requests, and
 * the limit is never exceeded.
 */
export function openAccountLimiter(database: Database, environment: Environment): AccountLimiter {
  const allowances = new Map<string, Allowance>();

  async function take({ id, hourlyLimit }: { id: string; hourlyLimit: number }): Promise<RateLimitStatus> {
    const nowSeconds = environment.now().getTime() / 1000;
    const windowStart = Math.floor(nowSeconds / rateWindowSeconds) * rateWindowSeconds;
    const allowance = openAllowance(id, windowStart);
    while (
      allowance.left === 0 &&
      (allowance.refill !== undefined || !(await isUsedUp(allowance, id, hourlyLimit)))
    ) {
      allowance.refill ??= refill(allowance, id, hourlyLimit).finally(() => {
        allowance.refill = undefined;
      });
      await allowance.refill;
    }
    const allowed = allowance.left > 0;
    if (allowed) {
      allowance.left -= 1;
    }
    const resetAt = windowStart + rateWindowSeconds;
    return {
      allowed,
      limit: hourlyLimit,
      remaining: Math.max(0, hourlyLimit - allowance.granted + allowance.left),
      resetSeconds: Math.max(1, Math.ceil(resetAt - nowSeconds)),
      resetAt,
    };
  }

  function openAllowance(accountId: string, windowStart: number): Allowance {
    const known = allowances.get(accountId);
    if (known?.windowStart === windowStart) {
      return known;
    }
    const allowance = { windowStart, left: 0, granted: 0, refill: undefined };
    allowances.set(accountId, allowance);
    return allowance;
  }

  /** Only reads, so that requests over the limit cost no write. */
  async function isUsedUp(allowance: Allowance, accountId: string, limit: number): Promise<boolean> {
    if (allowance.granted < limit) {
      return false;
    }
    allowance.granted = await readGranted(database.reader, { accountId, start: allowance.windowStart });
    return allowance.left === 0 && allowance.granted >= limit;
  }

  async function refill(allowance: Allowance, accountId: string, limit: number): Promise<void> {
    const window = { accountId, start: allowance.windowStart };
    const { granted, grant } = await database.transaction('rows', async (tx) => {
      const before = await readGranted(tx, window);
      const grant = Math.min(Math.max(1, Math.floor(limit * grantShare)), Math.max(0, limit - before));
      if (grant > 0) {
        await addGranted(tx, window, grant);
        await deleteWindowsBefore(tx, accountId, allowance.windowStart - retentionSeconds);
      }
      return { granted: before + grant, grant };
    });
    allowance.granted = granted;
    allowance.left += grant;
  }

  async function close(): Promise<void> {
    const all = [...allowances];
    allowances.clear();
    await Promise.allSettled(all.map(([, allowance]) => allowance.refill));
    const unused = all.filter(([, allowance]) => allowance.left > 0);
    if (unused.length === 0) {
      return;
    }
    await database.transaction('rows', async (tx) => {
      for (const [accountId, allowance] of unused) {
        await addGranted(tx, { accountId, start: allowance.windowStart }, -allowance.left);
        allowance.left = 0;
      }
    });
  }

  return { take, close };
}
