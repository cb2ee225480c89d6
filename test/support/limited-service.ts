import type { RateLimit } from '../../src/client/rate-limit/rate-limit-headers.ts';

/** The response of a simulated service: whether it is a 429, and the rate limit it reports. */
interface Served {
  readonly isRefused: boolean;
  readonly limit: RateLimit | undefined;
  readonly retryAfterMs: number;
}

/** A service with a limit, in simulated time. */
export interface LimitedService {
  serve(nowMs: number): Served;
  /** When each request was served, without those answered with 429. */
  readonly servedAtMs: readonly number[];
  readonly refusals: () => number;
}

export interface LimitedServiceOptions {
  readonly limit: number;
  readonly windowMs: number;
  readonly startMs: number;
  /** Whether it reports its limit. */
  readonly isTelling?: boolean;
}

/** Counts requests in fixed windows. */
export function createFixedWindowService(options: LimitedServiceOptions): LimitedService {
  const { limit, windowMs, startMs } = options;
  return createService(options, (served, nowMs) => {
    const windowStartMs = nowMs - ((nowMs - startMs) % windowMs);
    const used = served.length - firstSince(served, windowStartMs);
    return { left: limit - used, resetAtMs: windowStartMs + windowMs };
  });
}

/** Counts the requests served in a sliding window. */
export function createSlidingWindowService(options: LimitedServiceOptions): LimitedService {
  const { limit, windowMs } = options;
  return createService(options, (served, nowMs) => {
    const first = firstSince(served, nowMs - windowMs + 1);
    return { left: limit - (served.length - first), resetAtMs: (served[first] ?? nowMs) + windowMs };
  });
}

type Count = (servedAtMs: readonly number[], nowMs: number) => { left: number; resetAtMs: number };

function createService(
  { limit, windowMs, isTelling = true }: LimitedServiceOptions,
  count: Count,
): LimitedService {
  const servedAtMs: number[] = [];
  let refusals = 0;
  return {
    servedAtMs,
    refusals: () => refusals,
    serve(nowMs) {
      const before = count(servedAtMs, nowMs);
      const isRefused = before.left < 1;
      if (isRefused) refusals += 1;
      else servedAtMs.push(nowMs);
      const { left, resetAtMs } = count(servedAtMs, nowMs);
      // Like most services, it reports whole seconds.
      const toldMs = nowMs + Math.floor((resetAtMs - nowMs) / 1000) * 1000;
      const told = { limit, remaining: left, resetAtMs: toldMs, windowMs };
      return { isRefused, limit: isTelling ? told : undefined, retryAfterMs: resetAtMs - nowMs };
    },
  };
}

/** The index of the first time at or after a moment. */
export function firstSince(timesMs: readonly number[], sinceMs: number): number {
  let [low, high] = [0, timesMs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timesMs[middle] ?? 0) < sinceMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
