import { SalonError } from '../contract/errors.ts';
import type { Clock } from './clock.ts';

/** How long a client as a whole may go on: its deadline, its waiting, its repeats. */
export interface Deadline {
  /** Time a request may take that would like `wantedMs`. Throws `timeout` when the deadline has passed. */
  timeoutMs(wantedMs: number): number;
  /** Books a wait; false when it does not fit in any more. Waits that overlap are counted once. */
  allowsWait(waitMs: number): boolean;
  /** Books a repeat; false when too many of the requests of late have failed, whoever sent them. */
  allowsRepeat(): boolean;
  /** Every success earns back a part of a repeat. */
  succeeded(): void;
}

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly maxWaitMs: number;
  readonly deadlineMs: number | undefined;
}

/** Repeats that a run of failures may cost: when a server is down, a crowd of workers must not knock on. */
const mostRepeats = 10;
const repeatsPerSuccess = 0.1;
/** A timer of Node holds no more; it would end at once. */
const longestTimerMs = 2 ** 31 - 1;

export function createDeadline({ clock, maxWaitMs, deadlineMs }: DeadlineOptions): Deadline {
  const endMs = clock.now() + (deadlineMs ?? Number.POSITIVE_INFINITY);
  let waitLeftMs = maxWaitMs;
  let waitingUntilMs = 0;
  let repeats = mostRepeats;
  return {
    timeoutMs(wantedMs) {
      const leftMs = endMs - clock.now();
      if (leftMs <= 0) throw deadlinePassed();
      return Math.min(wantedMs, leftMs, longestTimerMs);
    },
    allowsWait(waitMs) {
      const nowMs = clock.now();
      const untilMs = nowMs + waitMs;
      const addedMs = Math.max(0, untilMs - Math.max(nowMs, waitingUntilMs));
      if (addedMs > waitLeftMs || untilMs >= endMs || waitMs > longestTimerMs) return false;
      waitLeftMs -= addedMs;
      waitingUntilMs = Math.max(waitingUntilMs, untilMs);
      return true;
    },
    allowsRepeat() {
      if (repeats < 1) return false;
      repeats -= 1;
      return true;
    },
    succeeded() {
      repeats = Math.min(mostRepeats, repeats + repeatsPerSuccess);
    },
  };
}

function deadlinePassed(): SalonError {
  return new SalonError('timeout', 'The time allowed for the whole of this work is over.', {
    hint: 'Allow more time, or do it in smaller parts.',
    retryable: true,
  });
}

/** What ends a request: `stop` only before it is begun, `abort` also while it is under way. */
export interface AbortSignals {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

export interface ClientSignals {
  readonly stop: AbortSignal | undefined;
  readonly abort: AbortSignal;
}

/** Joins a client's signals with that of a request. The thousands of requests of a walk share one, and what comes of it. */
export function createAbortSignals(client: ClientSignals): (signal: AbortSignal | undefined) => AbortSignals {
  const own = toEndings(client.abort, client.stop);
  const joined = new WeakMap<AbortSignal, AbortSignals>();
  return (signal) => {
    if (signal === undefined) return own;
    const known = joined.get(signal) ?? toEndings(AbortSignal.any([client.abort, signal]), client.stop);
    joined.set(signal, known);
    return known;
  };
}

function toEndings(abort: AbortSignal, stop: AbortSignal | undefined): AbortSignals {
  return { abort, stop: stop === undefined ? abort : AbortSignal.any([abort, stop]) };
}

/** The error for a request whose signal was aborted. */
export function interrupted(reason: unknown): SalonError {
  return new SalonError('interrupted', 'Interrupted.', { cause: reason });
}
