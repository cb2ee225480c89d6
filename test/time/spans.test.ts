import { describe, expect, it } from 'vitest';
import { findOpenSpans, intersectSpans, subtractSpans } from '../../src/time/spans.ts';
import { createZoneClock, toUtcText } from '../../src/time/time.ts';
import { parseWeekHours } from '../../src/time/week-hours.ts';

const toSpans = (spans: readonly (readonly [number, number])[]) =>
  spans.map(([startMs, endMs]) => ({ startMs, endMs }));

describe('subtractSpans', () => {
  it.each<[what: string, busy: [number, number][], left: [number, number][]]>([
    ['nothing', [], [[10, 20]]],
    [
      'a span in the middle',
      [[12, 14]],
      [
        [10, 12],
        [14, 20],
      ],
    ],
    [
      'one within another',
      [
        [11, 18],
        [12, 14],
      ],
      [
        [10, 11],
        [18, 20],
      ],
    ],
    [
      'ones that overlap, in any order',
      [
        [15, 18],
        [12, 16],
      ],
      [
        [10, 12],
        [18, 20],
      ],
    ],
    [
      'what touches it',
      [
        [5, 10],
        [20, 25],
      ],
      [[10, 20]],
    ],
    [
      'both ends',
      [
        [5, 11],
        [19, 25],
      ],
      [[11, 19]],
    ],
    ['all of it', [[10, 20]], []],
  ])('leaves what is free without %s', (_what, busy, left) => {
    expect(subtractSpans(toSpans([[10, 20]]), toSpans(busy))).toEqual(toSpans(left));
  });
});

describe('intersectSpans', () => {
  it('keeps what lies in both, and nothing where they only touch', () => {
    const one = toSpans([
      [0, 5],
      [10, 20],
    ]);
    const other = toSpans([
      [5, 12],
      [14, 16],
      [18, 30],
    ]);
    expect(intersectSpans(one, other)).toEqual(
      toSpans([
        [10, 12],
        [14, 16],
        [18, 20],
      ]),
    );
  });
});

describe('findOpenSpans', () => {
  it('takes hours that go on after midnight as one span', () => {
    const hours = parseWeekHours('fri 22-24, sat 0-4 9-12') ?? [];
    const day = { startMs: Date.UTC(2026, 10, 27), endMs: Date.UTC(2026, 10, 29) };
    const spans = findOpenSpans(hours, day, createZoneClock('UTC'));
    expect(spans.map(({ startMs, endMs }) => [toUtcText(startMs), toUtcText(endMs)])).toEqual([
      ['2026-11-27T22:00:00Z', '2026-11-28T04:00:00Z'],
      ['2026-11-28T09:00:00Z', '2026-11-28T12:00:00Z'],
    ]);
  });
});
