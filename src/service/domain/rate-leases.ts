import { inTime } from '../../contract/in-time.ts';
import {
  addGranted,
  deleteWindowsBefore,
  grantRequests,
  type RateWindow,
  readGranted,
} from '../db/accounts.ts';
import type { Database } from '../db/database.ts';
import { toLeaseSize } from './lease-size.ts';

export interface LeaseOptions {
  /** A clock that is never set back. */
  readonly uptimeMs?: () => number;
  /** How long a request waits for the database before it is counted in memory. */
  readonly timeoutMs?: number;
  /** How long a lease may lie unused before it is returned. */
  readonly idleMs?: number;
}

interface Spending {
  readonly count: number;
  /** The account's hourly limit. */
  readonly limit: number;
}

/** Requests of the hour that this process may let pass without asking the database. */
export interface RateLeases {
  /** Counts requests that this process holds already. Returns what is used, or undefined if it holds too few. */
  spendLease(window: RateWindow, count: number): number | undefined;
  /** Counts requests, all or none. `used` is what all processes hold or have spent, as far as this one knows. */
  spend(
    window: RateWindow,
    spending: Spending,
  ): Promise<{ readonly allowed: boolean; readonly used: number }>;
  readUsed(window: RateWindow): number;
  /** Returns requests that were spent in a window. */
  refund(window: RateWindow, count: number): void;
  /** Returns leases that were not used for a while. Also runs on a timer. */
  returnIdle(): Promise<void>;
  close(): Promise<void>;
}

/** What this process holds of a window. */
interface Lease {
  readonly window: RateWindow;
  /** Below zero while requests are counted in memory that the database does not know yet. */
  left: number;
  /** What all processes were granted, when this one last looked. */
  granted: number;
  /** What this one wants to hold. */
  size: number;
  grantedAtMs: number;
  /** Whether this one has looked since the database last refused a grant. */
  isRead: boolean;
  usedAtMs: number;
  refill: Refill | undefined;
  reading: Promise<void> | undefined;
  /** The database refused a grant, and is not asked again before this. */
  retryAtMs: number;
}

interface Refill {
  /** Whether the grant was made. Never rejects. */
  readonly done: Promise<boolean>;
  /** The same, or false if it takes long. */
  readonly inTime: Promise<boolean>;
}

const defaultTimeoutMs = 250;
const defaultIdleMs = 30_000;
const retryMs = 1_000;
/** Old windows are kept, so that a clock that is set back does not start an hour again. */
const retentionSeconds = 24 * 3600;

/**
 * Opens the leases. A grant is durable before it is spent, so that processes together stay within the limit; one that
 * crashes forfeits its lease. While the database cannot be written, or takes long, requests are counted in memory: as
 * many as remain of the hour, as far as this process knows. The database learns about them later.
 */
