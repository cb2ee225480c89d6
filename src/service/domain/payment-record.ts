import type { Appointment } from '../../contract/appointment.ts';
import type { Violation } from '../../contract/errors.ts';
import { decimalsOf } from '../../contract/numbers.ts';
import type { NewPayment, Payment } from '../../contract/payment.ts';
import type { Writer } from '../db/engine.ts';
import type { NewRow } from '../db/record-rows.ts';
import { hasRecord } from '../db/records/records.ts';
import { nextUpdatedAt } from './records.ts';
import { assertValidBody, findUnstorable } from './validation.ts';

/** A new payment and the appointment it names; undefined when the account has no such appointment. */
interface PaymentInput {
  readonly body: NewPayment;
  readonly appointment: Appointment | undefined;
}

/** Checks what a schema cannot. Throws `validation_failed` with all violations. */
export async function assertValidPayment(tx: Writer, accountId: string, input: PaymentInput): Promise<void> {
  const { body, appointment } = input;
  const violations = [...findUnstorable(body), ...(await findClientViolations(tx, accountId, input))];
  if (typeof body.appointment_id === 'string' && appointment === undefined) {
    const detail = '/appointment_id is not the ID of an appointment.';
    violations.push({ pointer: '/appointment_id', code: 'not_found', detail });
  }
  if (decimalsOf(body.currency) === undefined) {
    const detail = `/currency must be an ISO 4217 code, such as EUR; "${body.currency}" is not.`;
    violations.push({ pointer: '/currency', code: 'invalid_format', detail });
  }
  assertValidBody(violations);
}

/** The row of a payment. */
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

/** The amount, tip included, that can still be refunded. */
export function toRefundableAmount({ amount, tip_amount, refunded_amount }: Payment): number {
  return amount + tip_amount - refunded_amount;
}

/** The payment after a refund. */
export function toRefunded(payment: Payment, amount: number, now: Date): Payment {
  return {
    ...payment,
    refunded_amount: payment.refunded_amount + amount,
    updated_at: nextUpdatedAt(payment, now),
  };
}

/** The appointment's own client may have been erased, so only another client is looked up. */
async function findClientViolations(
  tx: Writer,
  accountId: string,
  { body, appointment }: PaymentInput,
): Promise<Violation[]> {
  const { client_id: id } = body;
  if (typeof id !== 'string' || id === appointment?.client_id) {
    return [];
  }
  const pointer = '/client_id';
  if (!(await hasRecord(tx, 'clients', { accountId, id }))) {
    return [{ pointer, code: 'not_found', detail: '/client_id is not the ID of a client.' }];
  }
  return appointment === undefined
    ? []
    : [{ pointer, code: 'invalid_format', detail: '/client_id is not the client of the appointment.' }];
}
