import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { newPayment, type Payment, paymentMethods, toRefundableAmount } from '../../../contract/payment.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { listRecords } from '../../export/list-records.ts';
import { type FieldValues, readFields, toDefinedFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addConfirmationOptions,
  addConfirmOption,
  addPrintOptions,
  addWholeListOptions,
  addWriteOptions,
  type ExportFlags,
  joinLists,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import { parseAmountFlag, parseCurrency } from '../../flags/values.ts';
import { renderAmount } from '../../output/cell.ts';
import { paymentColumns } from '../../output/columns.ts';
import { type CommandResult, toWriteResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { checkDryRun } from '../../session/dry-run.ts';
import { registerGet } from '../get-record.ts';
import { askForMissing, createRecord, type RequiredField } from '../write-record.ts';

export function registerPayments(payments: Command, runner: ActionRunner): void {
  registerList(payments, runner);
  registerGet(payments, runner, {
    noun: 'payments',
    name: 'payment',
    columns: paymentColumns,
    examples: [
      ['salon payments get Ana Costa', "Show a client's payment"],
      ['salon payments get pay_01jd…', 'Show the amount, method and refunds'],
    ],
    argument: '<payment...>',
    reference: 'payment ID, or its client: name, email, phone',
    find: async (reference, context) =>
      (await import('../../people/resolve-payment.ts')).findPayment(reference, context),
  });
  registerRecord(payments, runner);
  registerRefund(payments, runner);
}

interface ListFlags extends ExportFlags {
  readonly client?: string;
  readonly appointment?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
}

function registerList(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('list')
    .description('List payments')
    .option('--client <who>', 'Filter by client: name, email, phone or ID')
    .option('--appointment <which>', 'Filter by appointment: ID, or its client')
    .option('--status <a,b>', 'Filter by status, e.g. pending,failed', joinLists)
    .option('--from <when>', 'Recorded at or after, e.g. today, -7d, 2026-11-21')
    .option('--to <when>', 'Recorded before; a date includes the whole day');
  addWholeListOptions(command);
  addExamples(command, [
    ['salon payments list --from today', "List today's payments"],
    [
      'salon payments list --status pending,failed --sort -created_at',
      'List pending and failed payments, newest first',
    ],
    ['salon payments list --from -30d -o payments.csv', 'Export the last 30 days (amounts in minor units)'],
  ]);
  command.action(runner.action(listPayments));
}

async function listPayments(context: CommandContext<ListFlags>): Promise<CommandResult> {
  const { appointment, status, from, to } = context.flags;
  const [{ resolvePeople, refuseUnknown }, { findAppointment }] = await Promise.all([
    import('../../people/resolve-filters.ts'),
    import('../../people/resolve-appointment.ts'),
  ]);
  const people = await resolvePeople(context);
  const found =
    appointment === undefined ? undefined : await findAppointment(appointment, context, { period: 'recent' });
  const known = { ...people, appointment_id: found?.id };
  const filters = {
    ...known,
    status,
    created_from: { moment: from, edge: 'start' },
    created_to: { moment: to, edge: 'end' },
  } as const;
  const records = await listRecords(context, { noun: 'payments', columns: paymentColumns }, filters);
  return refuseUnknown(records, known, context);
}

interface RefundFlags extends PrintFlags {
  readonly amount?: string;
  readonly dryRun?: boolean;
}

function registerRefund(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('refund')
    .argument('<payment...>', 'payment ID, or its client: name, email, phone')
    .description('Refund a payment, in part or in full (cannot be undone)')
    .option('--amount <amount>', 'Amount, e.g. 10 or 10.00 (default: all that remains)')
    .option('-n, --dry-run', 'Show what would be refunded; refund nothing');
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon payments refund Ana Costa', 'Refund in full, tip included, after confirmation'],
    ['salon payments refund pay_01jd… --amount 10.00 --yes', 'Refund a part, in a script'],
    ['salon payments refund Ana Costa --dry-run', 'Show how much remains'],
  ]);
  command.action(runner.action(refundPayment));
}

async function refundPayment(
  context: CommandContext<RefundFlags>,
  words: readonly string[],
): Promise<CommandResult> {
  const { describePayment, findPayment } = await import('../../people/resolve-payment.ts');
  const isMeant = (payment: Payment) => toRefundableAmount(payment) > 0;
  const found = await findPayment(words.join(' '), context, { isWrite: true, isMeant });
  const { id } = found;
  const client = await context.client();
  const { record: payment, etag } =
    found.read ?? (await client.payments.getTagged(id, { searchesList: false }));
  const amount = chooseAmount(payment, context.flags);
  const shown = renderAmount(amount, payment.currency);
  const subject = await describePayment(payment, context, found.client);
  if (context.flags.dryRun) {
    const record = { id, amount, currency: payment.currency };
    const verdict = await checkDryRun(context, ({ payments }) =>
      payments.refund(id, { amount, ifMatch: etag }),
    );
    return { show: 'record', record, message: `Would refund ${shown} of ${subject}.\n${verdict}` };
  }
  await context.confirm(toQuestion(payment, { amount, subject }));
  // Bound to the version that was shown: a concurrent refund is a conflict.
  const written = await client.payments.refund(id, { amount, ifMatch: etag });
  return toWriteResult(written, { done: `Refunded ${shown} of`, subject, columns: paymentColumns });
}

/** The amount to refund, in minor units. Throws `usage`, and `validation_failed` for more than is left. */
function chooseAmount(payment: Payment, { amount }: RefundFlags): number {
  const { id, currency } = payment;
  const left = toRefundableAmount(payment);
  const wanted = amount === undefined ? left : parseAmountFlag(amount, { currency, flag: '--amount' });
  if (wanted > 0 && wanted <= left) return wanted;
  if (wanted === 0 && left > 0) {
    throw new SalonError('usage', 'Cannot refund an amount of zero.', {
      hint: 'Enter an amount, or omit --amount to refund in full.',
    });
  }
  const refuse = (message: string, hint: string) => new SalonError('validation_failed', message, { hint });
  if (left <= 0) throw refuse(`Payment ${id} is already refunded in full.`, 'There is nothing to refund.');
  const [asked, remaining] = [wanted, left].map((one) => renderAmount(one, currency));
  throw refuse(
    `${asked} is more than the remaining ${remaining} of payment ${id}.`,
    'Enter less, or omit --amount to refund in full.',
  );
}

function toQuestion(payment: Payment, { amount, subject }: { amount: number; subject: string }): string {
  const left = toRefundableAmount(payment);
  const [shown, remaining] = [amount, left].map((one) => renderAmount(one, payment.currency));
  if (amount === left) return `Refund ${shown}, the full remaining amount of ${subject}?`;
  return `Refund ${shown} of the remaining ${remaining} of ${subject}?`;
}

interface RecordFlags extends WriteFlags {
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

function registerRecord(parent: Command, runner: ActionRunner): void {
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
  command.action(
    runner.action<RecordFlags, []>((context) => context.prompts.inTurn(() => recordPayment(context))),
  );
}

async function recordPayment(context: CommandContext<RecordFlags>): Promise<CommandResult> {
  const { flags, io } = context;
  const payers = await import('../../people/resolve-payment.ts');
  const payer = await payers.resolvePayer(flags, context);
  const given = { ...toFields(flags), ...payer.fields, ...(await readFields(flags, io)) };
  const isMissing = required.some(({ field }) => given[field] === undefined) && flags.data === undefined;
  const asks = isMissing && context.prompts.isInteractive;
  const asked = asks ? await payers.askForPayer(given, context) : undefined;
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

function toFields(flags: RecordFlags): FieldValues {
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
