import { endpoints } from '../../contract/endpoints.ts';
import type { NewPayment, Payment } from '../../contract/payment.ts';
import { assertIdentifier } from '../http/api-requester.ts';
import type { ListParts } from '../pagination/page-fetcher.ts';
import { type Collection, type CreateOptions, createCollection, type ListQuery } from './collection.ts';
import { toWritten, type Written } from './record.ts';
import { paymentResource } from './resource.ts';
import { toMatchHeaders } from './update.ts';

/** How a payment is given back. */
export interface RefundOptions extends CreateOptions {
  /** In minor units, such as cents; everything that is left where it is left out. */
  readonly amount?: number | undefined;
  /** The tag that the payment must have; with another one nothing is given back: `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

type PaymentQuery = ListQuery<'listPayments'>;

export interface PaymentCollection extends Collection<Payment, PaymentQuery, NewPayment> {
  /** Answers the payment as it is then. `validation_failed` where less than that is left of it. */
  refund(id: string, options?: RefundOptions): Promise<Written<Payment>>;
}

export function createPaymentCollection(parts: ListParts): PaymentCollection {
  const collection = createCollection<Payment, PaymentQuery, NewPayment>(paymentResource, parts);
  return {
    ...collection,
    async refund(id, { amount, ifMatch, idempotencyKey } = {}) {
      assertIdentifier(id, paymentResource.noun);
      const key = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      const answer = await parts.call.endpoint(endpoints.refundPayment, {
        id,
        body: amount === undefined ? undefined : { amount },
        headers: { ...key, ...toMatchHeaders(ifMatch) },
      });
      const outcome = answer.status === 202 ? 'accepted' : 'done';
      return { ...toWritten<Payment>(answer, paymentResource.noun), id, outcome };
    },
  };
}
