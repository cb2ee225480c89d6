import { SalonError } from '../../contract/errors.ts';
import type { Environment } from '../domain/context.ts';
import { toAddressLimit } from '../identity/attempt-limits.ts';

/** How many requests without credentials an address may begin in a window. */
const maxPerWindow = 60;
const windowMs = 60_000;
const maxAddresses = 10_000;

/**
 * Limits what unauthenticated requests can store: requests of apps and devices that wait for a person. Counts within
 * this process. Throws `rate_limited`.
 */
export function createRequestLimit(environment: Environment): (address: string | null) => void {
  let counts = new Map<string, number>();
  let startMs = Number.NEGATIVE_INFINITY;
  return (address) => {
    const nowMs = environment.now().getTime();
    // Also when the clock is set back.
    if (Math.abs(nowMs - startMs) >= windowMs || counts.size >= maxAddresses) {
      counts = new Map();
      startMs = nowMs;
    }
    const { key } = toAddressLimit(address);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > maxPerWindow) {
      throw new SalonError(
        'rate_limited',
        'Too many requests from this address. Wait a minute and try again.',
        {
          retryAfterMs: windowMs,
        },
      );
    }
  };
}
