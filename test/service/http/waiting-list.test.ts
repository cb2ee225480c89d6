import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WaitingList } from '../../../src/service/http/waiting-list.ts';

describe('WaitingList', () => {
  it('keeps the order of what is added and removed', () => {
    const step = fc.oneof(fc.constant('add' as const), fc.constant('first' as const), fc.nat(20));
    fc.assert(
      fc.property(fc.array(step, { size: '+1' }), (steps) => {
        const list = new WaitingList<number>();
        const expected: number[] = [];
        for (const [item, one] of steps.entries()) {
          const removed = one === 'first' ? expected[0] : expected[Number(one)];
          if (one === 'add') {
            list.add(item);
            expected.push(item);
          } else if (removed !== undefined) {
            list.remove(removed);
            expected.splice(expected.indexOf(removed), 1);
          }
          expect([list.first(), list.size]).toEqual([expected[0], expected.length]);
        }
      }),
    );
  });

  it('ignores what is not in it', () => {
    const list = new WaitingList<number>();
    list.add(1);
    list.remove(1);
    list.remove(1);
    expect([list.first(), list.size]).toEqual([undefined, 0]);
  });

  it('stays in order over many thousand entries', () => {
    const list = new WaitingList<number>();
    for (let item = 0; item < 1_000; item++) list.add(item);
    for (let item = 0; item < 5_000; item++) {
      list.add(1_000 + item);
      expect(list.first()).toBe(item);
      list.remove(item);
      expect(list.size).toBe(1_000);
    }
  });
});
