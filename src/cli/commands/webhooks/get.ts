import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { webhookColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerWebhooksGet(parent: Command, runner: ActionRunner): void {
  const command = parent.command('get').argument('<id>', 'webhook ID').description('Show one webhook');
  addPrintOptions(command);
  addExamples(command, [['salon webhooks get whk_01jd…', 'Show URL, events, and why it was disabled']]);
  command.action(runner.action(getWebhook));
}

async function getWebhook(context: CommandContext<PrintFlags>, id: string): Promise<CommandResult> {
  const client = await context.client();
  return { show: 'record', record: await client.webhooks.get(id), columns: webhookColumns };
}
