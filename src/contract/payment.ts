import type { XStatic } from 'typebox/schema';
import type { Endpoint } from './endpoint.ts';
import { identifierSchema } from './identifiers.ts';
import { listOf, pagingQuery, sortDescription } from './list.ts';
import { instantSchema } from './time.ts';

export const paymentMethods = ['cash', 'card', 'gift_card', 'other'] as const;

export const paymentStatuses = ['pending', 'completed', 'failed', 'cancelled'] as const;

const minorUnits = {
  type: 'integer',
  minimum: 0,
  description: 'In the smallest unit of the currency, such as cents.',
} as const;
const text = { type: ['string', 'null'] } as const;

/** One payment, as the service answers it. */
export const payment = {
  title: 'Payment',
  type: 'object',
  required: [
    'id',
    'client_id',
    'appointment_id',
    'amount',
    'currency',
    'tip_amount',
    'method',
    'status',
    'refunded_amount',
    'reference',
    'created_at',
    'updated_at',
  ],
  additionalProperties: false,
  properties: {
    id: identifierSchema('payment'),
    client_id: text,
    appointment_id: text,
    amount: minorUnits,
    currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217, such as EUR.' },
    tip_amount: minorUnits,
    method: { type: 'string', enum: paymentMethods },
    status: { type: 'string', enum: paymentStatuses },
    refunded_amount: minorUnits,
    reference: text,
    created_at: instantSchema,
    updated_at: instantSchema,
  },
} as const;

const identifierText = { type: ['string', 'null'], minLength: 1, maxLength: 64 } as const;
const mostAmount = 1_000_000_000_000;

/** What a new payment is made from. The client is the appointment's where only that is named. */
export const newPayment = {
  title: 'NewPayment',
  type: 'object',
  required: ['amount', 'currency', 'method'],
  additionalProperties: false,
  properties: {
    client_id: identifierText,
    appointment_id: identifierText,
    amount: { ...minorUnits, maximum: mostAmount },
    currency: payment.properties.currency,
    tip_amount: { ...minorUnits, maximum: mostAmount, default: 0 },
    method: payment.properties.method,
    status: { ...payment.properties.status, default: 'completed' },
    reference: { ...text, maxLength: 200 },
  },
} as const;

/** What of a payment goes back: everything that is left of it when no amount is given. */
export const newRefund = {
  title: 'NewRefund',
  type: 'object',
  additionalProperties: false,
  properties: { amount: { ...minorUnits, minimum: 1 } },
} as const;

/** Filters, order and paging of the payment list. */
export const paymentQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...pagingQuery,
    sort: {
      type: 'string',
      enum: ['created_at', '-created_at', 'updated_at', '-updated_at'],
      description: sortDescription,
    },
    client_id: { type: 'string', minLength: 1, maxLength: 64 },
    appointment_id: { type: 'string', minLength: 1, maxLength: 64 },
    status: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'One status, or several with commas.',
    },
    created_from: { type: 'string', description: 'Inclusive: an instant with a zone, or a day in UTC.' },
    created_to: {
      type: 'string',
      description: 'Exclusive instant; a bare day is counted to its end, in UTC.',
    },
  },
} as const;

export const paymentList = listOf(payment);

export type Payment = XStatic<typeof payment>;
export type PaymentStatus = (typeof paymentStatuses)[number];
export type NewPayment = XStatic<typeof newPayment>;
export type NewRefund = XStatic<typeof newRefund>;
export type PaymentQuery = XStatic<typeof paymentQuery>;

/** What can be done with payments. */
export const paymentEndpoints = {
  listPayments: {
    method: 'GET',
    path: '/payments',
    standing: 'extension',
    summary: 'List payments',
    scope: 'payments:read',
    action: 'payments.read',
    query: paymentQuery,
    success: { status: 200, body: paymentList },
  },
  createPayment: {
    method: 'POST',
    path: '/payments',
    standing: 'extension',
    summary: 'Record a payment',
    scope: 'payments:write',
    action: 'payments.write',
    isTagged: true,
    body: newPayment,
    success: { status: 201, body: payment },
  },
  getPayment: {
    method: 'GET',
    path: '/payments/:id',
    standing: 'extension',
    summary: 'Read one payment',
    scope: 'payments:read',
    action: 'payments.read',
    isTagged: true,
    success: { status: 200, body: payment },
  },
  refundPayment: {
    method: 'POST',
    path: '/payments/:id/refunds',
    standing: 'extension',
    summary: 'Give back a payment, whole or in part',
    scope: 'payments:write',
    action: 'payments.refund',
    isTagged: true,
    body: newRefund,
    isBodyOptional: true,
    success: { status: 200, body: payment },
  },
} as const satisfies Record<string, Endpoint>;
