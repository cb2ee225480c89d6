import type { Payment } from '../../../contract/payment.ts';
import type { NewRow } from '../../db/tables.ts';
import { toNextInstant } from '../record-tag.ts';

/** The row of a payment: its record, and what it is found by. */
export function toPaymentRow(
  accountId: string,
  payment: Payment,
  stylistId: string | null,
): NewRow<'payments'> {
  const { id, client_id, appointment_id, status } = payment;
  return {
    account_id: accountId,
    id,
    created_ms: Date.parse(payment.created_at),
    updated_ms: Date.parse(payment.updated_at),
    client_id,
    appointment_id,
    stylist_id: stylistId,
    status,
    record: JSON.stringify(payment),
  };
}

/** What of a payment has not been given back, the tip with it. */
export function toRefundable({ amount, tip_amount, refunded_amount }: Payment): number {
  return amount + tip_amount - refunded_amount;
}

/** The payment as it is once so much more of it has been given back. */
export function toRefunded(payment: Payment, amount: number, now: Date): Payment {
  return {
    ...payment,
    refunded_amount: payment.refunded_amount + amount,
    updated_at: toNextInstant(payment, now),
  };
}
