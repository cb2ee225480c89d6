import type { WebhookCollection } from '../../../client/resources/webhooks.ts';
import { countOf } from '../../../contract/count-text.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { PrintFlags } from '../../flags/options.ts';
import { type Listing, readListing } from '../../listing.ts';
import { deliveryColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { toDeliveryPages } from './delivery-row.ts';
import { noteSending } from './sending-note.ts';

export interface RangeFlags extends PrintFlags {
  readonly from?: string;
  readonly to?: string;
  readonly status?: string;
  readonly dryRun?: boolean;
}

/** Sends once more what was made for a webhook in a time; asks first, and says how many that are. Throws `usage`. */
export async function redeliverRange(
  context: CommandContext<RangeFlags>,
  id: string,
): Promise<CommandResult> {
  const { from, to, status, dryRun } = context.flags;
  if (from === undefined) {
    throw new SalonError('usage', '--webhook needs --from: the time from which on deliveries are meant.', {
      hint: 'Such as --from today, or --from -30d for all that are kept.',
    });
  }
  const { query } = await readListing(context, {
    status,
    created_from: { moment: from, edge: 'start' },
    created_to: { moment: to, edge: 'end' },
  });
  const { webhooks } = await context.client();
  if (dryRun) {
    context.messages.info('These would be sent once more; nothing was.');
    const pages = toDeliveryPages(webhooks.deliveries(id, query));
    return { show: 'records', noun: 'deliveries', columns: deliveryColumns, pages };
  }
  const [{ url }, count] = await Promise.all([webhooks.get(id), countDeliveries(webhooks, { id, query })]);
  if (count === 0) return toOutcome(id, 0, `Webhook ${id} has no such deliveries.`);
  const counted = count === undefined ? 'these deliveries' : countOf(count, 'deliveries');
  await context.confirm(`Send ${counted} to ${url} once more?`);
  const { redelivered } = await webhooks.redeliverSome(id, query);
  await noteSending(context);
  return toOutcome(id, redelivered, `On the way to ${url} once more: ${countOf(redelivered, 'deliveries')}.`);
}

/** Undefined where the server does not say. */
async function countDeliveries(
  webhooks: WebhookCollection,
  { id, query }: { readonly id: string; readonly query: Listing['query'] },
): Promise<number | undefined> {
  for await (const { total } of webhooks.deliveries(id, query, { limit: 1 })) return total;
  return 0;
}

function toOutcome(webhook_id: string, redelivered: number, said: string): CommandResult {
  return { show: 'record', record: { webhook_id, redelivered }, said };
}
