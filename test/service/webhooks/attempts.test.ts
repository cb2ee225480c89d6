import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliverySchedule } from '../../../src/contract/delivery.ts';
import { toNextAttemptMs } from '../../../src/service/webhooks/attempts.ts';

const begunMs = Date.UTC(2026, 0, 5, 9);
const dayMs = deliverySchedule[9];
const first = { begunMs, endedMs: begunMs + 200, made: 1, chance: 0 };

describe('the next try', () => {
  it('is due by the schedule, counted from the first one, and at most a twentieth of the pause later', () => {
    const made = fc.integer({ min: 1, max: deliverySchedule.length - 1 });
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(made, chance, (tries, drawn) => {
        const [before = 0, planned = 0] = [deliverySchedule[tries - 1], deliverySchedule[tries]];
        const endedMs = begunMs + before + 200;
        const waitedMs = (toNextAttemptMs({ begunMs, endedMs, made: tries, chance: drawn }) ?? 0) - begunMs;
        expect(waitedMs).toBeGreaterThanOrEqual(planned);
        expect(waitedMs).toBeLessThanOrEqual(planned + Math.ceil((planned - before) / 20));
      }),
    );
  });

  it('is none once ten were made', () => {
    expect(toNextAttemptMs({ ...first, made: 10 })).toBeUndefined();
  });

  it('keeps its pause where the service stood still meanwhile', () => {
    const endedMs = begunMs + 3 * dayMs;
    const pauseMs = deliverySchedule[4] - deliverySchedule[3];
    expect(toNextAttemptMs({ ...first, endedMs, made: 4 })).toBe(endedMs + pauseMs);
  });

  it.each([
    ['seconds', '120', first.endedMs + 120_000],
    ['a date', new Date(begunMs + 600_000).toUTCString(), begunMs + 600_000],
    ['less than the schedule', '1', begunMs + 5000],
    ['a date that is over', new Date(begunMs - 600_000).toUTCString(), begunMs + 5000],
    ['more than the whole schedule', '999999', begunMs + dayMs],
    ['a date in a hundred years', new Date(begunMs + 36_525 * dayMs).toUTCString(), begunMs + dayMs],
    ['something else', 'soon', begunMs + 5000],
    ['less than nothing', '-5', begunMs + 5000],
  ])(
    'comes no sooner than the receiver asks for, up to the end of the schedule: %s',
    (_title, retryAfter, dueMs) => {
      expect(toNextAttemptMs({ ...first, retryAfter })).toBe(dueMs);
    },
  );
});