export function openRateLeases(
  database: Pick<Database, 'reader' | 'transaction'>,
  options: LeaseOptions = {},
): RateLeases {
  const { uptimeMs = () => performance.now() } = options;
  const { timeoutMs = defaultTimeoutMs, idleMs = defaultIdleMs } = options;
  const leases = new Map<string, Lease>();
  const returning = setInterval(() => void returnIdle(), idleMs / 2).unref();

  function openLease(window: RateWindow): Lease {
    const known = leases.get(window.accountId);
    if (known?.window.start === window.start) return known;
    const { accountId, start } = window;
    const lease: Lease = {
      window: { accountId, start },
      left: 0,
      granted: 0,
      size: 0,
      grantedAtMs: Number.NEGATIVE_INFINITY,
      isRead: false,
      usedAtMs: 0,
      refill: undefined,
      reading: undefined,
      retryAtMs: Number.NEGATIVE_INFINITY,
    };
    leases.set(accountId, lease);
    return lease;
  }

  /** Almost every request finds what it needs, and waits for nothing. */
  function spendLease(window: RateWindow, count: number): number | undefined {
    const lease = leases.get(window.accountId);
    if (lease?.window.start !== window.start || lease.left < count + lease.size / 2) return undefined;
    lease.usedAtMs = uptimeMs();
    lease.left -= count;
    return toUsed(lease);
  }

  async function spend(window: RateWindow, spending: Spending) {
    const { count, limit } = spending;
    const lease = openLease(window);
    lease.usedAtMs = uptimeMs();
    let isOverdrawn = false;
    while (lease.left < count && !isOverdrawn) {
      if (lease.refill === undefined && (await isUsedUp(lease, spending))) break;
      isOverdrawn = lease.left < count && !(await refill(lease, spending).inTime);
    }
    if (isOverdrawn && !lease.isRead) await readAgain(lease);
    const allowed = lease.left >= count || (isOverdrawn && toUsed(lease) + count <= limit);
    if (allowed) lease.left -= count;
    if (lease.left <= lease.size / 2 && lease.granted < limit) refill(lease, { count: 0, limit });
    return { allowed, used: toUsed(lease) };
  }

  /** Only reads, so that requests over the limit cost no write. Others may have returned requests. */
  async function isUsedUp(lease: Lease, { count, limit }: Spending): Promise<boolean> {
    if (toUsed(lease) + count <= limit) return false;
    await readAgain(lease);
    return toUsed(lease) + count > limit;
  }

  /** Requests that arrive together share one read. */
  function readAgain(lease: Lease): Promise<void> {
    lease.reading ??= readGranted(database.reader, lease.window)
      .then((granted) => {
        lease.granted = granted;
        lease.isRead = true;
      })
      .finally(() => {
        lease.reading = undefined;
      });
    return lease.reading;
  }

  function refill(lease: Lease, spending: Spending): Refill {
    if (lease.refill !== undefined) return lease.refill;
    if (uptimeMs() < lease.retryAtMs) return refused;
    const done = requestGrant(lease, spending).then(
      () => true,
      () => false,
    );
    const started = { done, inTime: inTime(done, timeoutMs, false) };
    lease.refill = started;
    void done.then((isGranted) => {
      if (!isGranted) lease.retryAtMs = uptimeMs() + retryMs;
      lease.isRead = isGranted;
      lease.refill = undefined;
    });
    return started;
  }

  async function requestGrant(lease: Lease, { count, limit }: Spending): Promise<void> {
    const { accountId, start } = lease.window;
    const grantedAtMs = uptimeMs();
    const size = toLeaseSize(limit, { size: lease.size, lastedMs: grantedAtMs - lease.grantedAtMs });
    // What is spent between this and the commit is counted with the next grant.
    const overdrawn = Math.max(0, -lease.left);
    const wanted = Math.max(size, count) - Math.max(0, lease.left);
    const { grant, granted } = await database.transaction('rows', async (tx) => {
      if (overdrawn > 0) await addGranted(tx, lease.window, overdrawn);
      const made = await grantRequests(tx, lease.window, { count: wanted, limit });
      if (made.grant > 0) await deleteWindowsBefore(tx, accountId, start - retentionSeconds);
      return made;
    });
    Object.assign(lease, { granted, size, grantedAtMs, left: lease.left + overdrawn + grant });
  }

  async function returnIdle(): Promise<void> {
    const isIdle = ({ usedAtMs }: Lease) => uptimeMs() - usedAtMs >= idleMs;
    const idle = [...leases.values()].filter(isIdle);
    await returnLeases(idle);
    for (const lease of idle) {
      const isForgotten = isIdle(lease) && lease.left === 0 && leases.get(lease.window.accountId) === lease;
      if (isForgotten) leases.delete(lease.window.accountId);
    }
  }

  /** If this fails, requests counted in memory are kept; unused ones are forfeited, because the return may have been saved. */
  async function returnLeases(returned: readonly Lease[]): Promise<void> {
    await Promise.all(returned.map(({ refill }) => refill?.done));
    const unused = returned.filter(({ left }) => left !== 0).map((lease) => ({ lease, left: lease.left }));
    if (unused.length === 0) return;
    for (const { lease } of unused) lease.left = 0;
    const isReturned = await database
      .transaction('rows', async (tx) => {
        for (const { lease, left } of unused) await addGranted(tx, lease.window, -left);
      })
      .then(
        () => true,
        () => false,
      );
    for (const { lease, left } of unused) {
      if (isReturned) lease.granted -= left;
      else lease.left += Math.min(0, left);
    }
  }

  return {
    spendLease,
    spend,
    readUsed: (window) => toUsed(openLease(window)),
    refund: (window, count) => {
      const lease = leases.get(window.accountId);
      // What belongs to an hour that is over is worth nothing.
      if (lease?.window.start === window.start) lease.left += count;
    },
    returnIdle,
    close: async () => {
      clearInterval(returning);
      await returnLeases([...leases.values()]);
      leases.clear();
    },
  };
}

const refused: Refill = { done: Promise.resolve(false), inTime: Promise.resolve(false) };

function toUsed({ granted, left }: Lease): number {
  return granted - left;
}
