import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { readListing } from '../../listing.ts';
import { addExamples, addPlainListOptions, type ListFlags } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { deliveryColumns } from '../../print/columns.ts';
import { toDeliveryPages } from './delivery-row.ts';

interface Flags extends ListFlags {
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
}

export function registerWebhooksDeliveries(parent: Command, frame: Frame): void {
  const command = parent
    .command('deliveries')
    .argument('<id>', 'identifier of the webhook')
    .description('List what was sent to a webhook, and what it answered; kept for 30 days')
    .option('--status <status>', 'pending, delivered or failed')
    .option('--from <when>', 'made at or after: today, -7d, 2026-11-21, an instant')
    .option('--to <when>', 'made before; a bare day is counted to its end');
  addPlainListOptions(command);
  addExamples(command, [
    ['salon webhooks deliveries whk_01jd… --from today', 'what it was told today'],
    ['salon webhooks deliveries whk_01jd… --status failed -c id,event_type,last_answer', 'what was given up'],
    ['salon webhooks deliveries whk_01jd… --json | jq ".[].attempts"', 'every try, with its time and answer'],
  ]);
  command.action(frame.action(listDeliveries));
}

async function listDeliveries(call: Call<Flags>, id: string): Promise<Outcome> {
  const { status, from, to } = call.flags;
  const { query, options } = await readListing(call, {
    status,
    created_from: { moment: from, edge: 'start' },
    created_to: { moment: to, edge: 'end' },
  });
  const client = await call.client();
  const pages = client.webhooks.deliveries(id, query, options);
  return {
    show: 'records',
    noun: 'deliveries',
    columns: deliveryColumns,
    pages: toDeliveryPages(pages),
    limit: client.limits,
    verdict: pages.verdict,
  };
}
