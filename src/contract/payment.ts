import type { XStatic } from 'typebox/schema';
import { identifierSchema } from './identifiers.ts';
import { instantSchema } from './instants.ts';

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

export type Payment = XStatic<typeof payment>;
