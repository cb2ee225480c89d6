import { setTimeout as sleep } from 'node:timers/promises';
import { SalonError } from '../contract/errors.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

export interface DeadlineOptions {
  readonly clock: Clock;
  /** Retries that a series of failures may use, so that many workers do not flood a server that is down. */
  readonly maxRetries: number;
  readonly maxWaitMs: number;
  readonly deadlineMs: number | undefined;
}

const retriesPerSuccess = 0.5;
/** Node's timers fire at once when set to more. */
const maxTimerMs = 2 ** 31 - 1;

export function createDeadline({ clock, maxRetries, maxWaitMs, deadlineMs }: DeadlineOptions) {
  const endMs = clock.now() + (deadlineMs ?? Number.POSITIVE_INFINITY);
  let waitLeftMs = maxWaitMs;
  let waitingUntilMs = 0;
  let retries = maxRetries;
  return {
    /** The time left for a request, at most `wantedMs`. Throws `timeout` once the deadline has passed. */
    timeoutMs(wantedMs: number) {
      const leftMs = endMs - clock.now();
      if (leftMs <= 0) {
        throw new SalonError('timeout', 'The deadline for the whole command has passed.', {
          hint: 'Allow more time, or split the work into smaller parts.',
          retryable: true,
        });
      }
      return Math.min(wantedMs, leftMs, maxTimerMs);
    },
    /** Uses up waiting time; false where too little is left. Waits that overlap count once. */
    reserveWait(waitMs: number) {
      const nowMs = clock.now();
      const untilMs = nowMs + waitMs;
      const addedMs = Math.max(0, untilMs - Math.max(nowMs, waitingUntilMs));
      if (addedMs > waitLeftMs || untilMs >= endMs || waitMs > maxTimerMs) return false;
      waitLeftMs -= addedMs;
      waitingUntilMs = Math.max(waitingUntilMs, untilMs);
      return true;
    },
    /** Uses up a retry; false where too many recent requests have failed. */
    reserveRetry() {
      if (retries < 1) return false;
      retries -= 1;
      return true;
    },
    /** Every success earns a part of a retry back. */
    recordSuccess() {
      retries = Math.min(maxRetries, retries + retriesPerSuccess);
    },
  };
}

/** The time and the retries that all requests of a client share. */
export type Deadline = ReturnType<typeof createDeadline>;

export function createInterruptedError(reason: unknown): SalonError {
  return new SalonError('interrupted', 'Interrupted.', { cause: reason });
}

const acts = new WeakMap<AbortSignal, readonly (() => void)[]>();

/**
 * Calls `act` when the signal fires, until the function returned is called. There is one listener for all: Node chains
 * those of a signal, and while many requests overlap, a removed one keeps all later ones in memory, with their responses.
 */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal === undefined) return () => {};
  // The tables of a set would be chained, too.
  acts.set(signal, [...(acts.get(signal) ?? []), act]);
  signal.addEventListener('abort', runActs);
  return () => {
    const others = (acts.get(signal) ?? []).filter((other) => other !== act);
    acts.set(signal, others);
    if (others.length === 0) signal.removeEventListener('abort', runActs);
  };
}

function runActs({ target }: Event): void {
  for (const act of acts.get(target as AbortSignal) ?? []) act();
}
