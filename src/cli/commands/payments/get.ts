import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { paymentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerPaymentsGet(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('get')
    .argument('<id>', 'identifier of the payment')
    .description('Show one payment');
  addPrintOptions(command);
  addExamples(command, [
    ['salon payments get pay_01jd…', 'what was paid, and how much of it was given back'],
  ]);
  command.action(runner.action(getPayment));
}

async function getPayment(context: CommandContext<PrintFlags>, id: string): Promise<CommandResult> {
  const client = await context.client();
  return { show: 'record', record: await client.payments.get(id), columns: paymentColumns };
}
