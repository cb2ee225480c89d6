import { SalonError } from '../../contract/errors.ts';

export interface FairQueueOptions {
  /** Requests of one account under way at a time. */
  readonly maxRunning: number;
  /** Requests of all accounts under way at a time. */
  readonly maxRunningTotal: number;
  /** Requests of one account that may be under way or wait, however slow they are. */
  readonly minPending: number;
  /** The same of all accounts together. Once there are so many, no account gets more than an equal part. */
  readonly minPendingTotal: number;
  /** Where requests are fast, as many may wait as were served in this time before. */
  readonly horizonMs: number;
  /** How long a request waits before it is refused. */
  readonly maxWaitMs: number;
  /** How long requests may begin in one turn of the event loop, before others are read and refused. */
  readonly sliceMs: number;
  readonly uptimeMs?: () => number;
}

/** Decides which request runs next: a few of each account at a time, and accounts in turn. */
export interface FairQueue {
  /** Admits a request. Throws `service_unavailable` when its account, or the service, has too many. */
  admit(accountId: string): Turn;
  readonly load: () => QueueLoad;
}

export interface QueueLoad {
  readonly running: number;
  readonly waiting: number;
  /** Requests refused so far. */
  readonly refused: number;
}

/** The place of an admitted request. Always end it. */
export interface Turn {
  /** Resolves when the request may run; undefined if it may at once. Throws `service_unavailable` after a long wait. */
  start(): Promise<void> | undefined;
  /** May be called twice. */
  end(): void;
  /** Ends it unless the request runs: work that has begun goes on when its client has gone. */
  leave(): void;
}

/** The requests of one account. */
interface Lane {
  readonly accountId: string;
  pending: number;
  running: number;
  /** Starts each request that waits, first come first served. */
  readonly waiting: Set<() => void>;
}

const retryAfterMs = 1_000;

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { maxRunning, maxRunningTotal, minPending, minPendingTotal, horizonMs, maxWaitMs } = options;
  const { sliceMs, uptimeMs = () => performance.now() } = options;
  const lanes = new Map<string, Lane>();
  /** Lanes with requests that wait, the one served last at the end. */
  const ring = new Set<Lane>();
  /** Undefined until a request begins in this turn of the event loop. */
  let sliceEndsAtMs: number | undefined;
  const period = { served: 0, before: 0, endsAtMs: 0 };
  const total = { pending: 0, running: 0, waiting: 0, refused: 0 };

  function admit(accountId: string): Turn {
    const lane = lanes.get(accountId) ?? { accountId, pending: 0, running: 0, waiting: new Set() };
    if (isFull(lane)) {
      throw refuse('This account has too many requests under way. Try again in a second.');
    }
    lanes.set(accountId, lane);
    lane.pending += 1;
    total.pending += 1;
    return createTurn(lane);
  }

  function isFull({ pending }: Lane): boolean {
    const served = readServed();
    const accounts = Math.max(1, lanes.size);
    const maxTotal = Math.max(minPendingTotal, served);
    return (
      pending >= Math.max(minPending, served / accounts) ||
      (total.pending >= maxTotal && pending >= maxTotal / accounts)
    );
  }

  /** Requests that were served in the last whole period. */
  function readServed(): number {
    const nowMs = uptimeMs();
    if (nowMs >= period.endsAtMs) {
      period.before = nowMs < period.endsAtMs + horizonMs ? period.served : 0;
      period.served = 0;
      period.endsAtMs = nowMs + horizonMs;
    }
    return period.before;
  }

  function mayRun(lane: Lane): boolean {
    return total.running < maxRunningTotal && lane.running < maxRunning && !isSliceOver();
  }

  /** What answers at once would never have a queue, however much of it there is. */
  function isSliceOver(): boolean {
    const nowMs = uptimeMs();
    if (sliceEndsAtMs === undefined) {
      sliceEndsAtMs = nowMs + sliceMs;
      setImmediate(() => {
        sliceEndsAtMs = undefined;
        serveRing();
      });
    }
    return nowMs >= sliceEndsAtMs;
  }

  function createTurn(lane: Lane): Turn {
    let state: 'admitted' | 'running' | 'ended' = 'admitted';
    let stopWaiting: (() => void) | undefined;
    const run = () => {
      state = 'running';
      lane.running += 1;
      total.running += 1;
    };
    const wait = (resolve: () => void, reject: (error: unknown) => void) => {
      const pass = () => {
        stopWaiting?.();
        run();
        resolve();
      };
      const timer = setTimeout(() => {
        stopWaiting?.();
        reject(refuse('The request waited too long for other requests of this account.'));
      }, maxWaitMs);
      stopWaiting = () => {
        clearTimeout(timer);
        lane.waiting.delete(pass);
        total.waiting -= 1;
        stopWaiting = undefined;
      };
      lane.waiting.add(pass);
      ring.add(lane);
      total.waiting += 1;
    };
    const end = () => {
      if (state === 'ended') return;
      stopWaiting?.();
      if (state === 'running') {
        period.served += 1;
        lane.running -= 1;
        total.running -= 1;
      }
      state = 'ended';
      lane.pending -= 1;
      total.pending -= 1;
      if (lane.pending === 0) lanes.delete(lane.accountId);
      if (ring.size > 0) serveRing();
    };
    return {
      start: () => {
        if (lane.waiting.size > 0 || !mayRun(lane)) return new Promise<void>(wait);
        run();
        return undefined;
      },
      end,
      leave: () => {
        if (state !== 'running') end();
      },
    };
  }

  function serveRing(): void {
    for (const lane of ring) {
      if (total.running >= maxRunningTotal || isSliceOver()) return;
      const [first] = lane.waiting;
      if (first !== undefined && !mayRun(lane)) continue;
      ring.delete(lane);
      first?.();
      // At the end of the ring, so that this loop reaches it again after all others.
      if (lane.waiting.size > 0) ring.add(lane);
    }
  }

  function refuse(detail: string): SalonError {
    total.refused += 1;
    return new SalonError('service_unavailable', detail, { retryable: true, retryAfterMs });
  }

  return {
    admit,
    load: () => ({ running: total.running, waiting: total.waiting, refused: total.refused }),
  };
}
