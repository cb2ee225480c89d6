import { describe, expect, it } from 'vitest';
import { intersectSpans, subtractSpans } from '../../src/time/spans.ts';

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
