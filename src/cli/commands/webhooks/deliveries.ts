import { type Command, Option } from 'commander';
import type { Row } from '../../../bulk/export/write-pages.ts';
import type { PagedList } from '../../../client/pagination/paginate.ts';
import { type Delivery, type LoggedDelivery, loggedStatuses, noWebhook } from '../../../contract/delivery.ts';
import { SalonError } from '../../../contract/errors.ts';
import { countOf } from '../../../contract/numbers.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { readListQuery } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPlainListOptions, type ListFlags } from '../../flags/options.ts';
import { deliveryColumns } from '../../output/columns.ts';
import type { CommandResult, RecordPage } from '../../output/command-result.ts';
import { readLayout } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends ListFlags {
  readonly status?: string;
  readonly eventType?: string;
  readonly from?: string;
  readonly to?: string;
}

export function registerWebhooksDeliveries(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('deliveries')
    .argument('[id]', 'webhook ID; none for all webhooks')
    .description('List deliveries and their responses (kept for 30 days)')
    .addOption(new Option('--status <status>', 'status').choices(loggedStatuses))
    .option('--event-type <type>', 'event type, e.g. booking.created')
    .option('--from <when>', 'created at or after, e.g. today, -7d, 2026-11-21')
    .option('--to <when>', 'created before; a date includes the whole day');
  addPlainListOptions(command);
  addExamples(command, [
    ['salon webhooks deliveries --from today', "List today's deliveries of all webhooks"],
    [
      'salon webhooks deliveries whk_01jd… --status failed -c id,event_type,last_answer,response_text',
      'List failed deliveries of one, with what the receiver said',
    ],
    ['salon webhooks deliveries --status no_webhook', 'List events that no webhook was subscribed to'],
    [
      'salon webhooks deliveries whk_01jd… --json | jq ".[].attempts"',
      'Show every attempt with time and response',
    ],
  ]);
  command.action(runner.action(listDeliveries));
}

async function listDeliveries(context: CommandContext<Flags>, id?: string): Promise<CommandResult> {
  const { status, eventType: event_type, from, to } = context.flags;
  if (id !== undefined && status === noWebhook) {
    throw new SalonError('usage', `--status ${noWebhook} lists events that no webhook was subscribed to.`, {
      hint: 'Leave the webhook ID out.',
    });
  }
  const { query, options } = await readListQuery(context, {
    status,
    event_type,
    created_from: { moment: from, edge: 'start' },
    created_to: { moment: to, edge: 'end' },
  });
  const client = await context.client();
  const { webhooks } = client;
  const pages: PagedList<LoggedDelivery> =
    id === undefined ? webhooks.allDeliveries(query, options) : webhooks.deliveries(id, query, options);
  if (id === undefined && status === undefined) {
    const without = { ...query, status: noWebhook } as const;
    const count = await countListed(webhooks.allDeliveries(without, { ...options, limit: 1 }));
    if (count !== 0) {
      const events = count === undefined ? 'Some events' : countOf(count, 'events');
      context.messages.info(`${events} had no webhook subscribed: list with --status ${noWebhook}.`);
    }
  }
  const forPeople = (await readLayout(context)) === 'table';
  return {
    show: 'records',
    noun: 'deliveries',
    columns: deliveryColumns,
    pages: toDeliveryPages(pages, { forPeople }),
    rateLimit: client.limits,
    report: pages.consistency,
  };
}

/** How many records a list has, from its first page; undefined if the server does not report it. */
export async function countListed(pages: PagedList<unknown>): Promise<number | undefined> {
  for await (const { total } of pages) return total;
  return 0;
}

/** Why a delivery has no response. */
const unsent: Readonly<Record<string, string>> = {
  pending: 'not sent yet',
  failed: 'not sent',
  [noWebhook]: 'no webhook subscribed',
};

/** A delivery with its number of attempts and last response; all other members are kept. */
export function toDeliveryRow(delivery: Delivery | LoggedDelivery, { forPeople = false } = {}): Row {
  const { attempts, status } = delivery;
  const last = attempts?.at(-1);
  const answer = last === undefined ? (unsent[status] ?? null) : String(last.status_code ?? last.error);
  const response_text = last?.response ?? null;
  return {
    ...delivery,
    tries: attempts?.length ?? null,
    last_answer: forPeople && response_text !== null ? `${answer} ${response_text}` : answer,
    response_text,
  };
}

export async function* toDeliveryPages(
  pages: PagedList<LoggedDelivery>,
  options = {},
): AsyncGenerator<RecordPage> {
  for await (const page of pages)
    yield { ...page, rows: page.rows.map((row) => toDeliveryRow(row, options)) };
}
