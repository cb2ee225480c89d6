import type { Clock } from '../deadline.ts';
import type { DialectDetector } from '../dialect/dialect.ts';
import type { Observe } from '../events.ts';
import { parseRateLimit, type RateLimit } from '../rate-limit/rate-limit-headers.ts';
import { readHeader } from '../response-headers.ts';
import { quote } from './quote.ts';
import type { RawResponse } from './send.ts';

/** Reads the response headers that concern more than one request: rate limit, idempotency keys, deprecation. */
export function createHeaderMonitor({
  clock,
  dialect,
  observe,
}: {
  readonly clock: Clock;
  readonly dialect: DialectDetector;
  readonly observe: Observe;
}) {
  let newest: RateLimit | undefined;
  let hasWarned = false;
  return {
    limits: () => newest,
    /** Returns the rate limit that this response reports. */
    check({ headers }: RawResponse): RateLimit | undefined {
      const limit = parseRateLimit(headers, clock.now());
      newest = limit ?? newest;
      if (honoursKeys(headers)) dialect.learn('idempotencyKeys', true);
      const message = hasWarned ? undefined : toDeprecationWarning(headers);
      if (message !== undefined) {
        hasWarned = true;
        observe({ type: 'warning', message });
      }
      return limit;
    },
  };
}

/** A server that reports “not a replay” also checks for replays. */
function honoursKeys(headers: RawResponse['headers']): boolean {
  const isReplay = readHeader(headers, 'idempotent-replayed');
  return (
    isReplay === 'true' || isReplay === 'false' || Number(readHeader(headers, 'salon-idempotency-keys')) > 0
  );
}

function toDeprecationWarning(headers: RawResponse['headers']): string | undefined {
  const sunset = readHeader(headers, 'sunset');
  if (sunset !== undefined)
    return `This version of the API is deprecated and will be shut down on ${quote(sunset, 60)}.`;
  const deprecation = readHeader(headers, 'deprecation');
  return deprecation === undefined ? undefined : 'This version of the API is deprecated.';
}
