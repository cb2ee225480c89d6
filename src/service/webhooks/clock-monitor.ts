/** Whether the clock can be trusted with deletions. */
export interface ClockMonitor {
  /** To be called often: compares the clock with a monotonic one. */
  observe(): void;
  /** Whether the clock has not jumped for an hour. False for the first hour: it may have been wrong at the start. */
  isStable(): boolean;
  /** Whether the clock has jumped in the last hour. */
  hasJumped(): boolean;
}

interface Clocks {
  now(): Date;
  /** Milliseconds since any moment, from a monotonic clock. */
  monotonicMs(): number;
}

/** Smaller steps are normal clock adjustments. */
const toleranceMs = 60_000;
const settlingMs = 3_600_000;

/** Creates a monitor for clocks that jump, ahead or back. A clock that is a month ahead would expire everything. */
export function createClockMonitor({ now, monotonicMs }: Clocks): ClockMonitor {
  const readOffset = () => now().getTime() - monotonicMs();
  let offsetMs = readOffset();
  let stableSinceMs = monotonicMs();
  let jumpedMs = Number.NEGATIVE_INFINITY;

  function observe(): void {
    const currentMs = readOffset();
    if (Math.abs(currentMs - offsetMs) > toleranceMs) {
      jumpedMs = monotonicMs();
      stableSinceMs = jumpedMs;
    }
    offsetMs = currentMs;
  }

  return {
    observe,
    isStable: () => monotonicMs() - stableSinceMs >= settlingMs,
    hasJumped: () => monotonicMs() - jumpedMs < settlingMs,
  };
}
