import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addConsentOption, addExamples } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags {
  readonly ignoreMissing?: boolean;
  readonly dryRun?: boolean;
}

export function registerWebhooksDelete(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('delete')
    .argument('<id>', 'identifier of the webhook')
    .description('Remove a webhook, and what is on its way to it')
    .option('--ignore-missing', 'succeed when there is no such webhook')
    .option('-n, --dry-run', 'show which webhook it would be, remove nothing');
  addConsentOption(command);
  addExamples(command, [
    ['salon webhooks delete whk_01jd…', 'asks before it removes'],
    ['salon webhooks delete whk_01jd… --yes --ignore-missing', 'in a script'],
    ['salon webhooks update whk_01jd… --inactive', 'keeps it, and tells it nothing'],
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
      return { show: 'record', record: { id, deleted: false }, said: `This would remove ${name}.` };
    }
    await context.confirm(`Remove ${name}, and what is on its way to it?`);
    await client.webhooks.delete(id);
    return { show: 'record', record: { id, deleted: true }, said: `Removed ${name}.` };
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'not_found' || !flags.ignoreMissing) throw error;
    return { show: 'record', record: { id, deleted: false }, said: `There is no webhook ${id}.` };
  }
}
