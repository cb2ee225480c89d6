import type { Appointment } from '../../contract/appointment.ts';
import type { Violation } from '../../contract/errors.ts';
import { decimalsOf } from '../../contract/numbers.ts';
import type { NewPayment, Payment } from '../../contract/payment.ts';
import type { Writer } from '../db/engine.ts';
import { readRecord } from '../db/records.ts';
import type { NewRow } from '../db/tables.ts';
import { nextUpdatedAt } from './records.ts';
import { findUnstorable, invalidBody } from './validation.ts';

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
export function toRefundableAmount({ amount, tip_amount, refunded_amount }: Payment): number {
  return amount + tip_amount - refunded_amount;
}

/** The payment as it is once so much more of it has been given back. */
export function toRefunded(payment: Payment, amount: number, now: Date): Payment {
  return {
    ...payment,
    refunded_amount: payment.refunded_amount + amount,
    updated_at: nextUpdatedAt(payment, now),
  };
}

/** A payment to be recorded, and the appointment it names; undefined where the account has no such one. */
interface Paid {
  readonly body: NewPayment;
  readonly appointment: Appointment | undefined;
}

/** Checks of a new payment what a schema cannot. Throws `validation_failed`, which names all that is wrong. */
export async function assertValidPayment(tx: Writer, accountId: string, paid: Paid): Promise<void> {
  const { body, appointment } = paid;
  const violations = [...findUnstorable(body), ...(await findClientViolations(tx, accountId, paid))];
  if (typeof body.appointment_id === 'string' && appointment === undefined) {
    const detail = '/appointment_id names no appointment of this account.';
    violations.push({ pointer: '/appointment_id', code: 'not_found', detail });
  }
  if (decimalsOf(body.currency) === undefined) {
    const detail = `/currency must be a currency in use, as ISO 4217 writes it; "${body.currency}" is none.`;
    violations.push({ pointer: '/currency', code: 'invalid_format', detail });
  }
  if (violations.length > 0) {
    throw invalidBody(violations);
  }
}

/** An appointment keeps its client when that one is erased, so the client is looked for only where it is another. */
async function findClientViolations(
  tx: Writer,
  accountId: string,
  { body, appointment }: Paid,
): Promise<Violation[]> {
  const { client_id: id } = body;
  if (typeof id !== 'string' || id === appointment?.client_id) {
    return [];
  }
  const pointer = '/client_id';
  if ((await readRecord(tx, 'clients', { accountId, id })) === undefined) {
    return [{ pointer, code: 'not_found', detail: '/client_id names no client of this account.' }];
  }
  return appointment === undefined
    ? []
    : [{ pointer, code: 'invalid_format', detail: '/client_id is not the client of the appointment.' }];
}
