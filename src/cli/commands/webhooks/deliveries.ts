import type { Command } from 'commander';
import type { Row } from '../../../bulk/export/write-pages.ts';
import type { PagedList } from '../../../client/pagination/paginate.ts';
import type { Delivery } from '../../../contract/delivery.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { readListQuery } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPlainListOptions, type ListFlags } from '../../flags/options.ts';
import { deliveryColumns } from '../../output/columns.ts';
import type { CommandResult, RecordPage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends ListFlags {
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
}

export function registerWebhooksDeliveries(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('deliveries')
    .argument('<id>', 'webhook ID')
    .description('List deliveries and their responses (kept for 30 days)')
    .option('--status <status>', 'status: pending, delivered or failed')
    .option('--from <when>', 'created at or after, e.g. today, -7d, 2026-11-21')
    .option('--to <when>', 'created before; a date includes the whole day');
  addPlainListOptions(command);
  addExamples(command, [
    ['salon webhooks deliveries whk_01jd… --from today', "List today's deliveries"],
    [
      'salon webhooks deliveries whk_01jd… --status failed -c id,event_type,last_answer',
      'List failed deliveries',
    ],
    [
      'salon webhooks deliveries whk_01jd… --json | jq ".[].attempts"',
      'Show every attempt with time and response',
    ],
  ]);
  command.action(runner.action(listDeliveries));
}

async function listDeliveries(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  const { status, from, to } = context.flags;
  const { query, options } = await readListQuery(context, {
    status,
    created_from: { moment: from, edge: 'start' },
    created_to: { moment: to, edge: 'end' },
  });
  const client = await context.client();
  const pages = client.webhooks.deliveries(id, query, options);
  return {
    show: 'records',
    noun: 'deliveries',
    columns: deliveryColumns,
    pages: toDeliveryPages(pages),
    rateLimit: client.limits,
    report: pages.consistency,
  };
}

/** A delivery with its number of attempts and last response; all other members are kept. */
export function toDeliveryRow(delivery: Delivery): Row {
  const { attempts } = delivery;
  const last = attempts?.at(-1);
  return {
    ...delivery,
    tries: attempts?.length ?? null,
    last_answer: last === undefined ? null : String(last.status_code ?? last.error),
  };
}

export async function* toDeliveryPages(pages: PagedList<Delivery>): AsyncGenerator<RecordPage> {
  for await (const page of pages) yield { ...page, rows: page.rows.map(toDeliveryRow) };
}
