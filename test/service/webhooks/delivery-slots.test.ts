import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeliverySlots } from '../../../src/service/webhooks/delivery-slots.ts';

const delivered = { isDelivered: true, isSlow: false };
const failed = { isDelivered: false, isSlow: false };

describe('delivery slots', () => {
  it('are never exceeded, and every waiting webhook gets one soon', () => {
    const ids = Array.from({ length: 100 }, (_, number) => `whk_${number}`);
    fc.assert(
      fc.property(fc.array(fc.nat(63), { maxLength: 200 }), (ends) => {
        const slots = createDeliverySlots();
        for (const id of ids) slots.take(id).release(delivered);
        const taken: (() => void)[] = [];
        const served = new Set<string>();
        const fill = () => {
          for (const { webhookId, limit } of slots.allocate(ids)) {
            served.add(webhookId);
            for (let number = 0; number < limit; number++) {
              const slot = slots.take(webhookId);
              taken.push(() => slot.release(delivered));
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

  it('give failing webhooks one slot each and half of all slots together', () => {
    const slots = createDeliverySlots();
    const failing = Array.from({ length: 60 }, (_, number) => `whk_a${number}`);
    for (const id of failing) for (let time = 0; time < 3; time++) slots.take(id).release(failed);
    const allocations = slots.allocate(failing);
    expect(allocations).toHaveLength(32);
    expect(allocations.every(({ limit, maxInFlight }) => limit === 1 && maxInFlight === 1)).toBe(true);
    for (const { webhookId } of allocations) slots.take(webhookId);
    slots.take('whk_b').release(delivered);
    expect(slots.allocate([...failing, 'whk_b'])).toEqual([{ webhookId: 'whk_b', maxInFlight: 8, limit: 8 }]);
    slots.take('whk_a0').release(delivered);
    expect(slots.allocate(['whk_a0'])).toMatchObject([{ maxInFlight: 8 }]);
  });

  it('give webhooks never reached one slot each and half of all slots together', () => {
    const slots = createDeliverySlots();
    const unknown = Array.from({ length: 60 }, (_, number) => `whk_a${number}`);
    const allocations = slots.allocate(unknown);
    expect(allocations).toHaveLength(32);
    expect(allocations.every(({ limit, maxInFlight }) => limit === 1 && maxInFlight === 8)).toBe(true);
    for (const { webhookId } of allocations) slots.take(webhookId);
    slots.take('whk_b').release(delivered);
    expect(slots.allocate([...unknown, 'whk_b'])).toMatchObject([{ webhookId: 'whk_b', limit: 8 }]);
    slots.take('whk_a59').release(failed);
    expect(slots.allocate(['whk_a59'])).toEqual([]);
  });

  it('give slow webhooks half of all slots together', () => {
    const slots = createDeliverySlots();
    const slow = Array.from({ length: 25 }, (_, number) => `whk_a${number}`);
    for (const id of slow) slots.take(id).release({ isDelivered: true, isSlow: true });
    for (const { webhookId, limit } of slots.allocate(slow)) {
      for (let number = 0; number < limit; number++) slots.take(webhookId);
    }
    expect(slots.allocate(slow)).toEqual([]);
    const others = ['whk_b', 'whk_c', 'whk_d', 'whk_e'];
    for (const id of others) slots.take(id).release(delivered);
    expect(slots.allocate([...slow, ...others]).map(({ webhookId, limit }) => [webhookId, limit])).toEqual(
      others.map((id) => [id, 8]),
    );
    slots.take('whk_a9').release(delivered);
    expect(slots.allocate(slow)).toMatchObject([{ webhookId: 'whk_a9', limit: 8 }]);
  });
});
