import type { XStatic } from 'typebox/schema';
import { type Endpoint, endpointsOf, post } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import {
  bodyOf,
  fromFilter,
  idInput,
  listQueryOf,
  maxAmount,
  minorUnits,
  nullableIdInput,
  recordOf,
  sortBy,
  stamps,
  statusFilter,
  toFilter,
} from './schemas.ts';

export const paymentMethods = ['cash', 'card', 'gift_card', 'other'] as const;

export const paymentStatuses = ['pending', 'completed', 'failed', 'cancelled'] as const;

const text = { type: ['string', 'null'] } as const;

/** A payment in a response. */
export const payment = recordOf('Payment', {
  id: idSchema('payment'),
  client_id: text,
  appointment_id: text,
  amount: minorUnits,
  currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, such as EUR.' },
  tip_amount: minorUnits,
  method: { type: 'string', enum: paymentMethods },
  status: { type: 'string', enum: paymentStatuses },
  refunded_amount: minorUnits,
  reference: text,
  ...stamps,
});

/** The body that records a payment. */
export const newPayment = bodyOf(
  { title: 'NewPayment', required: ['amount', 'currency', 'method'] },
  {
    client_id: { ...nullableIdInput, description: 'Who pays: by default, the client of the appointment.' },
    appointment_id: nullableIdInput,
    amount: { ...minorUnits, maximum: maxAmount },
    currency: payment.properties.currency,
    tip_amount: { ...minorUnits, maximum: maxAmount, default: 0 },
    method: payment.properties.method,
    status: { ...payment.properties.status, default: 'completed' },
    reference: { ...text, maxLength: 200 },
  },
);

/** The body that refunds a payment. Without an amount, everything not yet refunded is. */
const newRefund = bodyOf({ title: 'NewRefund' }, { amount: { ...minorUnits, minimum: 1 } });

export const paymentQuery = listQueryOf({
  sort: sortBy('created_at', 'updated_at'),
  client_id: idInput,
  appointment_id: idInput,
  status: statusFilter,
  created_from: fromFilter,
  created_to: toFilter,
});

export type Payment = XStatic<typeof payment>;
export type PaymentStatus = (typeof paymentStatuses)[number];
export type NewPayment = XStatic<typeof newPayment>;
export type PaymentQuery = XStatic<typeof paymentQuery>;

/** The amount, tip included, that can still be refunded. */
export function toRefundableAmount({ amount, tip_amount, refunded_amount }: Payment): number {
  return amount + tip_amount - refunded_amount;
}

/** What an appointment costs. Of this service alone, as what is paid of it. */
export const price = {
  ...minorUnits,
  type: ['integer', 'null'],
  maximum: maxAmount,
  description: `Extension. What it costs without a tip. ${minorUnits.description} The currency is the salon’s. Null if it is not known.`,
} as const;

export const paidAmount = {
  ...minorUnits,
  type: ['integer', 'null'],
  description:
    'Extension. What completed payments have paid of it, without tips and refunds. Null, to be checked by somebody, if some are in another currency.',
} as const;

/** Whether a completed appointment is to be paid. */
export const paymentStates = ['due', 'check'] as const;

/** Whether an appointment with a price is paid, or to be checked by somebody; null without a price. */
export function toPaymentState({
  price: wanted,
  paid_amount: paid,
}: {
  readonly price?: unknown;
  readonly paid_amount?: unknown;
}): (typeof paymentStates)[number] | 'paid' | null {
  if (typeof wanted !== 'number') return null;
  if (typeof paid !== 'number') return 'check';
  return paid < wanted ? 'due' : 'paid';
}

/**
 * What payments have paid of their appointment: of a refund, the tip goes first. Null if they are in several currencies,
 * or in another than the one given.
 */
export function toPaidAmount(payments: readonly Payment[], currency: string | null): number | null {
  const completed = payments.filter(({ status }) => status === 'completed');
  const currencies = new Set(completed.map((one) => one.currency));
  if (currency !== null) currencies.add(currency);
  if (currencies.size > 1) return null;
  return completed.reduce((sum, one) => sum + Math.min(one.amount, toRefundableAmount(one)), 0);
}

const at = endpointsOf('/payments', 'payments', { record: payment });

export const paymentEndpoints = {
  listPayments: at.list('List payments', paymentQuery, { isStreamed: true }),
  createPayment: at.create('Record a payment', newPayment),
  getPayment: at.get('Get a payment'),
  refundPayment: post('/payments/:id/refunds', payment, {
    isTagged: true,
    summary: 'Refund a payment, in full or in part',
    action: 'payments.refund',
    body: newRefund,
    isBodyOptional: true,
  }),
  voidPayment: post('/payments/:id/void', payment, {
    isTagged: true,
    summary: 'Cancel a payment that was recorded by mistake',
    action: 'payments.refund',
  }),
} as const satisfies Record<string, Endpoint>;
