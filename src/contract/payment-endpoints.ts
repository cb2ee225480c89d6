import type { Endpoint } from './endpoint.ts';
import { newPayment, newRefund, payment, paymentList, paymentQuery } from './payment.ts';

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
