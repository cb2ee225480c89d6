import type { Appointment } from '../../contract/appointment.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import type { PaymentEvent } from '../../contract/events.ts';
import { type Payment, type PaymentStatus, paymentStatuses } from '../../contract/payment.ts';
import type { Access } from '../../contract/roles.ts';
import type { Condition } from '../db/conditions.ts';
import type { Reader } from '../db/engine.ts';
import { readPaymentRow } from '../db/payments.ts';
import { insertRecord, readRecord, updateRecords } from '../db/records.ts';
import { authorize, permissionDenied } from './authorization.ts';
import type { Context } from './context.ts';
import { recordEvent } from './events.ts';
import { type ListFilters, toConditions } from './filters.ts';
import { assertStorableQuery, type PageOfCollection, readCollectionPage } from './list-page.ts';
import { assertValidPayment, toPaymentRow, toRefundableAmount, toRefunded } from './payment-record.ts';
import { assertIfMatch, createId, notFound } from './records.ts';
import { invalidBody } from './validation.ts';

/** How a payment is given back. */
export interface Refund {
  /** In minor units; all that is left where this is left out. */
  readonly amount?: number | undefined;
  /** The tags one of which the payment must have; any will do where this is left out. */
  readonly ifMatch?: readonly string[] | undefined;
}

const filters: ListFilters = {
  equal: ['client_id', 'appointment_id'],
  statuses: paymentStatuses,
  edges: [
    { parameter: 'created_from', edge: 'begin', column: 'created_ms' },
    { parameter: 'created_to', edge: 'end', column: 'created_ms' },
  ],
};

/** What is told of a payment that has just been recorded. */
const eventsOfNew: Readonly<Record<PaymentStatus, PaymentEvent['type']>> = {
  pending: 'payment.created',
  completed: 'payment.completed',
  failed: 'payment.failed',
  cancelled: 'payment.created',
};

/** One page of the payments a query asks for; a stylist's key sees those of its own calendar. Throws `invalid_parameter`. */
export async function listPayments(
  context: Context,
  query: QueryOf<'listPayments'>,
): Promise<PageOfCollection> {
  const reach = authorize(context.caller, 'listPayments');
  assertStorableQuery(query);
  const conditions = toConditions(query, filters);
  if (reach === 'all') {
    return readCollectionPage(context, { collection: 'payments', query, conditions });
  }
  // A key without a stylist has no calendar of its own, and an empty text names nobody.
  const ownerId = context.caller.stylistId ?? '';
  const own: Condition = { column: 'stylist_id', is: '=', value: ownerId };
  return readCollectionPage(context, {
    collection: 'payments',
    query,
    conditions: [own, ...conditions],
    stylistId: ownerId,
  });
}

/** Throws `not_found`, also for a payment of another stylist's calendar. */
export async function getPayment(context: Context, id: string): Promise<Payment> {
  const reach = authorize(context.caller, 'getPayment');
  return (await readPayment(context.database.reader, context, { id, reach })).payment;
}

/**
 * Records a payment. Of an appointment it is paid by the appointment's client, and belongs to that calendar.
 * Throws `permission_denied` and `validation_failed`.
 */
export async function createPayment(context: Context, body: BodyOf<'createPayment'>): Promise<Payment> {
  const { database, environment, caller } = context;
  const reach = authorize(caller, 'createPayment');
  const accountId = caller.account.id;
  return database.transaction(async (tx) => {
    const appointment = await readAppointment(tx, accountId, body.appointment_id ?? null);
    // Whoever sees one calendar alone is not told what is in the others.
    if (reach === 'own' && appointment?.stylist_id !== caller.stylistId) {
      throw permissionDenied(caller, 'payments.write');
    }
    await assertValidPayment(tx, accountId, { body, appointment });
    const now = environment.now().toISOString();
    const payment: Payment = {
      id: createId('payment', environment),
      client_id: body.client_id ?? appointment?.client_id ?? null,
      appointment_id: appointment?.id ?? null,
      amount: body.amount,
      currency: body.currency,
      tip_amount: body.tip_amount ?? 0,
      method: body.method,
      status: body.status ?? 'completed',
      refunded_amount: 0,
      reference: body.reference ?? null,
      created_at: now,
      updated_at: now,
    };
    await insertRecord(tx, 'payments', toPaymentRow(accountId, payment, appointment?.stylist_id ?? null));
    await recordEvent(tx, context, { type: eventsOfNew[payment.status], object: payment });
    return payment;
  });
}

/**
 * Gives a completed payment back, whole or in part. However many are made at once, refunds together never come to
 * more than amount and tip. Throws `not_found`, `precondition_failed`, `invalid_status_transition` and
 * `validation_failed`.
 */
export async function refundPayment(
  context: Context,
  id: string,
  { amount, ifMatch }: Refund,
): Promise<Payment> {
  const { database, environment, caller } = context;
  const reach = authorize(caller, 'refundPayment');
  return database.transaction(async (tx) => {
    const { payment, stylistId } = await readPayment(tx, context, { id, reach });
    assertIfMatch(payment, ifMatch);
    assertRefundable(payment, amount);
    const refunded = toRefunded(payment, amount ?? toRefundableAmount(payment), environment.now());
    await updateRecords(tx, 'payments', [toPaymentRow(caller.account.id, refunded, stylistId)]);
    await recordEvent(tx, context, { type: 'payment.refunded', object: refunded, former: payment });
    return refunded;
  });
}

async function readPayment(
  reader: Reader,
  { caller }: Context,
  { id, reach }: { id: string; reach: Access },
): Promise<{ payment: Payment; stylistId: string | null }> {
  const found = await readPaymentRow(reader, { accountId: caller.account.id, id });
  const isInReach = reach === 'all' || (found?.stylist_id ?? '') === caller.stylistId;
  if (found === undefined || !isInReach) {
    throw notFound('payment', id);
  }
  return { payment: JSON.parse(found.record), stylistId: found.stylist_id };
}

async function readAppointment(
  reader: Reader,
  accountId: string,
  id: string | null,
): Promise<Appointment | undefined> {
  const found = id === null ? undefined : await readRecord(reader, 'appointments', { accountId, id });
  return found === undefined ? undefined : JSON.parse(found.record);
}

function assertRefundable(payment: Payment, amount: number | undefined): void {
  const { status } = payment;
  if (status !== 'completed') {
    const detail = `The payment is ${status}; only a completed one can be given back.`;
    throw new SalonError('invalid_status_transition', detail, {
      hint: 'Wait until it is completed, or leave it as it is.',
      members: { current_status: status, allowed_statuses: [] },
    });
  }
  const left = toRefundableAmount(payment);
  if (left === 0 || (amount ?? left) > left) {
    const detail =
      left === 0
        ? 'Nothing is left of the payment to give back.'
        : `/amount must be at most ${left}, which is what is left of the payment.`;
    throw invalidBody([{ pointer: '/amount', code: 'out_of_range', detail }]);
  }
}
