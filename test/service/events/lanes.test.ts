import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLanes } from '../../../src/service/events/lanes.ts';

describe('the lanes', () => {
  it('are never more than there are, and everybody who waits gets one before long', () => {
    const ids = Array.from({ length: 100 }, (_, number) => `whk_${number}`);
    fc.assert(
      fc.property(fc.array(fc.nat(63), { maxLength: 200 }), (ends) => {
        const lanes = createLanes();
        const taken: (() => void)[] = [];
        const served = new Set<string>();
        const fill = () => {
          for (const { webhookId, most } of lanes.share(ids)) {
            served.add(webhookId);
            for (let number = 0; number < most; number++) {
              const lane = lanes.enter(webhookId);
              taken.push(() => lane.leave(true));
            }
          }
        };
        fill();
        expect(taken).toHaveLength(64);
        for (const end of ends) {
          taken.splice(end % taken.length, 1)[0]?.();
          fill();
          expect(taken).toHaveLength(64);
        }
        expect(served.size).toBe(Math.min(100, 8 + ends.length));
      }),
    );
  });

  it('leave half of the room to others where many webhooks fail, one lane to each of these', () => {
    const lanes = createLanes();
    const failing = Array.from({ length: 60 }, (_, number) => `whk_a${number}`);
    for (const id of failing) for (let time = 0; time < 3; time++) lanes.enter(id).leave(false);
    const turns = lanes.share(failing);
    expect(turns).toHaveLength(32);
    expect(turns.every(({ most, mostUnderWay }) => most === 1 && mostUnderWay === 1)).toBe(true);
    for (const { webhookId } of turns) lanes.enter(webhookId);
    expect(lanes.share([...failing, 'whk_b'])).toEqual([{ webhookId: 'whk_b', mostUnderWay: 8, most: 8 }]);
    lanes.enter('whk_a0').leave(true);
    expect(lanes.share(['whk_a0'])).toMatchObject([{ mostUnderWay: 8 }]);
  });
});
