import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addConfirmOption, addExamples, addPrintOptions } from '../../flags/options.ts';
import { renderInstant } from '../../output/cell.ts';
import { columnSet } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addSecretOption, makeSecret, type NewSecretFlags } from './new-secret.ts';

interface Flags extends NewSecretFlags {
  readonly dryRun?: boolean;
}

const columns = columnSet({ id: 'text', former_secret_until: 'instant' });

export function registerWebhooksRotate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('rotate')
    .argument('<id>', 'identifier of the webhook')
    .description('Give a webhook another secret; the one before it signs too, for another 24 hours')
    .option('-n, --dry-run', 'show which webhook it would be, change nothing');
  addConfirmOption(addSecretOption(command));
  addPrintOptions(command);
  addExamples(command, [
    ['salon webhooks rotate whk_01jd…', 'shows the new secret, once'],
    ['salon webhooks rotate whk_01jd… --secret-file hook.secret', 'keeps it in a new file instead'],
  ]);
  command.action(runner.action(rotateSecret));
}

async function rotateSecret(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  if (context.flags.dryRun) {
    const { url } = await (await context.client()).webhooks.get(id);
    return { show: 'record', record: { id, url }, said: `The webhook to ${url} would get another secret.` };
  }
  return makeSecret(context, async () => {
    const record = await (await context.client()).webhooks.rotateSecret(id);
    const { value: timeZone } = (await context.session()).settings.timeZone;
    const until = renderInstant(record.former_secret_until, { timeZone });
    const said = `Webhook ${id} has another secret; the one before it signs too until ${until} (${timeZone}).`;
    return { id, record: { ...record }, columns, said };
  });
}
