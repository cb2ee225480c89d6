import type { Command } from 'commander';
import type { Collections } from '../../../client/resources/collections.ts';
import { newWebhook } from '../../../contract/webhook.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmOption, addPrintOptions, addWriteOptions, type WriteFlags } from '../../flags/options.ts';
import { webhookColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { checkDryRun } from '../../session/dry-run.ts';
import { explainUnknownFields } from '../write-record.ts';
import { addSecretOption, makeSecret, type NewSecret, type NewSecretFlags } from './secrets.ts';
import {
  addWebhookOptions,
  explainDeliveryStart,
  toWebhookBody,
  type WebhookFlags,
} from './webhook-flags.ts';

interface Flags extends WriteFlags, WebhookFlags, NewSecretFlags {}

export function registerWebhooksCreate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('create')
    .argument('<url>', 'URL that receives the events (https, reachable by the service)')
    .description('Create a webhook; its signing secret is shown once');
  addWriteOptions(addSecretOption(addWebhookOptions(command)));
  addConfirmOption(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon webhooks create https://example.com/hook', 'Send all events'],
    [
      `salon webhooks create https://example.com/hook --events 'booking.*,payment.completed' --description Till`,
      'Send bookings and completed payments',
    ],
    ['salon webhooks create https://example.com/hook --secret-file hook.secret', 'Save the secret to a file'],
  ]);
  command.action(runner.action(createWebhook));
}

async function createWebhook(context: CommandContext<Flags>, url: string): Promise<CommandResult> {
  const { flags, io, messages } = context;
  const fields = { url, ...toWebhookBody(flags), ...(await readFields(flags, io)) };
  if (flags.dryRun) {
    const check = ({ webhooks }: Collections) =>
      explainUnknownFields(webhooks.create(fields), Object.keys(newWebhook.properties));
    messages.info(await checkDryRun(context, check));
    return { show: 'record', record: fields };
  }
  const outcome = await makeSecret(context, async (): Promise<NewSecret> => {
    const client = await context.client();
    const known = Object.keys(newWebhook.properties);
    const { id, record } = await explainUnknownFields(client.webhooks.create(fields), known);
    const name = id === undefined ? '' : ` ${id}`;
    return {
      id: id ?? '<id>',
      record: { ...(record ?? { id: id ?? null }) },
      columns: webhookColumns,
      message: `Created webhook${name}.`,
    };
  });
  await explainDeliveryStart(context);
  return outcome;
}
