import type { Command } from 'commander';
import type { Delivery } from '../../../contract/delivery.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import { countOf } from '../../../contract/numbers.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { readListQuery } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { deliveryColumns } from '../../output/columns.ts';
import { type CommandResult, onePage, type RecordPage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { countListed, toDeliveryPages, toDeliveryRow } from './deliveries.ts';
import { explainDeliveryStart } from './webhook-flags.ts';

interface Flags extends RangeFlags {
  readonly webhook?: string;
}

export function registerWebhooksRedeliver(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('redeliver')
    .argument('[delivery...]', 'delivery IDs; none with --webhook')
    .description('Send deliveries again, by ID, or by webhook and time')
    .option('--webhook <id>', 'send the deliveries of this webhook again')
    .option('--from <when>', 'created at or after, e.g. today, -2h, 2026-11-21T09:30')
    .option('--to <when>', 'created before; a date includes the whole day')
    .option('--status <status>', 'status: pending, delivered or failed')
    .option('-n, --dry-run', 'list the deliveries; send nothing');
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon webhooks redeliver dlv_01jd…', 'Send one delivery again'],
    [
      'salon webhooks redeliver --webhook whk_01jd… --from -2h --status failed',
      'Send all failed ones, after confirmation',
    ],
    ['salon webhooks redeliver --webhook whk_01jd… --from today --dry-run', 'List them first'],
  ]);
  command.action(runner.action(redeliver));
}

async function redeliver(context: CommandContext<Flags>, ids: readonly string[]): Promise<CommandResult> {
  const { webhook, from, to, status } = context.flags;
  if (webhook === undefined) {
    if (ids.length > 0 && [from, to, status].every((flag) => flag === undefined)) return byIds(context, ids);
    throw new SalonError('usage', 'No deliveries given.', {
      hint: 'Pass delivery IDs, or --webhook <id> with --from.',
    });
  }
  if (ids.length > 0) throw new SalonError('usage', 'Pass delivery IDs or --webhook, not both.');
  return redeliverRange(context, webhook);
}

async function byIds(context: CommandContext<Flags>, ids: readonly string[]): Promise<CommandResult> {
  const { flags, messages, client } = context;
  if (flags.dryRun) {
    messages.info(`Dry run: ${countOf(ids.length, 'deliveries')} would be sent again.`);
    return toResult(onePage(ids.map((id) => ({ id }))));
  }
  const { webhooks } = await client();
  const begun: Delivery[] = [];
  for (const id of ids) {
    begun.push(await webhooks.redeliver(id).catch((error: unknown) => refuse(error, { id, begun })));
  }
  messages.info(`Sending ${countOf(begun.length, 'deliveries')} again.`);
  await explainDeliveryStart(context);
  return toResult(onePage(begun.map((one) => toDeliveryRow(one))));
}

function refuse(
  error: unknown,
  { id, begun }: { readonly id: string; readonly begun: readonly Delivery[] },
): never {
  if (!(error instanceof SalonError) || begun.length === 0) throw error;
  const message = `${error.message} Failed at ${id}, after ${countOf(begun.length, 'deliveries')}.`;
  throw withContext(error, {
    message,
    members: { ...error.members, redelivered: begun.map((one) => one.id) },
  });
}

function toResult(pages: AsyncIterable<RecordPage>): CommandResult {
  return { show: 'records', noun: 'deliveries', columns: deliveryColumns, pages };
}

interface RangeFlags extends PrintFlags {
  readonly from?: string;
  readonly to?: string;
  readonly status?: string;
  readonly dryRun?: boolean;
}

/** Sends the deliveries of a webhook and time range again, after confirming their number. Throws `usage`. */
async function redeliverRange(context: CommandContext<RangeFlags>, id: string): Promise<CommandResult> {
  const { from, to, status, dryRun } = context.flags;
  if (from === undefined) {
    throw new SalonError('usage', '--webhook needs --from.', {
      hint: 'For example --from today, or --from -30d for all.',
    });
  }
  const { query } = await readListQuery(context, {
    status,
    created_from: { moment: from, edge: 'start' },
    created_to: { moment: to, edge: 'end' },
  });
  const { webhooks } = await context.client();
  if (dryRun) {
    context.messages.info('Dry run: these would be sent again.');
    const pages = toDeliveryPages(webhooks.deliveries(id, query));
    return { show: 'records', noun: 'deliveries', columns: deliveryColumns, pages };
  }
  const counted = countListed(webhooks.deliveries(id, query, { limit: 1 }));
  const [{ url }, count] = await Promise.all([webhooks.get(id), counted]);
  if (count === 0) return toWriteResult(id, 0, `Webhook ${id} has no matching deliveries.`);
  const amount = count === undefined ? 'these deliveries' : countOf(count, 'deliveries');
  await context.confirm(`Send ${amount} to ${url} again?`);
  const { redelivered } = await webhooks.redeliverSome(id, query);
  await explainDeliveryStart(context);
  return toWriteResult(id, redelivered, `Sending ${countOf(redelivered, 'deliveries')} to ${url} again.`);
}

function toWriteResult(webhook_id: string, redelivered: number, message: string): CommandResult {
  return { show: 'record', record: { webhook_id, redelivered }, message };
}
