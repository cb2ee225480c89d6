import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Payment } from '../../../contract/payment.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { parseAmount } from '../../flags/amount.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { renderAmount } from '../../output/cell.ts';
import { paymentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { toWriteResult } from '../../output/write-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends PrintFlags {
  readonly amount?: string;
  readonly dryRun?: boolean;
}

export function registerPaymentsRefund(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('refund')
    .argument('<id>', 'identifier of the payment')
    .description('Give a payment back, the tip with it: what is named, or everything that is left')
    .option('--amount <amount>', 'how much of it, as people write it: 10 or 10.00')
    .option('-n, --dry-run', 'show what would be given back, give back nothing');
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon payments refund pay_01jd…', 'everything that is left; asks first'],
    ['salon payments refund pay_01jd… --amount 10.00 --yes', 'a part of it, in a script'],
    ['salon payments refund pay_01jd… --dry-run', 'see how much is left'],
  ]);
  command.action(runner.action(refundPayment));
}

async function refundPayment(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  const { dryRun } = context.flags;
  const client = await context.client();
  const { record: payment, etag } = await client.payments.getTagged(id, { searchesList: false });
  const amount = chooseAmount(payment, context.flags);
  const shown = renderAmount(amount, payment.currency);
  if (dryRun) {
    const record = { id, amount, currency: payment.currency };
    return { show: 'record', record, said: `This would give back ${shown} of payment ${id}; nothing was.` };
  }
  await context.confirm(toQuestion(payment, amount));
  // Bound to the payment as it was shown: what a colleague gave back meanwhile was not agreed to.
  const written = await client.payments.refund(id, { amount, ifMatch: etag });
  return toWriteResult(written, { done: `Gave back ${shown} of payment`, columns: paymentColumns });
}

/** What is to be given back, in minor units. Throws `usage`, and `validation_failed` for more than is left. */
function chooseAmount(payment: Payment, { amount }: Flags): number {
  const { id, currency } = payment;
  const left = toLeft(payment);
  const wanted = amount === undefined ? left : parseAmount(amount, { currency, flag: '--amount' });
  if (wanted > 0 && wanted <= left) return wanted;
  if (wanted === 0 && left > 0) {
    throw new SalonError('usage', 'There is no giving back of nothing.', {
      hint: 'Name an amount, or leave --amount out for all that is left.',
    });
  }
  const message =
    left > 0
      ? `${renderAmount(wanted, currency)} is more than the ${renderAmount(left, currency)} left of payment ${id}.`
      : `Nothing is left of payment ${id}: all of it was given back.`;
  throw new SalonError('validation_failed', message, {
    hint:
      left > 0 ? 'Name less, or leave --amount out for all that is left.' : 'There is nothing more to do.',
  });
}

function toQuestion(payment: Payment, amount: number): string {
  const { id, currency } = payment;
  const left = toLeft(payment);
  const shown = renderAmount(amount, currency);
  return amount === left
    ? `Give back ${shown}, all that is left of payment ${id}?`
    : `Give back ${shown} of the ${renderAmount(left, currency)} left of payment ${id}?`;
}

function toLeft({ amount, tip_amount, refunded_amount }: Payment): number {
  return amount + tip_amount - refunded_amount;
}
