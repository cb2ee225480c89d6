import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Payment } from '../../../contract/payment.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { parseAmountFlag } from '../../flags/amount.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { renderAmount } from '../../output/cell.ts';
import { paymentColumns } from '../../output/columns.ts';
import { type CommandResult, toWriteResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { checkDryRun } from '../../session/dry-run.ts';

interface Flags extends PrintFlags {
  readonly amount?: string;
  readonly dryRun?: boolean;
}

export function registerPaymentsRefund(parent: Command, runner: ActionRunner): void {
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
  context: CommandContext<Flags>,
  words: readonly string[],
): Promise<CommandResult> {
  const { dryRun } = context.flags;
  const { describePayment, findPayment } = await import('../../people/resolve-payment.ts');
  const isMeant = (payment: Payment) => toLeft(payment) > 0;
  const found = await findPayment(words.join(' '), context, { isWrite: true, isMeant });
  const { id } = found;
  const client = await context.client();
  const { record: payment, etag } =
    found.read ?? (await client.payments.getTagged(id, { searchesList: false }));
  const amount = chooseAmount(payment, context.flags);
  const shown = renderAmount(amount, payment.currency);
  const subject = await describePayment(payment, context, found.client);
  if (dryRun) {
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
function chooseAmount(payment: Payment, { amount }: Flags): number {
  const { id, currency } = payment;
  const left = toLeft(payment);
  const wanted = amount === undefined ? left : parseAmountFlag(amount, { currency, flag: '--amount' });
  if (wanted > 0 && wanted <= left) return wanted;
  if (wanted === 0 && left > 0) {
    throw new SalonError('usage', 'Cannot refund an amount of zero.', {
      hint: 'Enter an amount, or omit --amount to refund in full.',
    });
  }
  const message =
    left > 0
      ? `${renderAmount(wanted, currency)} is more than the remaining ${renderAmount(left, currency)} of payment ${id}.`
      : `Payment ${id} is already refunded in full.`;
  throw new SalonError('validation_failed', message, {
    hint: left > 0 ? 'Enter less, or omit --amount to refund in full.' : 'There is nothing to refund.',
  });
}

function toQuestion(payment: Payment, { amount, subject }: { amount: number; subject: string }): string {
  const { currency } = payment;
  const left = toLeft(payment);
  const shown = renderAmount(amount, currency);
  return amount === left
    ? `Refund ${shown}, the full remaining amount of ${subject}?`
    : `Refund ${shown} of the remaining ${renderAmount(left, currency)} of ${subject}?`;
}

function toLeft({ amount, tip_amount, refunded_amount }: Payment): number {
  return amount + tip_amount - refunded_amount;
}
