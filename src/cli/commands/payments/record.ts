import type { Command } from 'commander';
import { newPayment } from '../../../contract/payment.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addConfirmOption,
  addPrintOptions,
  addWriteOptions,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import { paymentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { toWriteResult } from '../../output/write-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { askForMissing, explainUnknownFields } from '../write-record.ts';
import { addPaymentOptions, normalisePayment, type PaymentFlags, toPaymentFields } from './payment-flags.ts';

interface Flags extends WriteFlags, PrintFlags, PaymentFlags {}

/** The fields every payment has, with the flag that gives each and the question that asks for it. */
const required = [
  { field: 'amount', flag: '--amount', question: 'Amount (such as 45.00)' },
  { field: 'currency', flag: '--currency', question: 'Currency (such as EUR)' },
  { field: 'method', flag: '--method', question: 'Method (cash, card, gift_card, other)' },
] as const;

export function registerPaymentsRecord(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('record')
    .description(
      'Record what was paid; amounts are as people write them, with --set amount:= in minor units',
    );
  addWriteOptions(addPaymentOptions(command));
  addConfirmOption(command);
  addPrintOptions(command);
  addExamples(command, [
    [
      'salon payments record --appointment apt_01jd… --amount 45.00 --currency EUR --tip 5 --method card',
      'an appointment, paid by its client',
    ],
    [
      'salon payments record --client cli_01jd… --amount 20 --currency EUR --method gift_card --dry-run',
      'see what would be sent',
    ],
    ['salon payments record', 'at a terminal: asks for what is missing'],
  ]);
  command.action(runner.action(recordPayment));
}

async function recordPayment(context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags, io, messages } = context;
  const given = { ...toPaymentFields(flags), ...(await readFields(flags, io)) };
  const body = normalisePayment(await askForMissing(given, required, context));
  if (flags.dryRun) {
    messages.info('This would be sent; nothing was.');
    return { show: 'record', record: body, columns: paymentColumns };
  }
  const client = await context.client();
  const recording = client.payments.create(body);
  const written = await explainUnknownFields(recording, Object.keys(newPayment.properties));
  return toWriteResult(written, { done: 'Recorded payment', columns: paymentColumns });
}
