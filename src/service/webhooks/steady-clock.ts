/** Whether the clock can be trusted with deletions. */
export interface SteadyClock {
  /** To be called often: compares the clock with a monotonic one. */
  observe(): void;
  /** Whether the clock has not leapt for an hour. False for the first hour: it may have been wrong at the start. */
  isSteady(): boolean;
  /** Whether the clock has leapt in the last hour. */
  hasLeapt(): boolean;
}

interface Clocks {
  now(): Date;
  /** Milliseconds since any moment, from a monotonic clock. */
  monotonicMs(): number;
}

/** Smaller steps are normal clock adjustments. */
const toleranceMs = 60_000;
const settlingMs = 3_600_000;

/** Creates a watch for clocks that leap, ahead or back. A clock that is a month ahead would expire everything. */
export function createSteadyClock({ now, monotonicMs }: Clocks): SteadyClock {
  const readOffset = () => now().getTime() - monotonicMs();
  let offsetMs = readOffset();
  let steadySinceMs = monotonicMs();
  let leaptMs = Number.NEGATIVE_INFINITY;

  function observe(): void {
    const currentMs = readOffset();
    if (Math.abs(currentMs - offsetMs) > toleranceMs) {
      leaptMs = monotonicMs();
      steadySinceMs = leaptMs;
    }
    offsetMs = currentMs;
  }

  return {
    observe,
    isSteady: () => monotonicMs() - steadySinceMs >= settlingMs,
    hasLeapt: () => monotonicMs() - leaptMs < settlingMs,
  };
}
