import { setTimeout as delay } from 'node:timers/promises';
import { isBusy } from './faults.ts';

/** How long to wait for another process to finish its transaction before giving up. */
const patienceMs = 10_000;
const longestPauseMs = 25;

/**
 * Runs an act that another process's lock may refuse, again and again with short pauses. SQLite's own busy
 * timeout would hold up this whole process, and with it whoever is to release the lock.
 */
export async function retryWhileBusy(act: () => void): Promise<void> {
  let refusal: unknown;
  const isDone = await waitUntil(() => {
    try {
      act();
      return true;
    } catch (fault) {
      if (!isBusy(fault)) throw fault;
      refusal = fault;
      return false;
    }
  }, patienceMs);
  if (!isDone) throw refusal;
}

/** Tries in the same way until it answers true; false where it never did for so long. */
export async function waitUntil(attempt: () => boolean, mostMs: number): Promise<boolean> {
  for (let waitedMs = 0, pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (attempt()) return true;
    if (waitedMs >= mostMs) return false;
    await delay(pauseMs);
    waitedMs += pauseMs;
  }
}
