import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { readListQuery } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPlainListOptions, type ListFlags } from '../../flags/options.ts';
import { webhookColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

export function registerWebhooksList(parent: Command, runner: ActionRunner): void {
  const command = parent.command('list').description('List webhooks, including disabled ones');
  addPlainListOptions(command);
  addExamples(command, [
    ['salon webhooks list', 'List URLs and events'],
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
