import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BodyOf } from '../../../src/contract/endpoints.ts';
import type { Payment } from '../../../src/contract/payment.ts';
import {
  createPayment,
  getPayment,
  listPayments,
  refundPayment,
} from '../../../src/service/domain/payments.ts';
import { toEntityTag } from '../../../src/service/domain/records.ts';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

const paid: BodyOf<'createPayment'> = { amount: 4500, currency: 'EUR', method: 'card', tip_amount: 500 };

async function assertUnchanged(salon: TestSalon, payment: Payment, version: number): Promise<void> {
  expect(await getPayment(salon.as(), payment.id)).toEqual(payment);
  expect((await listPayments(salon.as(), {})).version).toBe(version);
}

describe('a refund', () => {
  it('returns the given amount, then the rest, tip included', async () => {
    await using salon = await openTestSalon();
    const payment = await createPayment(salon.as(), paid);
    const first = await refundPayment(salon.as(), payment.id, { amount: 1000 });
    expect(first).toEqual({ ...payment, refunded_amount: 1000, updated_at: '2026-11-21T12:00:00.001Z' });
    const second = await refundPayment(salon.as(), payment.id, {});
    expect(second).toEqual({ ...first, refunded_amount: 5000, updated_at: '2026-11-21T12:00:00.002Z' });
    expect(await getPayment(salon.as(), payment.id)).toEqual(second);
  });

  it.each([
    ['above the payment', 0, 5001, 'at most 5000'],
    ['above what is left', 4000, 1001, 'at most 1000'],
    ['of nothing left', 5000, 1, 'fully refunded'],
    ['of all that is left, where that is nothing', 5000, undefined, 'fully refunded'],
  ])('%s is refused and changes nothing', async (_, before, amount, left) => {
    await using salon = await openTestSalon();
    const made = await createPayment(salon.as(), paid);
    const payment = before === 0 ? made : await refundPayment(salon.as(), made.id, { amount: before });
    const { version } = await listPayments(salon.as(), {});
    await expect(refundPayment(salon.as(), payment.id, { amount })).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer: '/amount', code: 'out_of_range', detail: expect.stringContaining(left) }],
    });
    await assertUnchanged(salon, payment, version);
  });

  it.each(['pending', 'failed', 'cancelled'] as const)(
    'of a payment that is %s is refused',
    async (status) => {
      await using salon = await openTestSalon();
      const payment = await createPayment(salon.as(), { ...paid, status });
      await expect(refundPayment(salon.as(), payment.id, {})).rejects.toMatchObject({
        code: 'invalid_status_transition',
        members: { current_status: status, allowed_statuses: [] },
      });
      await assertUnchanged(salon, payment, 1);
    },
  );

  it('respects If-Match', async () => {
    await using salon = await openTestSalon();
    const payment = await createPayment(salon.as(), paid);
    const ifMatch = [toEntityTag(payment)];
    const refunded = await refundPayment(salon.as(), payment.id, { amount: 1, ifMatch });
    await expect(refundPayment(salon.as(), payment.id, { amount: 1, ifMatch })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    await assertUnchanged(salon, refunded, 2);
  });

  it('has an event with the amount refunded before', async () => {
    await using salon = await openTestSalon();
    await addWebhook(salon);
    const { id } = await createPayment(salon.as(), paid);
    await refundPayment(salon.as(), id, { amount: 1000 });
    const text = "select body from events where type = 'payment.refunded'";
    const [event] = await salon.store.database.reader.run<{ body: string }>(text, []);
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      data: { object: { id, refunded_amount: 1000 }, previous_attributes: { refunded_amount: 0 } },
    });
  });

  it('succeeds as often as the amount allows when 20 come at once to two processes', async () => {
    await using salon = await openTestSalon();
    const other = await salon.store.openAgain();
    const { id } = await createPayment(salon.as(), paid);
    const refunds = Array.from({ length: 20 }, (_, index) =>
      refundPayment(salon.as(index % 2 === 0 ? {} : { database: other }), id, { amount: 700 }),
    );
    const settled = await Promise.allSettled(refunds);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    for (const one of settled) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'validation_failed' });
    }
    expect(await getPayment(salon.as(), id)).toMatchObject({ refunded_amount: 4900 });
  });

  it('adds up in the payment and never exceeds the amount paid', async () => {
    await using salon = await openTestSalon();
    const amount = fc.integer({ min: 0, max: 20 });
    const refundAmounts = fc.array(fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(amount, amount, refundAmounts, async (price, tip, amounts) => {
        const body = { ...paid, amount: price, tip_amount: tip };
        const { id } = await createPayment(salon.as(), body);
        let left = price + tip;
        for (const wanted of amounts) {
          const taken = wanted ?? left;
          const isMade = left > 0 && taken <= left;
          const refund = refundPayment(salon.as(), id, { amount: wanted });
          await (isMade ? refund : expect(refund).rejects.toMatchObject({ code: 'validation_failed' }));
          left -= isMade ? taken : 0;
          const { refunded_amount } = await getPayment(salon.as(), id);
          expect(refunded_amount).toBe(price + tip - left);
        }
      }),
      { numRuns: countBySpeed(50) },
    );
  });
});
