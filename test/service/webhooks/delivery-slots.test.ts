import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeliverySlots } from '../../../src/service/webhooks/delivery-slots.ts';

const delivered = { isDelivered: true, isSlow: false };
const failed = { isDelivered: false, isSlow: false };

describe('the lanes', () => {
  it('are never more than there are, and everybody who waits gets one before long', () => {
    const ids = Array.from({ length: 100 }, (_, number) => `whk_${number}`);
    fc.assert(
      fc.property(fc.array(fc.nat(63), { maxLength: 200 }), (ends) => {
        const lanes = createDeliverySlots();
        for (const id of ids) lanes.enter(id).leave(delivered);
        const taken: (() => void)[] = [];
        const served = new Set<string>();
        const fill = () => {
          for (const { webhookId, limit } of lanes.share(ids)) {
            served.add(webhookId);
            for (let number = 0; number < limit; number++) {
              const lane = lanes.enter(webhookId);
              taken.push(() => lane.leave(delivered));
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
    const lanes = createDeliverySlots();
    const failing = Array.from({ length: 60 }, (_, number) => `whk_a${number}`);
    for (const id of failing) for (let time = 0; time < 3; time++) lanes.enter(id).leave(failed);
    const turns = lanes.share(failing);
    expect(turns).toHaveLength(32);
    expect(turns.every(({ limit, maxInFlight }) => limit === 1 && maxInFlight === 1)).toBe(true);
    for (const { webhookId } of turns) lanes.enter(webhookId);
    lanes.enter('whk_b').leave(delivered);
    expect(lanes.share([...failing, 'whk_b'])).toEqual([{ webhookId: 'whk_b', maxInFlight: 8, limit: 8 }]);
    lanes.enter('whk_a0').leave(delivered);
    expect(lanes.share(['whk_a0'])).toMatchObject([{ maxInFlight: 8 }]);
  });

  it('are one for each webhook that was never reached, and half of the room for all of these', () => {
    const lanes = createDeliverySlots();
    const unknown = Array.from({ length: 60 }, (_, number) => `whk_a${number}`);
    const turns = lanes.share(unknown);
    expect(turns).toHaveLength(32);
    expect(turns.every(({ limit, maxInFlight }) => limit === 1 && maxInFlight === 8)).toBe(true);
    for (const { webhookId } of turns) lanes.enter(webhookId);
    lanes.enter('whk_b').leave(delivered);
    expect(lanes.share([...unknown, 'whk_b'])).toMatchObject([{ webhookId: 'whk_b', limit: 8 }]);
    lanes.enter('whk_a59').leave(failed);
    expect(lanes.share(['whk_a59'])).toEqual([]);
  });

  it('leave half of the room to others where webhooks take everything, but slowly', () => {
    const lanes = createDeliverySlots();
    const slow = Array.from({ length: 25 }, (_, number) => `whk_a${number}`);
    for (const id of slow) lanes.enter(id).leave({ isDelivered: true, isSlow: true });
    for (const { webhookId, limit } of lanes.share(slow)) {
      for (let number = 0; number < limit; number++) lanes.enter(webhookId);
    }
    expect(lanes.share(slow)).toEqual([]);
    const others = ['whk_b', 'whk_c', 'whk_d', 'whk_e'];
    for (const id of others) lanes.enter(id).leave(delivered);
    expect(lanes.share([...slow, ...others]).map(({ webhookId, limit }) => [webhookId, limit])).toEqual(
      others.map((id) => [id, 8]),
    );
    lanes.enter('whk_a9').leave(delivered);
    expect(lanes.share(slow)).toMatchObject([{ webhookId: 'whk_a9', limit: 8 }]);
  });
});
