import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliverySchedule } from '../../../src/contract/delivery.ts';
import { toNextAttemptMs } from '../../../src/service/webhooks/attempts.ts';

const firstAttemptMs = Date.UTC(2026, 0, 5, 9);
const dayMs = deliverySchedule[9];
const first = { firstAttemptMs, endedMs: firstAttemptMs + 200, attempts: 1, random: 0 };

describe('the next attempt', () => {
  it('is due on schedule after the first attempt, plus at most 5 % of the interval', () => {
    const attemptCounts = fc.integer({ min: 1, max: deliverySchedule.length - 1 });
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(attemptCounts, shares, (attempts, share) => {
        const [before = 0, planned = 0] = [deliverySchedule[attempts - 1], deliverySchedule[attempts]];
        const endedMs = firstAttemptMs + before + 200;
        const waitedMs =
          (toNextAttemptMs({ firstAttemptMs, endedMs, attempts, random: share }) ?? 0) - firstAttemptMs;
        expect(waitedMs).toBeGreaterThanOrEqual(planned);
        expect(waitedMs).toBeLessThanOrEqual(planned + Math.ceil((planned - before) / 20));
      }),
    );
  });

  it('does not exist after ten attempts', () => {
    expect(toNextAttemptMs({ ...first, attempts: 10 })).toBeUndefined();
  });

  it('keeps its interval after the service was down', () => {
    const endedMs = firstAttemptMs + 3 * dayMs;
    const pauseMs = deliverySchedule[4] - deliverySchedule[3];
    expect(toNextAttemptMs({ ...first, endedMs, attempts: 4 })).toBe(endedMs + pauseMs);
  });

  it.each([
    ['seconds', '120', first.endedMs + 120_000],
    ['a date', new Date(firstAttemptMs + 600_000).toUTCString(), firstAttemptMs + 600_000],
    ['less than scheduled', '1', firstAttemptMs + 5000],
    ['a date in the past', new Date(firstAttemptMs - 600_000).toUTCString(), firstAttemptMs + 5000],
    ['more than the whole schedule', '999999', firstAttemptMs + dayMs],
    [
      'a date in a hundred years',
      new Date(firstAttemptMs + 36_525 * dayMs).toUTCString(),
      firstAttemptMs + dayMs,
    ],
    ['an invalid value', 'soon', firstAttemptMs + 5000],
    ['a negative number', '-5', firstAttemptMs + 5000],
  ])('respects Retry-After up to the end of the schedule: %s', (_title, retryAfter, dueMs) => {
    expect(toNextAttemptMs({ ...first, retryAfter })).toBe(dueMs);
  });
});
