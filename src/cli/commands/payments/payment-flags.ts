import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { parseAmount, parseCurrency } from '../../flags/amount.ts';
import { type Fields, toDefinedFields } from '../../flags/fields.ts';

/** Flags that say what was paid. */
export interface PaymentFlags {
  readonly appointment?: string;
  readonly client?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly tip?: string;
  readonly method?: string;
  readonly status?: string;
  readonly reference?: string;
}

export function addPaymentOptions(command: Command): Command {
  return command
    .option('--appointment <id>', 'what was paid for; its client paid')
    .option('--client <id>', 'who paid, where it was for no appointment')
    .option('--amount <amount>', 'how much, as people write it: 45 or 45.00')
    .option('--currency <code>', 'of which money: EUR, USD, JPY')
    .option('--tip <amount>', 'how much beside it, for the stylist')
    .option('--method <method>', 'how: cash, card, gift_card, other')
    .option('--status <status>', 'how it stands; a new one is completed')
    .option('--reference <text>', 'what a terminal or a till calls it');
}

/** The fields that the flags give. */
export function toPaymentFields(flags: PaymentFlags): Fields {
  return toDefinedFields({
    client_id: flags.client,
    appointment_id: flags.appointment,
    amount: flags.amount,
    currency: flags.currency,
    tip_amount: flags.tip,
    method: flags.method,
    status: flags.status,
    reference: flags.reference,
  });
}

/** Amounts as people write them become minor units; numbers are those already. Throws `usage`. */
export function normalisePayment(fields: Fields): Fields {
  const { amount, tip_amount } = fields;
  const currency = typeof fields['currency'] === 'string' ? parseCurrency(fields['currency']) : undefined;
  const toMinorUnits = (text: string, flag: string) => {
    if (currency !== undefined) return parseAmount(text, { currency, flag });
    throw new SalonError('usage', `${flag} ${text} says nothing without its currency.`, {
      hint: 'Give it with --currency, such as --currency EUR.',
    });
  };
  return {
    ...fields,
    ...(currency === undefined ? {} : { currency }),
    ...(typeof amount === 'string' ? { amount: toMinorUnits(amount, '--amount') } : {}),
    ...(typeof tip_amount === 'string' ? { tip_amount: toMinorUnits(tip_amount, '--tip') } : {}),
  };
}
