import { inTime } from '../../contract/in-time.ts';
import type { Database } from '../db/database.ts';
import {
  addGranted,
  deleteWindowsBefore,
  grantRequests,
  type RateWindow,
  readGranted,
} from '../db/identity/accounts.ts';

export interface LeaseOptions {
  /** A clock that is never set back. */
  readonly uptimeMs?: () => number;
  /** How long a request waits for the database before it is counted in memory. */
  readonly timeoutMs?: number;
}

interface Spending {
  readonly count: number;
  /** The account's hourly limit. */
  readonly limit: number;
}

interface Spent {
  readonly allowed: boolean;
  /** What all processes hold or have spent, as far as this one knows. */
  readonly used: number;
}

/** Requests of the hour that this process may let pass without asking the database. */
export interface RateLeases {
  /** Counts requests, all or none; at once where this process holds them already. */
  spend(window: RateWindow, spending: Spending): Spent | Promise<Spent>;
  readUsed(window: RateWindow): number;
  /** Returns requests that were spent in a window. */
  refund(window: RateWindow, count: number): void;
  close(): Promise<void>;
}

/** What this process holds of a window. */
interface Lease {
  readonly window: RateWindow;
  /** Below zero while requests are counted in memory that the database does not know yet. */
  left: number;
  /** What all processes were granted, when this one last looked. */
  granted: number;
  /** Whether the grant was made. Shared by requests that arrive together; it may last longer than they wait. */
  refill: Promise<boolean> | undefined;
  /** The database refused a grant, and is not asked again before this. */
  retryAtMs: number;
}

const defaultTimeoutMs = 250;
const retryMs = 1_000;
/** Old windows are kept, so that a clock that is set back does not start an hour again. */
const retentionSeconds = 24 * 3600;

/** A fiftieth of the hour: a process asks the database fifty times, and one that crashes forfeits no more. */
function toLeaseSize(limit: number): number {
  return Math.max(1, Math.floor(limit / 50));
}

/**
 * Opens the leases. A grant is durable before it is spent, so that processes together stay within the limit; one that
 * crashes forfeits its lease. While the database cannot be written, or takes long, requests are counted in memory: as
 * many as remain of the hour, as far as this process knows. The database learns about them later.
 */
export function openRateLeases(
  database: Pick<Database, 'reader' | 'transaction'>,
  { uptimeMs = () => performance.now(), timeoutMs = defaultTimeoutMs }: LeaseOptions = {},
): RateLeases {
  const leases = new Map<string, Lease>();

  function openLease({ accountId, start }: RateWindow): Lease {
    const known = leases.get(accountId);
    if (known?.window.start === start) return known;
    const window = { accountId, start };
    const lease = { window, left: 0, granted: 0, refill: undefined, retryAtMs: Number.NEGATIVE_INFINITY };
    leases.set(accountId, lease);
    return lease;
  }

  async function spendGranted(lease: Lease, spending: Spending): Promise<Spent> {
    const { count, limit } = spending;
    while (lease.left < count) {
      const isGranted = await refill(lease, spending);
      if (lease.left >= count) break;
      if (toUsed(lease) + count > limit) return { allowed: false, used: toUsed(lease) };
      if (!isGranted) break;
    }
    lease.left -= count;
    return { allowed: true, used: toUsed(lease) };
  }

  /** Returns false if the database did not answer, or not soon. */
  async function refill(lease: Lease, spending: Spending): Promise<boolean> {
    if (lease.refill === undefined) {
      // Only read, so that requests over the limit cost no write. Others may have returned requests.
      if (toUsed(lease) + spending.count > spending.limit) {
        await readAgain(lease);
        return true;
      }
      if (uptimeMs() < lease.retryAtMs) return false;
      lease.refill = requestGrant(lease, spending).then(
        () => true,
        () => {
          lease.retryAtMs = uptimeMs() + retryMs;
          return false;
        },
      );
      void lease.refill.finally(() => {
        lease.refill = undefined;
      });
    }
    const isGranted = await inTime(lease.refill, timeoutMs, false);
    if (!isGranted) await readAgain(lease);
    return isGranted;
  }

  async function readAgain(lease: Lease): Promise<void> {
    lease.granted = await readGranted(database.reader, lease.window);
  }

  async function requestGrant(lease: Lease, { count, limit }: Spending): Promise<void> {
    const { accountId, start } = lease.window;
    // What is spent between this and the commit is counted with the next grant.
    const overdrawn = Math.max(0, -lease.left);
    const wanted = Math.max(toLeaseSize(limit), count) - Math.max(0, lease.left);
    const { grant, granted } = await database.transaction('rows', async (tx) => {
      if (overdrawn > 0) await addGranted(tx, lease.window, overdrawn);
      const made = await grantRequests(tx, lease.window, { count: wanted, limit });
      await deleteWindowsBefore(tx, accountId, start - retentionSeconds);
      return made;
    });
    lease.granted = granted;
    lease.left += overdrawn + grant;
  }

  return {
    spend: (window, spending) => {
      const lease = openLease(window);
      if (lease.left < spending.count) return spendGranted(lease, spending);
      lease.left -= spending.count;
      return { allowed: true, used: toUsed(lease) };
    },
    readUsed: (window) => toUsed(openLease(window)),
    refund: (window, count) => {
      const lease = leases.get(window.accountId);
      // What belongs to an hour that is over is worth nothing.
      if (lease?.window.start === window.start) lease.left += count;
    },
    close: async () => {
      const held = [...leases.values()];
      leases.clear();
      await Promise.all(held.map(({ refill: started }) => started));
      const unused = held.filter(({ left }) => left !== 0);
      if (unused.length === 0) return;
      // What cannot be returned is forfeited.
      await database
        .transaction('rows', async (tx) => {
          for (const { window, left } of unused) await addGranted(tx, window, -left);
        })
        .catch(() => {});
    },
  };
}

function toUsed({ granted, left }: Lease): number {
  return granted - left;
}
