import type { Command } from 'commander';
import type { Collections } from '../../../client/resources/collections.ts';
import { SalonError } from '../../../contract/errors.ts';
import { type Payment, toRefundableAmount } from '../../../contract/payment.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { listRecords } from '../../export/list-records.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { confirmationFlags, exportFlags, filterFlags, printFlags, writeFlags } from '../../flags/options.ts';
import { parseAmountFlag } from '../../flags/values.ts';
import { nouns } from '../../nouns/nouns.ts';
import { renderAmount } from '../../output/cell.ts';
import { toWriteResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { defineGet } from '../get-record.ts';
import { previewWrite } from '../write-record.ts';
import { dueFlags, listDue } from './due.ts';
import { recordFlags, recordPayment } from './record.ts';

const { reference } = nouns.payments;

const listingFlags = {
  client: filterFlags.client,
  appointment: { flag: '--appointment <which>', help: 'Filter by appointment: ID, or its client' },
  status: {
    flag: '--status <a,b>',
    help: 'Filter by status, e.g. pending,failed',
    complete: 'statuses',
  },
  from: { flag: '--from <when>', help: 'Recorded at or after, e.g. today, -7d, 2026-11-21' },
  to: { flag: '--to <when>', help: 'Recorded before; a date includes the whole day' },
  ...exportFlags,
} as const satisfies FlagTable;

const refundFlags = {
  amount: { flag: '--amount <amount>', help: 'Amount, e.g. 10 or 10.00 (default: all that remains)' },
  dryRun: { ...writeFlags.dryRun, help: 'Show what would be refunded; refund nothing' },
  ...confirmationFlags,
  ...printFlags,
} as const satisfies FlagTable;

const { amount: _amount, ...voidFlags } = {
  ...refundFlags,
  dryRun: { ...writeFlags.dryRun, help: 'Show what would be voided; change nothing' },
};

export function registerPayments(payments: Command, runner: ActionRunner): void {
  runner.define(payments.command('list'), {
    description: 'List payments',
    flags: listingFlags,
    examples: {
      'salon payments list --from today': "List today's payments",
      'salon payments list --status pending,failed --sort -created_at':
        'List pending and failed payments, newest first',
      'salon payments list --from -30d -o payments.csv': 'Export the last 30 days (amounts in minor units)',
    },
    handler: async () => listPayments,
  });
  defineGet(payments, runner, 'payments', {
    'salon payments get Ana Costa': "Show a client's payment",
    'salon payments get pay_01jd…': 'Show the amount, method and refunds',
  });
  runner.define(payments.command('record'), {
    description: 'Record a payment',
    args: { '[words...]': 'Say who pays with --client or --appointment' },
    flags: recordFlags,
    examples: {
      'salon payments record': 'Record step by step, with prompts',
      'salon payments record --appointment "Ana Costa" --tip 5 --method card':
        'Record that she paid what is due',
      'salon payments record --client "Ana Costa" --amount 20 --currency EUR --method cash --dry-run':
        'Show what would be sent',
    },
    undo: 'salon payments void',
    handler: async () => recordPayment,
  });
  runner.define(payments.command('refund'), {
    description: 'Refund a payment, in part or in full (cannot be undone)',
    args: { '<payment...>': reference },
    flags: refundFlags,
    examples: {
      'salon payments refund Ana Costa': 'Refund in full, tip included, after confirmation',
      'salon payments refund pay_01jd… --amount 10.00 --yes': 'Refund a part, in a script',
      'salon payments refund Ana Costa --dry-run': 'Show how much remains',
    },
    handler: async () => refundPayment,
  });
  runner.define(payments.command('void'), {
    description: 'Cancel a payment that was recorded by mistake (cannot be undone)',
    args: { '<payment...>': reference },
    flags: voidFlags,
    examples: {
      'salon payments void Ana Costa': 'Void her wrong payment, after confirmation',
      'salon payments refund Ana Costa': 'Give money back instead',
    },
    handler: async () => voidPayment,
  });
  runner.define(payments.command('due'), {
    description: 'List completed appointments that are not fully paid',
    args: { '[when...]': 'day or week of the appointments, e.g. yesterday' },
    flags: dueFlags,
    examples: {
      'salon payments due': 'Who has not paid, with phone numbers and the total',
      'salon payments due yesterday': 'Who left without paying yesterday',
    },
    handler: async () => listDue,
  });
}

const listPayments: Handler<FlagValues<typeof listingFlags>> = async (context) => {
  const { appointment, status, from, to } = context.flags;
  const [{ resolvePeople, refuseUnknown }, { findAppointment }, { readOwed }] = await Promise.all([
    import('../../people/resolve-filters.ts'),
    import('../../people/resolve-appointment.ts'),
    import('../../people/resolve-payment.ts'),
  ]);
  const people = await resolvePeople(context, { readMarks: () => readOwed(context) });
  const found =
    appointment === undefined ? undefined : await findAppointment(appointment, context, { period: 'recent' });
  const known = { ...people, appointment_id: found?.id };
  const filters = {
    ...known,
    status,
    created_from: { moment: from, edge: 'start' },
    created_to: { moment: to, edge: 'end' },
  } as const;
  const records = await listRecords(context, { noun: 'payments' }, filters);
  return refuseUnknown(records, known, context);
};

type RefundFlags = FlagValues<typeof refundFlags>;

const refundPayment: Handler<RefundFlags> = async (context, words) => {
  const isMeant = (one: Payment) => toRefundableAmount(one) > 0;
  const { id, payment, etag: ifMatch, subject } = await findToChange(words, isMeant, context);
  const amount = chooseAmount(payment, context.flags);
  const shown = renderAmount(amount, payment.currency);
  // Bound to the version that was shown: a concurrent refund is a conflict.
  const refund = ({ payments }: Collections) => payments.refund(id, { amount, ifMatch });
  if (context.flags.dryRun) {
    const record = { id, amount, currency: payment.currency };
    return previewWrite(context, { would: `refund ${shown} of ${subject}`, record }, refund);
  }
  await context.confirm(toQuestion(payment, { amount, subject }));
  return toWriteResult(await refund(await context.client()), {
    done: `Refunded ${shown} of`,
    subject,
    columns: nouns.payments.columns,
  });
};

/** Reads the current state of the payment that the words name. */
async function findToChange(
  words: readonly string[],
  isMeant: (payment: Payment) => boolean,
  context: CommandContext,
) {
  const { describePayment, findPayment } = await import('../../people/resolve-payment.ts');
  const { id, read, client } = await findPayment(words.join(' '), context, { isWrite: true, isMeant });
  const { payments } = await context.client();
  const { record: payment, etag } = read ?? (await payments.getTagged(id, { searchesList: false }));
  return { id, payment, etag, subject: await describePayment(payment, context, client) };
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

const voidPayment: Handler<FlagValues<typeof voidFlags>> = async (context, words) => {
  const isMeant = ({ status }: Payment) => status !== 'cancelled';
  const { id, payment, etag: ifMatch, subject } = await findToChange(words, isMeant, context);
  const end = ({ payments }: Collections) => payments.void(id, { ifMatch });
  if (context.flags.dryRun)
    return previewWrite(context, { would: `void ${subject}`, record: { id, status: 'cancelled' } }, end);
  if (payment.status === 'cancelled') {
    const message = `${subject} is void already. Nothing was changed.`;
    return { show: 'record', record: { ...payment }, columns: nouns.payments.columns, message };
  }
  await context.confirm(`Void ${subject}, as recorded by mistake?`);
  return toWriteResult(await end(await context.client()), {
    done: 'Voided',
    subject,
    columns: nouns.payments.columns,
  });
};
