import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { paymentColumns } from '../../print/columns.ts';

export function registerPaymentsGet(parent: Command, frame: Frame): void {
  const command = parent
    .command('get')
    .argument('<id>', 'identifier of the payment')
    .description('Show one payment');
  addPrintOptions(command);
  addExamples(command, [
    ['salon payments get pay_01jd…', 'what was paid, and how much of it was given back'],
  ]);
  command.action(frame.action(getPayment));
}

async function getPayment(call: Call<PrintFlags>, id: string): Promise<Outcome> {
  const client = await call.client();
  return { show: 'record', record: await client.payments.get(id), columns: paymentColumns };
}
