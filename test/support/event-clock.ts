import { setImmediate as settle } from 'node:timers/promises';
import type { Clock } from '../../src/client/deadline.ts';

/** Simulated time: the clock stops while code runs, then advances to the next awaited time. */
export interface EventClock extends Clock {
  /** Runs until no code waits, or until the given time. */
  runUntil(endMs: number): Promise<void>;
}

interface Alarm {
  readonly atMs: number;
  ring(): void;
}

export function createEventClock(startMs: number): EventClock {
  const alarms = new Set<Alarm>();
  let nowMs = startMs;
  return {
    now: () => nowMs,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        const alarm = { atMs: nowMs + ms, ring: resolve };
        alarms.add(alarm);
        signal?.addEventListener('abort', () => {
          alarms.delete(alarm);
          reject(signal.reason);
        });
      });
    },
    async runUntil(endMs) {
      for (;;) {
        await settle();
        const next = earliest(alarms);
        if (next === undefined || next.atMs > endMs) break;
        nowMs = next.atMs;
        alarms.delete(next);
        next.ring();
      }
      nowMs = endMs;
    },
  };
}

function earliest(alarms: ReadonlySet<Alarm>): Alarm | undefined {
  let first: Alarm | undefined;
  for (const alarm of alarms) if (first === undefined || alarm.atMs < first.atMs) first = alarm;
  return first;
}
