import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignStylists, createVisitPlanner, type VisitPart } from '../../../src/cli/booking/visits.ts';
import { minuteMs } from '../../../src/time/time.ts';
import { countBySpeed } from '../../support/speed.ts';

const day = Date.UTC(2026, 10, 30);
const stylists = ['a', 'b', 'c', 'd'];

const span = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 20 }))
  .map(([from, length]) => ({ from: from * 15, to: (from + length) * 15 }));
/** One stretch of free time and a later one, in minutes of the day. */
const freeTime = fc
  .tuple(span, span)
  .map(([one, other]) => [one, { from: one.to + 15 + other.from, to: one.to + 15 + other.to }]);
const part = fc.record({
  wanted: fc.option(fc.constantFrom(...stylists), { nil: undefined, freq: 2 }),
  able: fc.subarray(stylists),
  minutes: fc.constantFrom(15, 30, 60, 75),
});
const visit = fc.record({
  steps: fc.array(fc.array(part, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  pause: fc.constantFrom(0, 15, 45),
  free: fc.array(freeTime, { minLength: 4, maxLength: 4 }),
});
type Case = typeof visit extends fc.Arbitrary<infer Value> ? Value : never;

function toParts({ steps, pause }: Case): VisitPart[] {
  let from = 0;
  return steps.flatMap((step) => {
    const parts = step.map(({ wanted, able, minutes }) => ({
      isAble: (id: string) => (wanted === undefined ? able.includes(id) : id === wanted),
      ...{ fromMs: from * minuteMs, minutes },
    }));
    from += Math.max(...step.map(({ minutes }) => minutes)) + pause;
    return parts;
  });
}

const toFree = ({ free }: Case) =>
  free.map((spans, index) => ({
    ...{ stylistId: stylists[index] ?? '', stylistName: '' },
    spans: spans.map(({ from, to }) => ({ startMs: day + from * minuteMs, endMs: day + to * minuteMs })),
  }));

/** Whether these stylists can do all parts: every rule in so many words. */
function isPossible(given: Case, chosen: readonly string[], start: number): boolean {
  const parts = toParts(given);
  return parts.every(({ isAble, fromMs, minutes }, index) => {
    const id = chosen[index] ?? '';
    const [from, to] = [start + fromMs / minuteMs, start + fromMs / minuteMs + minutes];
    const isFree = given.free[stylists.indexOf(id)]?.some((one) => one.from <= from && one.to >= to);
    const isTwice = parts.some((other, at) => at !== index && chosen[at] === id && other.fromMs === fromMs);
    return isFree === true && !isTwice && isAble(id);
  });
}

function listChoices(count: number): string[][] {
  return count === 0 ? [[]] : listChoices(count - 1).flatMap((some) => stylists.map((id) => [...some, id]));
}

describe('the stylists of a visit', () => {
  it('are found where any choice of them is possible, and are one that is', () => {
    let found = 0;
    fc.assert(
      fc.property(visit, fc.integer({ min: 0, max: 60 }), (given, quarter) => {
        const parts = toParts(given);
        fc.pre(parts.length <= 5);
        const start = quarter * 15;
        const chosen = assignStylists(parts, day + start * minuteMs, toFree(given));
        if (chosen !== undefined) found += 1;
        if (chosen !== undefined) expect(isPossible(given, chosen, start)).toBe(true);
        else expect(listChoices(parts.length).some((some) => isPossible(given, some, start))).toBe(false);
      }),
      { numRuns: countBySpeed(600, 3000) },
    );
    expect(found).toBeGreaterThan(5);
  });

  it('are those with the most free time, if that leaves somebody for the others', () => {
    const at = (minutes: number) => day + minutes * minuteMs;
    const free = [
      { stylistId: 'a', stylistName: '', spans: [{ startMs: at(0), endMs: at(60) }] },
      { stylistId: 'b', stylistName: '', spans: [{ startMs: at(0), endMs: at(600) }] },
    ];
    const all = { fromMs: 0, minutes: 30, isAble: () => true };
    const choose = (...parts: VisitPart[]) => createVisitPlanner(parts, { free, timeZone: 'UTC' }).fit(at(0));
    expect(choose(all)).toEqual(['b']);
    expect(choose(all, { ...all, isAble: (id) => id === 'b' })).toEqual(['a', 'b']);
  });
});

describe('the dates of a repeat', () => {
  it('have the same stylist where one is free on all, also on a day when another has more time', () => {
    const on = (days: number, length: number) => {
      const startMs = day + days * 1440 * minuteMs;
      return { startMs, endMs: startMs + length * minuteMs };
    };
    const free = [
      { stylistId: 'a', stylistName: '', spans: [on(0, 300), on(7, 60)] },
      { stylistId: 'b', stylistName: '', spans: [on(0, 60), on(7, 200)] },
    ];
    const part = { isAble: () => true, fromMs: 0, minutes: 30 };
    const planner = createVisitPlanner([part], { free, timeZone: 'UTC' });
    expect([0, 7].map((days) => planner.fit(on(days, 0).startMs))).toEqual([['a'], ['a']]);
  });
});

describe('the times of a visit', () => {
  it('are all quarters of an hour at which it is possible, and the nearest of them', () => {
    fc.assert(
      fc.property(visit, fc.integer({ min: 0, max: 60 }), (given, quarter) => {
        const parts = toParts(given);
        fc.pre(parts.length <= 3);
        const planner = createVisitPlanner(parts, { free: toFree(given), timeZone: 'UTC' });
        const quarters = Array.from({ length: 96 }, (_, index) => index * 15);
        const possible = quarters.filter((start) =>
          listChoices(parts.length).some((some) => isPossible(given, some, start)),
        );
        const listed = planner.list({ startMs: day, endMs: day + 1440 * minuteMs });
        expect(listed.map((ms) => (ms - day) / minuteMs)).toEqual(possible);
        const distances = possible.map((start) => Math.abs(start - quarter * 15));
        const nearest = planner.findNearest(day + quarter * 15 * minuteMs);
        const distance = nearest === undefined ? [] : [Math.abs((nearest - day) / minuteMs - quarter * 15)];
        expect(distance).toEqual(distances.length === 0 ? [] : [Math.min(...distances)]);
      }),
      { numRuns: countBySpeed(100, 3000) },
    );
  });

  it('do not overlap those that are taken', () => {
    const free = [{ stylistId: 'a', stylistName: '', spans: [{ startMs: day, endMs: day + 90 * minuteMs }] }];
    const part = { isAble: () => true, fromMs: 0, minutes: 45 };
    const planner = createVisitPlanner([part], { free, timeZone: 'UTC' });
    planner.take(day);
    expect(planner.fit(day + 30 * minuteMs)).toBeUndefined();
    expect(planner.findNearest(day)).toBe(day + 45 * minuteMs);
  });
});
