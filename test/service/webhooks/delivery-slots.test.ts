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
        for (const id of ids) lanes.take(id).release(delivered);
        const taken: (() => void)[] = [];
        const served = new Set<string>();
        const fill = () => {
          for (const { webhookId, limit } of lanes.allocate(ids)) {
            served.add(webhookId);
            for (let number = 0; number < limit; number++) {
              const lane = lanes.take(webhookId);
              taken.push(() => lane.release(delivered));
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
    for (const id of failing) for (let time = 0; time < 3; time++) lanes.take(id).release(failed);
    const turns = lanes.allocate(failing);
    expect(turns).toHaveLength(32);
    expect(turns.every(({ limit, maxInFlight }) => limit === 1 && maxInFlight === 1)).toBe(true);
    for (const { webhookId } of turns) lanes.take(webhookId);
    lanes.take('whk_b').release(delivered);
    expect(lanes.allocate([...failing, 'whk_b'])).toEqual([{ webhookId: 'whk_b', maxInFlight: 8, limit: 8 }]);
    lanes.take('whk_a0').release(delivered);
    expect(lanes.allocate(['whk_a0'])).toMatchObject([{ maxInFlight: 8 }]);
  });

  it('are one for each webhook that was never reached, and half of the room for all of these', () => {
    const lanes = createDeliverySlots();
    const unknown = Array.from({ length: 60 }, (_, number) => `whk_a${number}`);
    const turns = lanes.allocate(unknown);
    expect(turns).toHaveLength(32);
    expect(turns.every(({ limit, maxInFlight }) => limit === 1 && maxInFlight === 8)).toBe(true);
    for (const { webhookId } of turns) lanes.take(webhookId);
    lanes.take('whk_b').release(delivered);
    expect(lanes.allocate([...unknown, 'whk_b'])).toMatchObject([{ webhookId: 'whk_b', limit: 8 }]);
    lanes.take('whk_a59').release(failed);
    expect(lanes.allocate(['whk_a59'])).toEqual([]);
  });

  it('leave half of the room to others where webhooks take everything, but slowly', () => {
    const lanes = createDeliverySlots();
    const slow = Array.from({ length: 25 }, (_, number) => `whk_a${number}`);
    for (const id of slow) lanes.take(id).release({ isDelivered: true, isSlow: true });
    for (const { webhookId, limit } of lanes.allocate(slow)) {
      for (let number = 0; number < limit; number++) lanes.take(webhookId);
    }
    expect(lanes.allocate(slow)).toEqual([]);
    const others = ['whk_b', 'whk_c', 'whk_d', 'whk_e'];
    for (const id of others) lanes.take(id).release(delivered);
    expect(lanes.allocate([...slow, ...others]).map(({ webhookId, limit }) => [webhookId, limit])).toEqual(
      others.map((id) => [id, 8]),
    );
    lanes.take('whk_a9').release(delivered);
    expect(lanes.allocate(slow)).toMatchObject([{ webhookId: 'whk_a9', limit: 8 }]);
  });
});
