import { type Command, Option } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { readFields } from '../../flags/fields.ts';
import {
  addChangeOptions,
  addConfirmOption,
  addExamples,
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
    .argument('<id>', 'identifier of the webhook')
    .description('Change where a webhook leads and what it is told; what is not named stays as it is')
    .option('--url <url>', 'where events are sent to from now on');
  addWebhookOptions(command)
    .addOption(new Option('--active', 'tell it again').conflicts('inactive'))
    .option('--inactive', 'tell it nothing until it is active again');
  addConfirmOption(addChangeOptions(command));
  addPrintOptions(command);
  addExamples(command, [
    [`salon webhooks update whk_01jd… --events 'booking.*'`, 'told of bookings alone'],
    ['salon webhooks update whk_01jd… --active', 'switched on again, after the service gave it up'],
    ['salon webhooks update whk_01jd… --set description:=null --dry-run', 'see the change first'],
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
