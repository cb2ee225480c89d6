import type { Clock } from '../../src/client/deadline.ts';

export interface TestClock extends Clock {
  /** Every requested wait, in order. */
  readonly waits: readonly number[];
}

/** A clock that only advances when something waits. */
export function createTestClock(startMs = Date.UTC(2026, 0, 1)): TestClock {
  let nowMs = startMs;
  const waits: number[] = [];
  return {
    waits,
    now: () => nowMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      nowMs += ms;
    },
  };
}
