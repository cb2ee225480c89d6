import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listRepeats } from '../../src/time/repeats.ts';
import { createZoneClock, dayMs, minuteMs } from '../../src/time/time.ts';
import { countBySpeed } from '../support/speed.ts';

describe('the dates of a repeat', () => {
  const weekly = { count: 1, unit: 'week', times: undefined, until: undefined } as const;
  const zone = createZoneClock('Europe/Lisbon');
  const nowMs = Date.parse('2026-11-29T12:00:00Z');
  const list = (repeat: object, endMs?: number, firstMs = nowMs + dayMs) =>
    listRepeats(firstMs, { ...weekly, ...repeat }, { zone, nowMs, endMs });

  it.each([
    [{ times: 0 }, undefined, 'A repeat has at least 1 date.'],
    [{ times: 53 }, undefined, 'A repeat has at most 52 dates.'],
    [{ unit: 'day' }, Date.UTC(2027, 6), 'A repeat has at most 52 dates.'],
    [{ count: 3, times: 52 }, undefined, 'A repeat ends within two years; 4 December 2028 is later.'],
    [{}, Date.UTC(2026, 10), 'The last day is before the first, 30 November 2026.'],
  ])('%j until %s: %s', (repeat, endMs, sentence) => {
    expect(list(repeat, endMs)).toBe(sentence);
  });

  it('are one to fifty-two', () => {
    expect(list({ times: 1 })).toHaveLength(1);
    expect(list({ times: 52 })).toHaveLength(52);
  });

  it('include the last day', () => {
    expect(list({}, Date.UTC(2026, 11, 8))).toHaveLength(2);
    expect(list({}, Date.UTC(2026, 11, 7))).toHaveLength(1);
  });

  it('are the last days of months without such a day', () => {
    const starts = list({ unit: 'month', times: 4 }, undefined, Date.parse('2026-12-31T10:00:00Z'));
    const days = [...starts].map((start) => new Date((start as { localMs: number }).localMs).toISOString());
    expect(days.map((day) => day.slice(0, 10))).toEqual([
      '2026-12-31',
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
    ]);
  });

  const zones = [
    ...['Europe/Lisbon', 'Europe/Warsaw', 'America/New_York', 'America/St_Johns', 'America/Santiago'],
    ...['Africa/Cairo', 'Asia/Beirut', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland'],
    ...['Pacific/Chatham', 'America/Havana'],
  ];

  it('are those of a calendar that is read day by day, in all zones', () => {
    const interval = fc.record({
      count: fc.integer({ min: 1, max: 6 }),
      unit: fc.constantFrom('day', 'week', 'month'),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 400 * 96 }),
        interval,
        fc.oneof(
          fc.record({ times: fc.integer({ min: 1, max: 20 }) }),
          fc.record({ days: fc.integer({ min: 1, max: 120 }) }),
        ),
        (name, quarters, every, end: { times?: number; days?: number }) => {
          const clock = createZoneClock(name);
          const firstMs = nowMs + quarters * 15 * minuteMs;
          const first = clock.wall(firstMs);
          const endMs = end.days && Math.floor(first / dayMs) * dayMs + end.days * dayMs;
          const repeat = { ...weekly, ...(every as { count: number; unit: 'day' }), times: end.times };
          const found = listRepeats(firstMs, repeat, { zone: clock, nowMs, endMs });
          const dates = listByDay(first, { ...repeat, endMs });
          const twoYearsMs = new Date(clock.wall(nowMs)).setUTCFullYear(2028);
          const tooMany = dates.length > 52 || dates.some((ms) => ms > twoYearsMs);
          if (tooMany) {
            expect(typeof found).toBe('string');
            return;
          }
          expect(found).toEqual(
            dates.map((localMs, index) => ({
              localMs,
              startMs: index === 0 ? firstMs : findByQuarter(localMs, clock),
            })),
          );
        },
      ),
      { numRuns: countBySpeed(250, 3000) },
    );
  });
});

/** A day at a time, counting days, weeks or months since the first. */
function listByDay(
  first: number,
  {
    count,
    unit,
    times = 1000,
    endMs = Number.MAX_SAFE_INTEGER,
  }: { count: number; unit: string; times?: number | undefined; endMs?: number | undefined },
): number[] {
  const dates: number[] = [];
  const start = new Date(first);
  for (let days = 0; days < 7000 && dates.length < times && dates.length < 60; days += 1) {
    const ms = first + days * dayMs;
    if (ms >= endMs) break;
    const date = new Date(ms);
    const months =
      (date.getUTCFullYear() - start.getUTCFullYear()) * 12 + date.getUTCMonth() - start.getUTCMonth();
    const isLast = new Date(ms + dayMs).getUTCDate() === 1;
    const isDayOfMonth =
      date.getUTCDate() === start.getUTCDate() || (isLast && date.getUTCDate() < start.getUTCDate());
    const isMeant =
      unit === 'month'
        ? months % count === 0 && isDayOfMonth
        : days % (unit === 'week' ? 7 * count : count) === 0;
    if (isMeant) dates.push(ms);
  }
  return dates;
}

/** The first instant whose local time it is, a quarter of an hour at a time. */
function findByQuarter(localMs: number, clock: ReturnType<typeof createZoneClock>): number | undefined {
  for (let ms = localMs - 16 * 60 * minuteMs; ms < localMs + 16 * 60 * minuteMs; ms += 15 * minuteMs)
    if (clock.wall(ms) === localMs) return ms;
  return undefined;
}
