import type { Clock } from '../clock.ts';
import { type Deadline, interrupted } from '../deadline.ts';
import type { Observe } from '../events.ts';
import type { Ledger } from './ledger.ts';
import { addRefusal, addSeen, emptySight, joinSights, readSight } from './limit-observation.ts';
import { limitReached, type RateLimit } from './rate-limit.ts';

/** Lets requests through one by one, as fast as the pace allows and in the order they came. */
export interface RateLimiter {
  /** Waits until one more request may be sent. Throws `rate_limited` when that takes more than the patience there is. */
  enter(signal: AbortSignal | undefined): Promise<Permit>;
  /** Gives back what was reserved. */
  close(): Promise<void>;
}

/** One request on its way; it has to leave, whatever became of it. */
export interface Permit {
  /** An answer came, with or without a word about the limit. */
  answered(limit: RateLimit | undefined): void;
  /** The server refused for its limit: nobody is to send before the wait is over. */
  refused(waitMs: number): void;
  leave(): void;
}

export interface RateLimiterOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly patience: Deadline;
  readonly observe: Observe;
}

interface Waiter {
  pass(): void;
  fail(thrown: unknown): void;
}

/** What is reserved in the ledger stays so for longer; after this it is asked again. */
const freshMs = 30_000;
const shortestWaitMs = 10;
/** A wait shorter than this is not worth a word. */
const worthTellingMs = 1_000;

export function createRateLimiter({ ledger, clock, patience, observe }: RateLimiterOptions): RateLimiter {
  const waiting = new Set<Waiter>();
  let sight = emptySight;
  let reserved = 0;
  let reservedAtMs = 0;
  let underWay = 0;
  let ended = 0;
  let isPumping = false;
  let nobodyWaits = new AbortController();
  let closing: Promise<void> | undefined;
  return {
    enter(signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(interrupted(signal.reason));
        if (waiting.size === 0 && mayPass()) return resolve(pass());
        const abort = () => waiter.fail(interrupted(signal?.reason));
        const stopWaiting = () => {
          waiting.delete(waiter);
          signal?.removeEventListener('abort', abort);
          if (waiting.size === 0) nobodyWaits.abort();
        };
        const waiter: Waiter = {
          pass() {
            stopWaiting();
            resolve(pass());
          },
          fail(thrown) {
            stopWaiting();
            reject(thrown);
          },
        };
        waiting.add(waiter);
        signal?.addEventListener('abort', abort);
        void pump();
      });
    },
    close: () => (closing ??= ledger.close({ ended: ended + underWay, underWay: 0, sight })),
  };

  function mayPass(): boolean {
    const nowMs = clock.now();
    if (reserved < 1 || nowMs >= reservedAtMs + freshMs || nowMs < sight.pausedUntilMs) return false;
    const standing = readSight(sight, nowMs);
    // Somebody else may have spent what the ledger promised, which the newest answer tells first.
    return standing.kind === 'told'
      ? standing.remaining > underWay
      : standing.kind === 'unlimited' || underWay === 0;
  }

  function pass(): Permit {
    const sentAtMs = clock.now();
    reserved -= 1;
    underWay += 1;
    return {
      answered(limit) {
        sight = addSeen(sight, { sentAtMs, receivedAtMs: clock.now(), limit });
      },
      refused(waitMs) {
        sight = addRefusal(sight, clock.now(), waitMs);
      },
      leave() {
        underWay -= 1;
        ended += 1;
        void pump();
      },
    };
  }

  /** Lets through who may go; then reserves more, or waits. One at a time does this for all. */
  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    try {
      while (waiting.size > 0) {
        if (mayPass()) letOneThrough();
        else if (!(await reserveMore())) break;
      }
    } catch (thrown) {
      for (const waiter of waiting) waiter.fail(thrown);
    } finally {
      isPumping = false;
    }
  }

  function letOneThrough(): void {
    const [first] = waiting;
    first?.pass();
  }

  /** Whether it is worth looking again at once; otherwise one of those under way will come back and look. */
  async function reserveMore(): Promise<boolean> {
    const report = { ended, underWay, sight };
    ended = 0;
    reserved = 0;
    const grant = await ledger.take(report);
    sight = joinSights(sight, grant.sight);
    reserved = grant.count;
    reservedAtMs = clock.now();
    if (mayPass()) return true;
    if (underWay > 0) return false;
    // What the ledger grants and the newest answer forbids is asked for again, though not without a breath.
    await waitUntil(Math.max(grant.againAtMs, clock.now() + shortestWaitMs));
    return true;
  }

  async function waitUntil(untilMs: number): Promise<void> {
    const waitMs = untilMs - clock.now();
    // Where the deadline has passed already, that is what there is to say.
    patience.timeoutMs(waitMs);
    if (!patience.allowsWait(waitMs)) throw limitReached(waitMs, clock.now());
    if (waitMs >= worthTellingMs) observe({ type: 'waiting', waitMs, untilMs });
    nobodyWaits = new AbortController();
    await clock.sleep(waitMs, nobodyWaits.signal).catch((thrown: unknown) => {
      if (!nobodyWaits.signal.aborted) throw thrown;
    });
  }
}

/** Lets at most so many tasks run side by side; the others wait in the order they came. */
export type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result>;

export function createSemaphore(width: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = width;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
