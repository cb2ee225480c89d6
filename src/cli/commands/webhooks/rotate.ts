import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmOption, addPrintOptions } from '../../flags/options.ts';
import { renderInstant } from '../../output/cell.ts';
import { columnSet } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { checkDryRun } from '../../session/dry-run.ts';
import { addSecretOption, makeSecret, type NewSecretFlags } from './secrets.ts';

interface Flags extends NewSecretFlags {
  readonly dryRun?: boolean;
}

const columns = columnSet({ id: 'text', former_secret_until: 'instant' });

export function registerWebhooksRotate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('rotate')
    .argument('<id>', 'webhook ID')
    .description('Rotate the signing secret; the old one stays valid for 24 hours')
    .option('-n, --dry-run', 'show the webhook; change nothing');
  addConfirmOption(addSecretOption(command));
  addPrintOptions(command);
  addExamples(command, [
    ['salon webhooks rotate whk_01jd…', 'Print the new secret, once'],
    ['salon webhooks rotate whk_01jd… --secret-file hook.secret', 'Save it to a file'],
  ]);
  command.action(runner.action(rotateSecret));
}

async function rotateSecret(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  if (context.flags.dryRun) {
    const { url } = await (await context.client()).webhooks.get(id);
    const verdict = await checkDryRun(context, ({ webhooks }) => webhooks.rotateSecret(id));
    return {
      show: 'record',
      record: { id, url },
      message: `Would rotate the secret of the webhook to ${url}.\n${verdict}`,
    };
  }
  return makeSecret(context, async () => {
    const record = await (await context.client()).webhooks.rotateSecret(id);
    const { value: timeZone } = (await context.session()).settings.timeZone;
    const until = renderInstant(record.former_secret_until, { timeZone });
    const message = `Rotated the secret of webhook ${id}; the old one stays valid until ${until} (${timeZone}).`;
    return { id, record: { ...record }, columns, message };
  });
}
