import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { webhookColumns } from '../../print/columns.ts';

export function registerWebhooksGet(parent: Command, frame: Frame): void {
  const command = parent
    .command('get')
    .argument('<id>', 'identifier of the webhook')
    .description('Show one webhook');
  addPrintOptions(command);
  addExamples(command, [['salon webhooks get whk_01jd…', 'where it leads, and why it was switched off']]);
  command.action(frame.action(getWebhook));
}

async function getWebhook(call: Call<PrintFlags>, id: string): Promise<Outcome> {
  const client = await call.client();
  return { show: 'record', record: await client.webhooks.get(id), columns: webhookColumns };
}
