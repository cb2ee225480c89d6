import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { checkDryRun } from '../../session/dry-run.ts';

interface Flags {
  readonly ignoreMissing?: boolean;
  readonly dryRun?: boolean;
}

export function registerWebhooksDelete(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('delete')
    .argument('<id>', 'webhook ID')
    .description('Delete a webhook and its pending deliveries')
    .option('--ignore-missing', 'succeed if the webhook does not exist')
    .option('-n, --dry-run', 'show the webhook; delete nothing');
  addConfirmationOptions(command);
  addExamples(command, [
    ['salon webhooks delete whk_01jd…', 'Delete after confirmation'],
    ['salon webhooks delete whk_01jd… --yes --ignore-missing', 'Delete in a script'],
    ['salon webhooks update whk_01jd… --inactive', 'Pause it instead'],
  ]);
  command.action(runner.action(deleteWebhook));
}

async function deleteWebhook(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  const { flags } = context;
  const client = await context.client();
  try {
    const { url } = await client.webhooks.get(id);
    const name = `the webhook to ${url} (${id})`;
    if (flags.dryRun) {
      const verdict = await checkDryRun(context, ({ webhooks }) => webhooks.delete(id));
      return {
        show: 'record',
        record: { id, deleted: false },
        message: `Would delete ${name}.\n${verdict}`,
      };
    }
    await context.confirm(`Delete ${name} and its pending deliveries?`);
    await client.webhooks.delete(id);
    return { show: 'record', record: { id, deleted: true }, message: `Deleted ${name}.` };
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'not_found' || !flags.ignoreMissing) throw error;
    return { show: 'record', record: { id, deleted: false }, message: `No webhook with ID ${id}.` };
  }
}
