import { type Clock, createInterruptedError, type Deadline, onAbort } from '../deadline.ts';
import type { Observe } from '../events.ts';
import type { Ledger } from './ledger.ts';
import {
  addRefusal,
  addResponse,
  emptyObservation,
  mergeObservations,
  toLimitStatus,
} from './limit-observation.ts';
import { limitReached, type RateLimit } from './rate-limit-headers.ts';

/** Lets requests pass as fast as the rate limit allows, first come first served. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Permission to send one request. Always release it. */
export interface Permit {
  recordResponse(limit: RateLimit | undefined): void;
  /** Records a 429 response, after which nothing may be sent for `waitMs`. */
  recordRefusal(waitMs: number): void;
  release(): void;
}

interface RateLimiterOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly observe: Observe;
}

/** When to ask the ledger again. Its reservations last longer. */
const freshMs = 30_000;
const minWaitMs = 10;
/** Shorter waits are not reported. */
const reportedWaitMs = 1_000;

export function createRateLimiter({ ledger, clock, deadline, observe }: RateLimiterOptions) {
  const waiters = new Set<PromiseWithResolvers<Permit>>();
  let observation = emptyObservation;
  let reserved = 0;
  let reservedAtMs = 0;
  let inFlight = 0;
  let ended = 0;
  let isServing = false;
  let noWaiters = new AbortController();
  let closing: Promise<void> | undefined;
  return {
    /** Waits until a request may be sent. Throws `rate_limited` if the wait is too long for the deadline. */
    async acquire(signal: AbortSignal | undefined): Promise<Permit> {
      if (signal?.aborted) throw createInterruptedError(signal.reason);
      if (waiters.size === 0 && maySend()) return createPermit();
      const waiter = Promise.withResolvers<Permit>();
      waiters.add(waiter);
      const forget = onAbort(signal, () => {
        waiters.delete(waiter);
        if (waiters.size === 0) noWaiters.abort();
        waiter.reject(createInterruptedError(signal?.reason));
      });
      void serveWaiters();
      try {
        return await waiter.promise;
      } finally {
        forget();
      }
    },
    /** Returns unused reservations to the ledger. */
    close: () => (closing ??= ledger.close({ ended: ended + inFlight, pending: 0, observation })),
  };

  function maySend(): boolean {
    const nowMs = clock.now();
    if (reserved < 1 || nowMs >= reservedAtMs + freshMs || nowMs < observation.pausedUntilMs) return false;
    // Others may have used up what the ledger granted. The newest response shows that first.
    const { remaining = 1 } = toLimitStatus(observation, nowMs);
    return remaining > inFlight;
  }

  function createPermit(): Permit {
    const sentAtMs = clock.now();
    reserved -= 1;
    inFlight += 1;
    return {
      recordResponse(limit) {
        observation = addResponse(observation, { sentAtMs, receivedAtMs: clock.now(), limit });
      },
      recordRefusal(waitMs) {
        observation = addRefusal(observation, clock.now(), waitMs);
      },
      release() {
        inFlight -= 1;
        ended += 1;
        void serveWaiters();
      },
    };
  }

  /** Lets waiters pass, reserves more or waits. Runs once at a time for all of them. */
  async function serveWaiters(): Promise<void> {
    if (isServing) return;
    isServing = true;
    try {
      for (let [first] = waiters; first !== undefined; [first] = waiters) {
        if (maySend()) {
          waiters.delete(first);
          first.resolve(createPermit());
          continue;
        }
        const retryAtMs = await reserveMore();
        if (maySend()) continue;
        // The release of a permit serves the others.
        if (inFlight > 0) break;
        // The ledger may grant what the newest response forbids: never ask again without a pause.
        await waitUntil(Math.max(retryAtMs, clock.now() + minWaitMs));
      }
    } catch (thrown) {
      for (const waiter of waiters) waiter.reject(thrown);
      waiters.clear();
    } finally {
      isServing = false;
    }
  }

  /** Returns when to ask again if it is not enough. */
  async function reserveMore(): Promise<number> {
    const report = { ended, pending: inFlight, observation };
    ended = 0;
    reserved = 0;
    const grant = await ledger.take(report);
    observation = mergeObservations(observation, grant.observation);
    reserved = grant.count;
    reservedAtMs = clock.now();
    return grant.retryAtMs;
  }

  async function waitUntil(untilMs: number): Promise<void> {
    const waitMs = untilMs - clock.now();
    deadline.timeoutMs(waitMs);
    if (!deadline.reserveWait(waitMs)) throw limitReached(waitMs, clock.now());
    if (waitMs >= reportedWaitMs) observe({ type: 'waiting', waitMs, untilMs });
    noWaiters = new AbortController();
    await clock.sleep(waitMs, noWaiters.signal).catch((thrown: unknown) => {
      if (!noWaiters.signal.aborted) throw thrown;
    });
  }
}
