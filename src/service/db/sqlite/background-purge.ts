import { setTimeout as delay } from 'node:timers/promises';

/** Between two purges, so that many erasures do not keep the disk busy. */
const pauseMs = 1000;

export interface BackgroundPurge {
  /** Has a purge made soon; one that is running does not count, because it may have begun before the erasure. */
  request(): void;
  /** Ends pauses, and waits for a purge that is running. */
  close(): Promise<void>;
}

/** Purges when asked. What fails, or is prevented by a process that reads, is left to the regular clean-up. */
export function createBackgroundPurge(purge: () => Promise<boolean>): BackgroundPurge {
  const closing = new AbortController();
  const { signal } = closing;
  let isRequested = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (isRequested && !signal.aborted) {
      isRequested = false;
      await purge().catch(() => false);
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    running = undefined;
  }

  return {
    request() {
      isRequested = true;
      running ??= run();
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
