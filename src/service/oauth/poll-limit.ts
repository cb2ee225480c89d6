import type { Environment } from '../domain/context.ts';

/** How long a device waits between two requests, in seconds (RFC 8628). */
export const pollSeconds = 5;

/** A request that is early by less is the network's doing. */
const toleranceMs = 500;
const maxKept = 10_000;

/** Tells whether a device may ask again with its code, or must slow down. Counts within this process. */
export function createPollLimit(environment: Environment): (hash: string) => boolean {
  const last = new Map<string, number>();
  return (hash) => {
    const now = environment.now().getTime();
    const before = last.get(hash);
    if (last.size >= maxKept) last.clear();
    last.set(hash, now);
    return before === undefined || Math.abs(now - before) >= pollSeconds * 1000 - toleranceMs;
  };
}
