import type { Clock } from '../clock.ts';
import type { DialectDetector } from '../dialect/dialect.ts';
import type { Observe } from '../events.ts';
import { headerOf } from '../headers.ts';
import { parseRateLimit, type RateLimit } from '../rate-limit/rate-limit.ts';
import { toQuote } from './quote.ts';
import type { RawResponse } from './send.ts';

/** Watches the headers of every answer for what concerns more than that answer. */
export interface HeaderMonitor {
  /** Answers what this very answer said of the limit. */
  see(answer: RawResponse): RateLimit | undefined;
  limits(): RateLimit | undefined;
}

export interface HeaderMonitorOptions {
  readonly clock: Clock;
  readonly dialect: DialectDetector;
  readonly observe: Observe;
}

export function createHeaderMonitor({ clock, dialect, observe }: HeaderMonitorOptions): HeaderMonitor {
  let newest: RateLimit | undefined;
  let hasWarned = false;
  return {
    limits: () => newest,
    see({ headers }) {
      const limit = parseRateLimit(headers, clock.now());
      newest = limit ?? newest;
      if (honoursKeys(headers)) dialect.learn('idempotencyKeys', true);
      const warning = hasWarned ? undefined : describeEnd(headers);
      if (warning === undefined) return limit;
      hasWarned = true;
      observe({ type: 'warning', message: warning });
      return limit;
    },
  };
}

/** Whoever says that this was no replay looks for one, too. */
function honoursKeys(headers: RawResponse['headers']): boolean {
  const isReplay = headerOf(headers, 'idempotent-replayed');
  return (
    isReplay === 'true' || isReplay === 'false' || Number(headerOf(headers, 'salon-idempotency-keys')) > 0
  );
}

/** What `Deprecation` and `Sunset` say about the version in use. */
function describeEnd(headers: RawResponse['headers']): string | undefined {
  const sunset = headerOf(headers, 'sunset');
  if (sunset !== undefined) return `This version of the service ends: ${toQuote(sunset, 60)}.`;
  const deprecation = headerOf(headers, 'deprecation');
  return deprecation === undefined ? undefined : 'This version of the service is deprecated.';
}
