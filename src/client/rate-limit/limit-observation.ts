import type { RateLimit } from './rate-limit.ts';

/** What one answer told of the limit. */
export interface Reading {
  readonly remaining: number;
  /** When the answer was there, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** From when on it tells nothing any more. */
  readonly endsAtMs: number;
}

/** What several answers together say of a limit. Sights of several processes can be joined in any order. */
export interface Sight {
  /** When the newest of the requests that were answered was sent. */
  readonly newestSentAtMs: number;
  /** The answers of which one may have been counted last. */
  readonly readings: readonly Reading[];
  /** When an answer last showed that there is a limit, and when a request was last sent that showed none. */
  readonly limitSeenAtMs: number;
  readonly noneSeenAtMs: number;
  /** When the server last refused for a limit, and until when nothing is to be sent after it. */
  readonly refusedAtMs: number;
  readonly pausedUntilMs: number;
  readonly windowMs: number;
}

export const emptySight: Sight = {
  newestSentAtMs: 0,
  readings: [],
  limitSeenAtMs: 0,
  noneSeenAtMs: 0,
  refusedAtMs: 0,
  pausedUntilMs: 0,
  windowMs: 3_600_000,
};

/** An answer that was no refusal. */
export interface Seen {
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
  readonly limit: RateLimit | undefined;
}

/** Ends of windows come in whole seconds, and nobody says whether they were rounded up or down. */
const roundingMs = 1_000;
/** How long a count without an end is believed. */
const believedMs = 60_000;

/** Adds what an answer says. */
export function addSeen(sight: Sight, { sentAtMs, receivedAtMs, limit }: Seen): Sight {
  if (limit?.remaining === undefined) {
    return { ...sight, noneSeenAtMs: Math.max(sight.noneSeenAtMs, sentAtMs) };
  }
  const { remaining, resetAtMs = receivedAtMs + believedMs - roundingMs } = limit;
  const reading = { remaining, receivedAtMs, endsAtMs: resetAtMs + roundingMs };
  return joinSights(sight, {
    ...emptySight,
    newestSentAtMs: sentAtMs,
    readings: [reading],
    limitSeenAtMs: receivedAtMs,
    windowMs: limit.windowMs ?? sight.windowMs,
  });
}

/** Adds a refusal for a limit, after which nothing should be sent for a while. */
export function addRefusal(sight: Sight, refusedAtMs: number, waitMs: number): Sight {
  return joinSights(sight, {
    ...emptySight,
    limitSeenAtMs: refusedAtMs,
    refusedAtMs,
    pausedUntilMs: refusedAtMs + waitMs,
    windowMs: sight.windowMs,
  });
}

/** What both know. */
export function joinSights(one: Sight, other: Sight): Sight {
  const [older, newer] = one.limitSeenAtMs <= other.limitSeenAtMs ? [one, other] : [other, one];
  const latest = (part: Exclude<keyof Sight, 'readings'>) => Math.max(one[part], other[part]);
  const newestSentAtMs = latest('newestSentAtMs');
  const refusedAtMs = latest('refusedAtMs');
  // What had arrived before another request was sent was counted before it, so it was not counted last.
  const candidates = [...older.readings, ...newer.readings].filter(
    ({ receivedAtMs }) => receivedAtMs >= newestSentAtMs && receivedAtMs > refusedAtMs,
  );
  return {
    newestSentAtMs,
    readings: lowest(candidates),
    limitSeenAtMs: latest('limitSeenAtMs'),
    noneSeenAtMs: latest('noneSeenAtMs'),
    refusedAtMs,
    pausedUntilMs: latest('pausedUntilMs'),
    windowMs: newer.windowMs,
  };
}

/** Leaves out readings that one with less left outlives, so that only a few are ever kept. */
function lowest(readings: readonly Reading[]): Reading[] {
  const kept: Reading[] = [];
  for (const reading of readings.toSorted(
    (a, b) => b.receivedAtMs - a.receivedAtMs || a.remaining - b.remaining,
  )) {
    const isOutlived = kept.some(
      ({ remaining, endsAtMs }) => remaining <= reading.remaining && endsAtMs >= reading.endsAtMs,
    );
    if (!isOutlived) kept.push(reading);
  }
  return kept;
}

/**
 * How the limit stands: so many left for what is not answered yet; there is none to be seen; or there is one, and how
 * much of it is left is not known.
 */
export type Standing =
  | { readonly kind: 'told'; readonly remaining: number; readonly endsAtMs: number }
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'unknown' };

/** Reads a sight so that it never tells more than there is, whatever order the answers came in. */
export function readSight(sight: Sight, nowMs: number): Standing {
  const [first, ...others] = sight.readings;
  // The least may have been counted last, so one that lives longer does not replace it when its own time is over.
  const least = others.reduce((a, b) => (a === undefined || b.remaining < a.remaining ? b : a), first);
  if (least !== undefined && nowMs < least.endsAtMs) {
    return { kind: 'told', remaining: least.remaining, endsAtMs: least.endsAtMs };
  }
  return { kind: sight.limitSeenAtMs > sight.noneSeenAtMs ? 'unknown' : 'unlimited' };
}
