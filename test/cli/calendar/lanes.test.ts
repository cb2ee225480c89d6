import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLanes } from '../../../src/cli/calendar/grid-layout.ts';

const placed = fc
  .tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }))
  .map(([from, length]) => ({ from, to: from + length }));

describe('toLanes', () => {
  it('keeps every item and puts overlapping ones in different lanes', () => {
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 40 }), (items) => {
        const lanes = toLanes(items);
        expect(lanes.map(({ item }) => item).toSorted(order)).toEqual(items.toSorted(order));
        for (const [index, one] of lanes.entries()) {
          expect(one.lane).toBeLessThan(one.lanes);
          for (const other of lanes.slice(index + 1)) {
            if (one.item.from >= other.item.to || other.item.from >= one.item.to) continue;
            expect(one.lanes).toBe(other.lanes);
            expect(one.lane).not.toBe(other.lane);
          }
        }
      }),
    );
  });

  it('gives items that do not overlap the full width', () => {
    expect(
      toLanes([
        { from: 0, to: 2 },
        { from: 2, to: 3 },
      ]).map(({ lanes }) => lanes),
    ).toEqual([1, 1]);
  });
});

function order(a: { from: number; to: number }, b: { from: number; to: number }): number {
  return a.from - b.from || a.to - b.to;
}
