import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { newPayment } from '../../../contract/payment.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { parseAmount, parseCurrency } from '../../flags/amount.ts';
import { type FieldValues, readFields, toDefinedFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmOption, addPrintOptions, addWriteOptions, type WriteFlags } from '../../flags/options.ts';
import { paymentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { askForMissing, createRecord } from '../write-record.ts';

interface Flags extends WriteFlags {
  readonly appointment?: string;
  readonly client?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly tip?: string;
  readonly method?: string;
  readonly status?: string;
  readonly reference?: string;
}

const required = [
  { field: 'amount', flag: '--amount', question: 'Amount (e.g. 45.00)' },
  { field: 'currency', flag: '--currency', question: 'Currency (e.g. EUR)' },
  { field: 'method', flag: '--method', question: 'Method (cash, card, gift_card, other)' },
] as const;

export function registerPaymentsRecord(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('record')
    .description('Record a payment')
    .option('--appointment <id>', 'Appointment ID; its client is the payer')
    .option('--client <id>', 'Client ID, for a payment without an appointment')
    .option('--amount <amount>', 'Amount, e.g. 45 or 45.00')
    .option('--currency <code>', 'Currency, e.g. EUR, USD, JPY')
    .option('--tip <amount>', 'Tip for the stylist')
    .option('--method <method>', 'Method: cash, card, gift_card or other')
    .option('--status <status>', 'Status (default: completed)')
    .option('--reference <text>', 'Reference from the card terminal or till');
  addConfirmOption(addWriteOptions(command));
  addPrintOptions(command);
  addExamples(command, [
    ['salon payments record', 'Record step by step, with prompts'],
    [
      'salon payments record --appointment apt_01jd… --amount 45.00 --currency EUR --tip 5 --method card',
      'Record the payment of an appointment',
    ],
    [
      'salon payments record --client cli_01jd… --amount 20 --currency EUR --method cash --dry-run',
      'Show what would be sent',
    ],
  ]);
  command.action(runner.action(recordPayment));
}

async function recordPayment(context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags, io } = context;
  const given = { ...toFields(flags), ...(await readFields(flags, io)) };
  const fields = toMinorUnits(await askForMissing(given, required, context));
  return createRecord(context, fields, {
    create: (client) => client.payments.create(fields),
    known: Object.keys(newPayment.properties),
    done: 'Recorded payment',
    columns: paymentColumns,
    dryRunColumns: paymentColumns,
  });
}

function toFields(flags: Flags): FieldValues {
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

/** Converts amounts given as text; numbers are minor units already. Throws `usage`. */
function toMinorUnits(fields: FieldValues): FieldValues {
  const { amount, tip_amount } = fields;
  const currency = typeof fields['currency'] === 'string' ? parseCurrency(fields['currency']) : undefined;
  const parse = (text: string, flag: string) => {
    if (currency !== undefined) return parseAmount(text, { currency, flag });
    throw new SalonError('usage', `${flag} ${text} needs a currency.`, {
      hint: 'Pass it with --currency, e.g. --currency EUR.',
    });
  };
  return {
    ...fields,
    ...(currency === undefined ? {} : { currency }),
    ...(typeof amount === 'string' ? { amount: parse(amount, '--amount') } : {}),
    ...(typeof tip_amount === 'string' ? { tip_amount: parse(tip_amount, '--tip') } : {}),
  };
}
