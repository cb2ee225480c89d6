import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { readListQuery } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addPlainListOptions,
  addPrintOptions,
  type ListFlags,
  type PrintFlags,
} from '../../flags/options.ts';
import { webhookColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { registerWebhooksCreate } from './create.ts';
import { registerWebhooksDelete } from './delete.ts';
import { registerWebhooksDeliveries } from './deliveries.ts';
import { registerWebhooksListen } from './listen.ts';
import { registerWebhooksRedeliver } from './redeliver.ts';
import { registerWebhooksReplay } from './replay.ts';
import { registerWebhooksRotate } from './rotate.ts';
import { registerWebhooksTest } from './test.ts';
import { registerWebhooksTrigger } from './trigger.ts';
import { registerWebhooksUpdate } from './update.ts';
import { registerWebhooksVerify } from './verify.ts';

export function registerWebhooks(webhooks: Command, runner: ActionRunner): void {
  registerWebhooksList(webhooks, runner);
  registerWebhooksGet(webhooks, runner);
  registerWebhooksCreate(webhooks, runner);
  registerWebhooksUpdate(webhooks, runner);
  registerWebhooksDelete(webhooks, runner);
  registerWebhooksRotate(webhooks, runner);
  registerWebhooksTest(webhooks, runner);
  registerWebhooksDeliveries(webhooks, runner);
  registerWebhooksRedeliver(webhooks, runner);
  registerWebhooksListen(webhooks, runner);
  registerWebhooksReplay(webhooks, runner);
  registerWebhooksVerify(webhooks, runner);
  registerWebhooksTrigger(webhooks, runner);
}

function registerWebhooksList(parent: Command, runner: ActionRunner): void {
  const command = parent.command('list').description('List webhooks, including disabled ones');
  addPlainListOptions(command);
  addExamples(command, [
    ['salon webhooks list', 'List all webhooks'],
    [
      'salon webhooks list --json | jq ".[] | select(.disabled_reason)"',
      'Find webhooks that the service disabled',
    ],
  ]);
  command.action(runner.action(listWebhooks));
}

async function listWebhooks(context: CommandContext<ListFlags>): Promise<CommandResult> {
  const { query, options } = await readListQuery(context, {});
  const client = await context.client();
  const pages = client.webhooks.list(query, options);
  return {
    show: 'records',
    noun: 'webhooks',
    columns: webhookColumns,
    pages,
    rateLimit: client.limits,
    report: pages.consistency,
  };
}

function registerWebhooksGet(parent: Command, runner: ActionRunner): void {
  const command = parent.command('get').argument('<id>', 'webhook ID').description('Show one webhook');
  addPrintOptions(command);
  addExamples(command, [['salon webhooks get whk_01jd…', 'Show the URL, events and why it was disabled']]);
  command.action(runner.action(getWebhook));
}

async function getWebhook(context: CommandContext<PrintFlags>, id: string): Promise<CommandResult> {
  const client = await context.client();
  return { show: 'record', record: await client.webhooks.get(id), columns: webhookColumns };
}
