import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { newPayment, type Payment, paymentMethods } from '../../../contract/payment.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { parseAmountFlag, parseCurrency } from '../../flags/amount.ts';
import { type FieldValues, readFields, toDefinedFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmOption, addPrintOptions, addWriteOptions, type WriteFlags } from '../../flags/options.ts';
import { paymentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { askForMissing, createRecord, type RequiredField } from '../write-record.ts';

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

const required: readonly RequiredField[] = [
  {
    field: 'currency',
    flag: '--currency',
    question: 'Currency (e.g. EUR)',
    validate: (answer) => findProblem(() => parseCurrency(answer)),
  },
  {
    field: 'amount',
    flag: '--amount',
    question: 'Amount (e.g. 45.00)',
    validate: (answer, fields) => findProblem(() => toMinorUnits({ ...fields, amount: answer })),
  },
  { field: 'method', flag: '--method', question: 'Method', choices: paymentMethods },
];

export function registerPaymentsRecord(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('record')
    .description('Record a payment')
    .option('--appointment <which>', 'Appointment: ID, or its client; the client is the payer')
    .option('--client <who>', 'Client: name, email, phone or ID; for a payment without an appointment')
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
      'salon payments record --appointment "Ana Costa" --amount 45.00 --currency EUR --tip 5 --method card',
      'Record the payment of an appointment',
    ],
    [
      'salon payments record --client "Ana Costa" --amount 20 --currency EUR --method cash --dry-run',
      'Show what would be sent',
    ],
  ]);
  command.action(runner.action<Flags, []>((context) => context.prompts.inTurn(() => recordPayment(context))));
}

async function recordPayment(context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags, io } = context;
  const payers = await import('../../people/resolve-payment.ts');
  const payer = await payers.resolvePayer(flags, context);
  const given = { ...toFields(flags), ...payer.fields, ...(await readFields(flags, io)) };
  const isAsked = required.some(({ field }) => given[field] === undefined) && flags.data === undefined;
  const asked =
    isAsked && context.prompts.isInteractive ? await payers.askForPayer(given, context) : undefined;
  const suggestion = asked === undefined ? undefined : await payers.readUsualCurrency(context);
  const questions = required.map((one) => (one.field === 'currency' ? { ...one, suggestion } : one));
  const answered = await askForMissing({ ...given, ...asked?.fields }, questions, context);
  const fields = toMinorUnits(answered);
  const client = asked?.client ?? payer.client;
  return createRecord(context, fields, {
    create: (salon) => salon.payments.create(fields),
    known: Object.keys(newPayment.properties),
    done: 'Recorded',
    columns: paymentColumns,
    dryRunColumns: paymentColumns,
    describe: (record) => payers.describePayment(record as Payment, context, client),
  });
}

function toFields(flags: Flags): FieldValues {
  return toDefinedFields({
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
    if (currency !== undefined) return parseAmountFlag(text, { currency, flag });
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

/** What is wrong with an answer, for a prompt. */
function findProblem(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof SalonError) return error.message;
    throw error;
  }
}
