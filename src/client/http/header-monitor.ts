import type { Clock } from '../deadline.ts';
import type { DialectDetector } from '../dialect/dialect.ts';
import type { Observe } from '../events.ts';
import { parseRateLimit, type RateLimit } from '../rate-limit/rate-limit-headers.ts';
import { readHeader } from '../response-headers.ts';
import { quote } from './quote.ts';
import type { RawResponse } from './send.ts';

/** Reads the response headers that concern more than one request: rate limit, idempotency keys, deprecation. */
export function createHeaderMonitor(clock: Clock, dialect: DialectDetector, observe: Observe) {
  let newest: RateLimit | undefined;
  let hasWarned = false;
  return {
    limits: () => newest,
    /** Returns the rate limit that this response reports. */
    check({ headers }: RawResponse): RateLimit | undefined {
      const limit = parseRateLimit(headers, clock.now());
      newest = limit ?? newest;
      // A server that reports “not a replay” also checks for replays.
      const isReplay = readHeader(headers, 'idempotent-replayed');
      const hasKeys = Number(readHeader(headers, 'salon-idempotency-keys')) > 0;
      if (hasKeys || isReplay === 'true' || isReplay === 'false') dialect.learn('idempotencyKeys', true);
      const sunset = readHeader(headers, 'sunset');
      if (!hasWarned && (sunset ?? readHeader(headers, 'deprecation')) !== undefined) {
        hasWarned = true;
        const end = sunset === undefined ? '' : ` and will be shut down on ${quote(sunset, 60)}`;
        observe({ type: 'warning', message: `This version of the API is deprecated${end}.` });
      }
      return limit;
    },
  };
}
