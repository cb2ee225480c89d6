import { type Payment, toRefundableAmount } from './payment.ts';
import { maxAmount, minorUnits } from './schemas.ts';

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
