import { decimalsOf } from '../../../contract/currencies.ts';
import { SalonError } from '../../../contract/errors.ts';
import { type Payment, paymentMethods, paymentStatuses } from '../../../contract/payment.ts';
import { renderDecimal } from '../../../text/numbers.ts';
import type { Handler } from '../../action-runner.ts';
import { type FieldValues, readFields, toDefinedFields } from '../../flags/fields.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { confirmFlag, printFlags, writeFlags, yesFlag } from '../../flags/options.ts';
import { parseAmountFlag, parseCurrency, readAmount, whyRefused } from '../../flags/values.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { readCurrency } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { askForMissing, createRecord, type RequiredField } from '../write-record.ts';
import { confirmUnusual, describe, findBalance } from './due.ts';

export const recordFlags = {
  appointment: {
    flag: '--appointment <which>',
    help: 'Appointment: ID, or its client, who pays unless --client does',
  },
  client: {
    flag: '--client <who>',
    help: 'Who pays: name, email, phone or ID; also for the appointment of another',
  },
  amount: { flag: '--amount <amount>', help: 'Amount, e.g. 45 or 45.00 (default: what is due)' },
  currency: { flag: '--currency <code>', help: "Currency, e.g. EUR (default: the salon's)" },
  tip: { flag: '--tip <amount>', help: 'Tip for the stylist' },
  method: { flag: '--method <method>', help: 'Method', choices: paymentMethods },
  status: { flag: '--status <status>', help: 'Status (default: completed)', choices: paymentStatuses },
  reference: { flag: '--reference <text>', help: 'Reference from the card terminal or till' },
  ...writeFlags,
  ...confirmFlag,
  ...yesFlag,
  ...printFlags,
} as const satisfies FlagTable;

type RecordFlags = FlagValues<typeof recordFlags>;

const required: readonly RequiredField[] = [
  {
    field: 'currency',
    flag: '--currency',
    question: 'Currency (e.g. EUR)',
    validate: (answer) => whyRefused(() => parseCurrency(answer)),
  },
  {
    field: 'amount',
    flag: '--amount',
    question: 'Amount (e.g. 45.00)',
    validate: (answer, fields) => whyRefused(() => toMinorUnits({ ...fields, amount: answer })),
  },
  { field: 'method', flag: '--method', question: 'Method', choices: paymentMethods },
];

export const recordPayment: Handler<RecordFlags> = async (context, words) => {
  const { who, flags } = splitPayment(words);
  if (who === '') return context.prompts.inTurn(() => readPayment(context));
  throw new SalonError('usage', `"${who}" may be a client or an appointment.`, {
    hint: `Say which: salon payments record --client "${who}"${flags}, or --appointment "${who}"${flags} for a visit`,
  });
};

const paymentWords = new RegExp(
  String.raw`^(?<who>.+?)(?: (?<amount>\d{1,6}(?:[.,]\d+)?)(?: ?(?:\p{Sc}|[a-z]{3}))?)?(?: (?<method>${paymentMethods.join('|')}))?$`,
  'iu',
);

/** Who `Ana 23 card` means, and the flags of its amount and method. */
function splitPayment(words: readonly string[]) {
  const text = words.join(' ').trim().replaceAll(/\s+/g, ' ');
  const { who = text, amount, method } = paymentWords.exec(text)?.groups ?? {};
  const flags = [amount && ` --amount ${amount}`, method && ` --method ${method.toLowerCase()}`];
  return { who, flags: flags.filter(Boolean).join('') };
}

async function readPayment(context: CommandContext<RecordFlags>): Promise<CommandResult> {
  const { flags, io } = context;
  // What is no amount is refused before a question.
  if (flags.currency !== undefined) toMinorUnits(toFields(flags));
  if (flags.amount !== undefined) readAmount(flags.amount, '--amount');
  if (flags.tip !== undefined) readAmount(flags.tip, '--tip');
  const payers = await import('../../people/resolve-payment.ts');
  const payer = await payers.resolvePayer(flags, context);
  const given = { ...toFields(flags), ...payer.fields, ...(await readFields(flags, io)) };
  const isMissing = required.some(({ field }) => given[field] === undefined) && flags.data === undefined;
  const asks = isMissing && context.prompts.isInteractive;
  const asked = asks ? await payers.askForPayer(given, context) : undefined;
  const known = { ...given, ...asked?.fields };
  const reading = flags.data === undefined ? readCurrency(context) : undefined;
  // A key that may record payments may not read the settings.
  const ofPrices = await (known['currency'] === undefined ? reading : reading?.catch(() => undefined));
  const currency = known['currency'] ?? ofPrices;
  const balance =
    flags.data === undefined ? await findBalance(known, { currency, ofPrices }, context) : undefined;
  const suggestion =
    asks && currency === undefined
      ? await payers.readUsualCurrency(context)
      : balance?.amount
        ? renderDecimal(balance.amount, decimalsOf(ofPrices ?? '') ?? 0)
        : undefined;
  const suggested = asks && currency === undefined ? 'currency' : 'amount';
  const visit = balance && (await describe(balance.appointment, context, asked?.served ?? payer.served));
  const paidFor = visit?.includes(balance?.appointment.id ?? '') === false ? `, for ${visit}` : '';
  const naming = known['amount'] === undefined ? 'amount' : 'method';
  const questions = required.map((one) => ({
    ...one,
    ...(one.field === suggested && { suggestion }),
    ...(one.field === naming && { question: `${one.question}${paidFor}` }),
  }));
  // A script means what is due; somebody at a terminal is asked.
  const amount = known['amount'] ?? (context.prompts.isInteractive ? undefined : balance?.amount);
  const found = toDefinedFields({ currency, amount, appointment_id: balance?.appointment.id });
  if (ofPrices !== undefined && currency === ofPrices) {
    const hint = 'For this payment, add --currency EUR. For all: salon settings set currency EUR';
    parseCurrency(ofPrices, "The salon's currency", hint);
  }
  const fields = toMinorUnits(await askForMissing({ ...found, ...known }, questions, context));
  await confirmUnusual(fields, { balance, ofPrices }, context);
  const client = asked?.client ?? payer.client;
  return createRecord(context, 'payments', fields, {
    done: 'Recorded',
    describe: async (record) =>
      `${await payers.describePayment(record as Payment, context, client)}${paidFor}`,
  });
}

function toFields({ amount, currency, tip, method, status, reference }: RecordFlags): FieldValues {
  return toDefinedFields({ amount, currency, tip_amount: tip, method, status, reference });
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
    ...(currency && { currency }),
    ...(typeof amount === 'string' && { amount: parse(amount, '--amount') }),
    ...(typeof tip_amount === 'string' && { tip_amount: parse(tip_amount, '--tip') }),
  };
}
