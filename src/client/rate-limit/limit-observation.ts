import { maxPauseMs, type RateLimit } from './rate-limit-headers.ts';

interface RemainingCount {
  readonly remaining: number;
  readonly receivedAtMs: number;
  readonly endsAtMs: number;
}

/**
 * What several responses together reveal about a rate limit. Observations of several processes can be merged in any
 * order. Stored as JSON, so the names of its members are a file format. Times are milliseconds since 1970.
 */
export interface LimitObservation {
  /** When the newest request that got a response was sent. */
  readonly newestSentAtMs: number;
  /** Counts of the responses that the server may have counted last. */
  readonly readings: readonly RemainingCount[];
  /** When a response last reported a limit, and when the last request was sent whose response reported none. */
  readonly limitSeenAtMs: number;
  readonly noneSeenAtMs: number;
  /** When the server last responded with 429, and until when nothing may be sent because of it. */
  readonly refusedAtMs: number;
  readonly pausedUntilMs: number;
  readonly windowMs: number;
}

export const emptyObservation: LimitObservation = {
  newestSentAtMs: 0,
  readings: [],
  limitSeenAtMs: 0,
  noneSeenAtMs: 0,
  refusedAtMs: 0,
  pausedUntilMs: 0,
  windowMs: 3_600_000,
};

/** Reset times have whole seconds, and servers may round them up or down. */
const roundingMs = 1_000;
/** How long a count without a reset time is used. */
const defaultValidityMs = 60_000;

/** Adds a response other than 429. */
export function addResponse(
  observation: LimitObservation,
  { sentAtMs, receivedAtMs, limit }: { sentAtMs: number; receivedAtMs: number; limit: RateLimit | undefined },
): LimitObservation {
  if (limit?.remaining === undefined) {
    return { ...observation, noneSeenAtMs: Math.max(observation.noneSeenAtMs, sentAtMs) };
  }
  const { remaining, resetAtMs = receivedAtMs + defaultValidityMs - roundingMs } = limit;
  const endsAtMs = Math.min(resetAtMs + roundingMs, receivedAtMs + maxPauseMs);
  return mergeObservations(observation, {
    ...emptyObservation,
    newestSentAtMs: sentAtMs,
    readings: [{ remaining, receivedAtMs, endsAtMs }],
    limitSeenAtMs: receivedAtMs,
    windowMs: limit.windowMs ?? observation.windowMs,
  });
}

/** Adds a 429 response, after which nothing may be sent for `waitMs`. */
export function addRefusal(
  observation: LimitObservation,
  refusedAtMs: number,
  waitMs: number,
): LimitObservation {
  return mergeObservations(observation, {
    ...emptyObservation,
    limitSeenAtMs: refusedAtMs,
    refusedAtMs,
    pausedUntilMs: refusedAtMs + waitMs,
    windowMs: observation.windowMs,
  });
}

export function mergeObservations(one: LimitObservation, other: LimitObservation): LimitObservation {
  const [older, newer] = one.limitSeenAtMs <= other.limitSeenAtMs ? [one, other] : [other, one];
  const latest = (part: Exclude<keyof LimitObservation, 'readings'>) => Math.max(one[part], other[part]);
  const newestSentAtMs = latest('newestSentAtMs');
  const refusedAtMs = latest('refusedAtMs');
  // A response that arrived before a later request was sent was counted before it, so its count is outdated.
  const candidates = [...older.readings, ...newer.readings].filter(
    ({ receivedAtMs }) => receivedAtMs >= newestSentAtMs && receivedAtMs > refusedAtMs,
  );
  return {
    newestSentAtMs,
    readings: removeRedundant(candidates),
    limitSeenAtMs: latest('limitSeenAtMs'),
    noneSeenAtMs: latest('noneSeenAtMs'),
    refusedAtMs,
    pausedUntilMs: latest('pausedUntilMs'),
    windowMs: newer.windowMs,
  };
}

/** Drops a count if a lower one is valid for longer, so that only a few are kept. */
function removeRedundant(readings: readonly RemainingCount[]): RemainingCount[] {
  const kept: RemainingCount[] = [];
  const newestFirst = readings.toSorted(
    (a, b) => b.receivedAtMs - a.receivedAtMs || a.remaining - b.remaining,
  );
  for (const reading of newestFirst) {
    const isRedundant = kept.some(
      ({ remaining, endsAtMs }) => remaining <= reading.remaining && endsAtMs >= reading.endsAtMs,
    );
    if (!isRedundant) kept.push(reading);
  }
  return kept;
}

/**
 * How many requests remain for those without a response, and until when that is known: infinitely many if the server
 * reports no limit, undefined if there is one of which nothing else is known. Never reports more than remains, in any
 * order of responses.
 */
export function toLimitStatus(
  observation: LimitObservation,
  nowMs: number,
): { readonly remaining: number | undefined; readonly endsAtMs: number } {
  const [first, ...others] = observation.readings;
  // The lowest may have been counted last. A higher one that is valid for longer does not replace it.
  const lowest = others.reduce((a, b) => (a === undefined || b.remaining < a.remaining ? b : a), first);
  if (lowest !== undefined && nowMs < lowest.endsAtMs) return lowest;
  const isLimited = observation.limitSeenAtMs > observation.noneSeenAtMs;
  return { remaining: isLimited ? undefined : Number.POSITIVE_INFINITY, endsAtMs: nowMs };
}
