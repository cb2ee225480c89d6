import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveryQueueKey } from '../../../src/service/db/deliveries/delivery-queue.ts';
import { createDeliverySlots } from '../../../src/service/webhooks/delivery-slots.ts';

const delivered = { isDelivered: true, isSlow: false };
const slowly = { isDelivered: true, isSlow: true };
const failed = { isDelivered: false, isSlow: false };

/** Webhooks of one account. */
function queuesOf(accountId: string, count: number): DeliveryQueueKey[] {
  return Array.from({ length: count }, (_, number) => ({ accountId, webhookId: `${accountId}_${number}` }));
}

/** Takes all allocated slots. */
function fill(slots: ReturnType<typeof createDeliverySlots>, queues: readonly DeliveryQueueKey[]) {
  const allocations = slots.allocate(queues);
  return allocations.flatMap((allocation) =>
    Array.from({ length: allocation.limit }, () => ({ ...allocation, ...slots.take(allocation) })),
  );
}

describe('delivery slots', () => {
  it('are never exceeded, and every waiting account gets one soon', () => {
    const queues = Array.from({ length: 100 }, (_, number) => queuesOf(`acc_${number}`, 2)).flat();
    fc.assert(
      fc.property(fc.array(fc.nat(63), { maxLength: 200 }), (ends) => {
        const slots = createDeliverySlots();
        for (const queue of queues) slots.take(queue).release(delivered);
        const taken = fill(slots, queues);
        const served = new Set(taken.map(({ accountId }) => accountId));
        expect(taken).toHaveLength(64);
        for (const end of ends) {
          taken.splice(end % taken.length, 1)[0]?.release(delivered);
          for (const slot of fill(slots, queues)) {
            served.add(slot.accountId);
            taken.push(slot);
          }
          expect(taken).toHaveLength(64);
        }
        expect(served.size).toBe(Math.min(100, 64 + ends.length));
      }),
    );
  });

  it('are shared among the accounts that wait, and one share stays free', () => {
    const slots = createDeliverySlots();
    const [a, b, c] = [queuesOf('acc_a', 25), queuesOf('acc_b', 25), queuesOf('acc_c', 1)];
    for (const queue of [...a, ...b, ...c]) slots.take(queue).release(delivered);
    expect(fill(slots, a)).toHaveLength(32);
    expect(fill(slots, a)).toHaveLength(0);
    expect(fill(slots, [...a, ...b])).toHaveLength(21);
    expect(fill(slots, [...a, ...b, ...c])).toMatchObject(Array(8).fill({ accountId: 'acc_c' }));
  });

  it('go to the webhooks of an account in turn', () => {
    const slots = createDeliverySlots();
    const queues = queuesOf('acc_a', 9);
    for (const queue of queues) slots.take(queue).release(delivered);
    const held = fill(slots, queues);
    const served = new Set(held.map(({ webhookId }) => webhookId));
    for (const slot of held) {
      slot.release(delivered);
      for (const { webhookId } of fill(slots, queues)) served.add(webhookId);
    }
    expect(served.size).toBe(9);
  });

  it('give failing webhooks one slot each and half of the slots', () => {
    const slots = createDeliverySlots();
    const failing = queuesOf('acc_a', 25);
    for (const queue of failing) for (let time = 0; time < 3; time++) slots.take(queue).release(failed);
    const taken = fill(slots, failing);
    expect(taken).toHaveLength(16);
    expect(taken.every(({ limit, maxInFlight }) => limit === 1 && maxInFlight === 1)).toBe(true);
    const [other] = queuesOf('acc_b', 1);
    slots.take(other as DeliveryQueueKey).release(delivered);
    const allocations = slots.allocate([...failing, ...queuesOf('acc_b', 1)]);
    expect(allocations).toMatchObject([{ accountId: 'acc_b', maxInFlight: 8, limit: 8 }]);
    taken[0]?.release(delivered);
    expect(slots.allocate(failing.slice(0, 1))).toMatchObject([{ maxInFlight: 8 }]);
  });

  it('give webhooks never reached one slot each and half of the slots', () => {
    const slots = createDeliverySlots();
    const unknown = queuesOf('acc_a', 25);
    const taken = fill(slots, unknown);
    expect(taken).toHaveLength(16);
    expect(taken.every(({ limit, maxInFlight }) => limit === 1 && maxInFlight === 8)).toBe(true);
    slots.take(unknown[20] as DeliveryQueueKey).release(failed);
    expect(slots.allocate(unknown.slice(20, 21))).toEqual([]);
  });

  it('give slow webhooks of all accounts half of the slots', () => {
    const slots = createDeliverySlots();
    const slow = ['a', 'b', 'c'].map((name) => queuesOf(`acc_${name}`, 25));
    for (const queue of slow.flat()) slots.take(queue).release(slowly);
    for (const queues of slow) fill(slots, queues);
    expect(slots.allocate(slow.flat())).toEqual([]);
    const others = queuesOf('acc_d', 4);
    for (const queue of others) slots.take(queue).release(delivered);
    expect(slots.allocate(others).map(({ webhookId, limit }) => [webhookId, limit])).toEqual(
      others.map(({ webhookId }) => [webhookId, 8]),
    );
  });

  it('of an account with slow receivers leave some to slow receivers of others', () => {
    const slots = createDeliverySlots();
    const [a, b] = [queuesOf('acc_a', 25), queuesOf('acc_b', 25)];
    for (const queue of [...a, ...b]) slots.take(queue).release(slowly);
    expect(fill(slots, a)).toHaveLength(16);
    expect(fill(slots, [...a, ...b])).toHaveLength(10);
  });
});
