import { type Command, Option } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addChangeOptions,
  addConfirmOption,
  addPrintOptions,
  type ChangeFlags,
  type PrintFlags,
} from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord } from '../write-record.ts';
import { addWebhookOptions, toWebhookBody, type WebhookFlags } from './webhook-flags.ts';

interface Flags extends ChangeFlags, PrintFlags, WebhookFlags {
  readonly url?: string;
  readonly active?: boolean;
  readonly inactive?: boolean;
}

export function registerWebhooksUpdate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('update')
    .argument('<id>', 'webhook ID')
    .description('Update the URL, events or state of a webhook')
    .option('--url <url>', 'new URL');
  addWebhookOptions(command)
    .addOption(new Option('--active', 'resume deliveries').conflicts('inactive'))
    .option('--inactive', 'pause deliveries');
  addConfirmOption(addChangeOptions(command));
  addPrintOptions(command);
  addExamples(command, [
    [`salon webhooks update whk_01jd… --events 'booking.*'`, 'Send only bookings'],
    ['salon webhooks update whk_01jd… --active', 'Re-enable it after the service disabled it'],
    ['salon webhooks update whk_01jd… --set description:=null --dry-run', 'Show the change first'],
  ]);
  command.action(runner.action(updateWebhook));
}

async function updateWebhook(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  const { flags, io } = context;
  const { url, active, inactive } = flags;
  const change = {
    ...(url === undefined ? {} : { url }),
    ...toWebhookBody(flags),
    ...(active || inactive ? { active: active === true } : {}),
    ...(await readFields(flags, io)),
  };
  return changeRecord(context, { noun: 'webhooks', id, change });
}
