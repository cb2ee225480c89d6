import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bounded, so that other processes get the lock between two commits. */
export const maxGroupSize = 64;

/** Waits for bodies to share a commit: for further turns of the event loop, as long as each of them brings another one. */
export async function gatherGroup(queue: readonly unknown[]): Promise<void> {
  for (let before = 0; before < queue.length && queue.length < maxGroupSize; ) {
    before = queue.length;
    await nextTurn();
  }
}
