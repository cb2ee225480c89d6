import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Writer } from './engine.ts';

/** A body that waits to run in a transaction. */
export interface QueuedBody {
  /** Runs it and returns what resolves its promise after the commit. */
  run(tx: Writer): Promise<Settle>;
  reject(error: unknown): void;
}

export type Settle = () => void;

/** Bounded, so that other processes get the lock between two commits. */
export const maxGroupSize = 64;

/** Waits for bodies to share a commit: for further turns of the event loop, as long as each of them brings another one. */
export async function gatherGroup(queue: readonly unknown[]): Promise<void> {
  for (let before = 0; before < queue.length && queue.length < maxGroupSize; ) {
    before = queue.length;
    await nextTurn();
  }
}

/** Queues a body by `add`. The promise settles when what is queued is settled or rejected. */
export function queueBody<Result>(
  body: (tx: Writer) => Promise<Result>,
  add: (queued: QueuedBody) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const run = async (tx: Writer) => {
      const result = await body(tx);
      return () => resolve(result);
    };
    add({ run, reject });
  });
}
