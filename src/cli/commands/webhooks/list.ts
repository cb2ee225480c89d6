import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { readListing } from '../../listing.ts';
import { addExamples, addPlainListOptions, type ListFlags } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { webhookColumns } from '../../print/columns.ts';

export function registerWebhooksList(parent: Command, frame: Frame): void {
  const command = parent.command('list').description('List webhooks, also those that are switched off');
  addPlainListOptions(command);
  addExamples(command, [
    ['salon webhooks list', 'who is told what'],
    ['salon webhooks list --json | jq ".[] | select(.disabled_reason)"', 'those the service switched off'],
  ]);
  command.action(frame.action(listWebhooks));
}

async function listWebhooks(call: Call<ListFlags>): Promise<Outcome> {
  const { query, options } = await readListing(call, {});
  const client = await call.client();
  const pages = client.webhooks.list(query, options);
  return {
    show: 'records',
    noun: 'webhooks',
    columns: webhookColumns,
    pages,
    limit: client.limits,
    verdict: pages.verdict,
  };
}
