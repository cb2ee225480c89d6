import type { Appointment } from '../../contract/appointment.ts';
import { findCurrencyProblem } from '../../contract/currencies.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { PaymentEvent } from '../../contract/events.ts';
import {
  type NewPayment,
  type Payment,
  type PaymentStatus,
  paymentStatuses,
  toRefundableAmount,
} from '../../contract/payment.ts';
import type { Writer } from '../db/engine.ts';
import { hasRecord, insertRecord, readRecord } from '../db/records/records.ts';
import { authorize, permissionDenied } from './authorization.ts';
import type { Context } from './context.ts';
import { recordEvent } from './events.ts';
import { type CollectionQuery, createLister, limitToOwn, toConditions } from './list-page.ts';
import { updatePaidAmount } from './paid-amounts.ts';
import { createGetter, createStoredRecord, type IfMatch, replaceRecord, toStoredRow } from './records.ts';
import { assertValidBody, findUnstorable, invalidField, invalidTransition } from './validation.ts';
import { transact, transactOn } from './write-record.ts';

/** The event of a new payment with a status. */
const creationEvents: Readonly<Record<PaymentStatus, PaymentEvent['type']>> = {
  pending: 'payment.created',
  completed: 'payment.completed',
  failed: 'payment.failed',
  cancelled: 'payment.created',
};

/** The payments that match a query; for a stylist's key only its own. Throws `invalid_parameter`. */
export function findPayments(context: Context, query: QueryOf<'listPayments'>): CollectionQuery {
  const access = authorize(context.caller, 'listPayments');
  const conditions = toConditions(query, {
    equal: ['client_id', 'appointment_id'],
    statuses: paymentStatuses,
    ranges: { created_from: 'created_ms', created_to: 'created_ms' },
  });
  return limitToOwn(context, access, { collection: 'payments', query, conditions });
}

export const listPayments = createLister(findPayments);

export const getPayment = createGetter('getPayment', 'payments');

/**
 * Records a payment. That of an appointment belongs to its stylist and, unless another client pays, to its client.
 * Throws `permission_denied` and `validation_failed`.
 */
export async function createPayment(context: Context, body: BodyOf<'createPayment'>): Promise<Payment> {
  const { environment, caller } = context;
  const accountId = caller.account.id;
  return transact(context, 'createPayment', async (tx, access) => {
    const { appointment_id: id = null } = body;
    const found = id === null ? undefined : await readRecord(tx, 'appointments', { accountId, id });
    const appointment: Appointment | undefined = found && JSON.parse(found.record);
    // Before the validation, which would reveal other stylists' appointments.
    if (access === 'own' && appointment?.stylist_id !== caller.stylistId) {
      throw permissionDenied(caller, 'payments.write');
    }
    await assertValidPayment(tx, accountId, { body, appointment });
    const fields = {
      client_id: body.client_id ?? appointment?.client_id ?? null,
      appointment_id: appointment?.id ?? null,
      amount: body.amount,
      currency: body.currency,
      tip_amount: body.tip_amount ?? 0,
      method: body.method,
      status: body.status ?? 'completed',
      refunded_amount: 0,
      reference: body.reference ?? null,
    };
    const payment = createStoredRecord('payment', fields, environment);
    const stylist_id = appointment?.stylist_id ?? null;
    await insertRecord(tx, 'payments', { ...toStoredRow(accountId, 'payments', payment), stylist_id });
    await updatePaidAmount(tx, context, payment.appointment_id);
    await recordEvent(tx, context, { type: creationEvents[payment.status], object: payment });
    return payment;
  });
}

/**
 * Refunds a completed payment, in part or, without an amount in minor units, in full. Refunds never exceed amount and
 * tip, even when simultaneous.
 * Throws `not_found`, `precondition_failed`, `invalid_status_transition` and `validation_failed`.
 */
export async function refundPayment(
  context: Context,
  id: string,
  { amount, ifMatch }: IfMatch & { readonly amount?: number | undefined },
): Promise<Payment> {
  const wanted = { collection: 'payments', id, ifMatch } as const;
  return transactOn(context, 'refundPayment', wanted, async (tx, former) => {
    assertRefundable(former, amount);
    const refunded_amount = former.refunded_amount + (amount ?? toRefundableAmount(former));
    const object = await replaceRecord(tx, context, {
      ...{ collection: 'payments', former, object: { ...former, refunded_amount } },
    });
    await updatePaidAmount(tx, context, object.appointment_id);
    await recordEvent(tx, context, { type: 'payment.refunded', object, former });
    return object;
  });
}

/**
 * Cancels a payment that was recorded by mistake; one that is already cancelled stays unchanged.
 * Throws `not_found`, `precondition_failed` and, for one that was refunded, `invalid_status_transition`.
 */
export async function voidPayment(context: Context, id: string, { ifMatch }: IfMatch = {}): Promise<Payment> {
  const wanted = { collection: 'payments', id, ifMatch } as const;
  return transactOn(context, 'voidPayment', wanted, async (tx, former) => {
    const { status, refunded_amount } = former;
    if (status === 'cancelled') return former;
    if (refunded_amount > 0) {
      const detail = 'Some of the payment was refunded, so it was no mistake. Refund the rest instead.';
      throw invalidTransition(detail, status);
    }
    const object = await replaceRecord(tx, context, {
      ...{ collection: 'payments', former, object: { ...former, status: 'cancelled' } },
    });
    await updatePaidAmount(tx, context, object.appointment_id);
    await recordEvent(tx, context, { type: 'payment.updated', object, former });
    return object;
  });
}

function assertRefundable(payment: Payment, amount: number | undefined): void {
  const { status } = payment;
  if (status !== 'completed') {
    const detail = `The payment is ${status}. Only completed payments can be refunded.`;
    throw invalidTransition(detail, status);
  }
  const left = toRefundableAmount(payment);
  if (left === 0 || (amount ?? left) > left) {
    const problem = `/amount must be at most ${left}, the amount not yet refunded.`;
    throw invalidField('/amount', left === 0 ? 'The payment is fully refunded.' : problem, 'out_of_range');
  }
}

/**
 * Checks what a schema cannot; the appointment is undefined when the account has none with this ID. Throws
 * `validation_failed` with all violations.
 */
async function assertValidPayment(
  tx: Writer,
  accountId: string,
  { body, appointment }: { readonly body: NewPayment; readonly appointment: Appointment | undefined },
): Promise<void> {
  const violations = findUnstorable(body);
  const { client_id: clientId } = body;
  // The appointment's own client may have been erased, so only another client is looked up.
  if (typeof clientId === 'string' && clientId !== appointment?.client_id) {
    const detail = '/client_id is not the ID of a client.';
    if (!(await hasRecord(tx, 'clients', { accountId, id: clientId })))
      violations.push({ pointer: '/client_id', code: 'not_found', detail });
  }
  if (typeof body.appointment_id === 'string' && appointment === undefined) {
    const detail = '/appointment_id is not the ID of an appointment.';
    violations.push({ pointer: '/appointment_id', code: 'not_found', detail });
  }
  const detail = findCurrencyProblem('/currency', body.currency);
  if (detail !== undefined) violations.push({ pointer: '/currency', code: 'invalid_format', detail });
  assertValidBody(violations);
}
