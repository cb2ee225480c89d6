import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import type { Payment } from '../../contract/payment.ts';
import type { ApiContext } from '../api-context.ts';
import { assertIdentifier } from '../http/request-path.ts';
import {
  type CollectionOf,
  type CreateRecordOptions,
  createCollection,
  createGuardedCall,
} from './collection.ts';
import { toChanged, type Written } from './response-record.ts';

export interface RefundOptions extends CreateRecordOptions {
  /** In minor units, such as cents; by default everything not yet refunded. */
  readonly amount?: number | undefined;
  /** Refunds only a payment with this entity tag; otherwise throws `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

export interface PaymentCollection extends CollectionOf<'Payment'> {
  /** Returns the changed payment. Throws `validation_failed` if less than the amount is left to refund. */
  refund(id: string, options?: RefundOptions): Promise<Written<Payment>>;
  /** Cancels a payment that was recorded by mistake. Throws `invalid_status_transition` if some of it was refunded. */
  void(id: string, options?: Omit<RefundOptions, 'amount'>): Promise<Written<Payment>>;
}

export function createPaymentCollection(context: ApiContext): PaymentCollection {
  const call = createGuardedCall(endpoints.getPayment, context);
  const change = async (
    endpoint: Endpoint,
    id: string,
    { amount, ifMatch, idempotencyKey }: RefundOptions = {},
  ): Promise<Written<Payment>> => {
    assertIdentifier(id, 'payment');
    const body = amount === undefined ? undefined : { amount };
    const response = await call(endpoint, { id, body, idempotencyKey }, ifMatch);
    return toChanged(response, { noun: 'payment', id, shape: context.dialect.of('payments') });
  };
  return {
    ...createCollection('Payment', context),
    refund: (id, options) => change(endpoints.refundPayment, id, options),
    void: (id, options) => change(endpoints.voidPayment, id, options),
  };
}
