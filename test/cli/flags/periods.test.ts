import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePeriod } from '../../../src/cli/flags/periods.ts';
import { renderSpan } from '../../../src/cli/report/time-groups.ts';
import { dayMs } from '../../../src/time/time.ts';

/** A Saturday in New York; Sunday already in UTC. */
const context = { now: new Date('2026-11-22T02:00:00Z'), timeZone: 'America/New_York', endsToday: false };
const render = (period: string, change = {}) => {
  const { before, ...span } = parsePeriod({ period }, { ...context, ...change });
  return [renderSpan(span), renderSpan(before)];
};

describe('a period', () => {
  it.each([
    ['last week', '9–15 November 2026', '2–8 November 2026'],
    ['This_Week', '16–22 November 2026', '9–15 November 2026'],
    ['next-week', '23–29 November 2026', '16–22 November 2026'],
    ['last month', 'October 2026', 'September 2026'],
    ['this quarter', '1 October – 31 December 2026', '1 July – 30 September 2026'],
    ['last year', '2025', '2024'],
    ['last 7 days', '15–21 November 2026', '8–14 November 2026'],
    ['last 2 weeks', '8–21 November 2026', '25 October – 7 November 2026'],
    ['today', 'Saturday 21 November 2026', 'Friday 20 November 2026'],
    ['yesterday', 'Friday 20 November 2026', 'Thursday 19 November 2026'],
    ['2026-11-01', 'Sunday 1 November 2026', 'Saturday 31 October 2026'],
    ['october', 'October 2026', 'September 2026'],
    ['dec', 'December 2025', 'November 2025'],
    ['march 2024', 'March 2024', 'February 2024'],
    ['2026-q1', '1 January – 31 March 2026', '1 October – 31 December 2025'],
    ['2026-w01', '29 December 2025 – 4 January 2026', '22–28 December 2025'],
    ['2026', '2026', '2025'],
  ])('%s is %s, compared with %s', (text, span, before) => {
    expect(render(text)).toEqual([span, before]);
  });

  it.each([
    ['this month', '1–21 November 2026', '1–21 October 2026', '2026-11-21'],
    ['this week', '16–21 November 2026', '9–14 November 2026', '2026-11-21'],
    // The month before is shorter.
    ['this month', '1–30 March 2026', 'February 2026', '2026-03-30'],
    ['this year', '1 January – 29 February 2024', '1 January – 28 February 2023', '2024-02-29'],
    ['last month', 'October 2026', 'September 2026', '2026-11-21'],
  ])('%s so far is %s, compared with %s', (text, span, before, today) => {
    const now = new Date(`${today}T15:00:00Z`);
    expect(render(text, { now, endsToday: true })).toEqual([span, before]);
  });

  it.each(['', 'last', 'soon', '2026-13', 'last 0 days', 'now'])('is not "%s"', (period) => {
    expect(() => parsePeriod({ period }, context)).toThrow(`"${period}" is not a period.`);
  });

  it('ends on the first such weekday from its start on, as the range of a list', () => {
    const { from, to } = parsePeriod({ from: 'fri', to: 'mon' }, context);
    expect(to - from).toBe(4 * 86_400_000);
  });

  it('is no day that does not exist, or whose month is unclear', () => {
    expect(() => parsePeriod({ period: '2026-02-30' }, context)).toThrow('does not exist');
    expect(() => parsePeriod({ period: '01/02/2026' }, context)).toThrow('may be');
    expect(() => parsePeriod({ from: '1950-01-01', to: '2026-01-01' }, context)).toThrow('at most 50 years');
  });

  it('is followed by the one it is compared with, which is as long', () => {
    const day = fc.integer({ min: 0, max: 4000 }).map((days) => Date.UTC(2020, 0) + days * dayMs);
    const toText = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 400 }), (start, length) => {
        const { from, to, before } = parsePeriod(
          { from: toText(start), to: toText(start + length * dayMs) },
          context,
        );
        expect([from, to, before.to]).toEqual([start, start + (length + 1) * dayMs, from]);
        const isMonths = new Date(from).getUTCDate() === 1 && new Date(to).getUTCDate() === 1;
        if (!isMonths) expect(before.to - before.from).toBe(to - from);
        else expect(new Date(before.from).getUTCDate()).toBe(1);
      }),
    );
  });
});
