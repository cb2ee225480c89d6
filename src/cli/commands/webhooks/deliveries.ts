import type { Command } from 'commander';
import type { Fields } from '../../../client/json-object.ts';
import type { PagedList } from '../../../client/pagination/paginate.ts';
import { type Delivery, type LoggedDelivery, loggedStatuses, noWebhook } from '../../../contract/delivery.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import { eventTypes } from '../../../contract/events.ts';
import { countOf } from '../../../text/numbers.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { readListQuery } from '../../export/list-records.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { confirmationFlags, plainListFlags, printFlags, writeFlags } from '../../flags/options.ts';
import { nouns } from '../../nouns/nouns.ts';
import { type CommandResult, onePage, type RecordPage } from '../../output/command-result.ts';
import { readLayout } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { isEmbedded } from '../../session/embedded.ts';

const listFlags = {
  status: { flag: '--status <status>', help: 'status', choices: loggedStatuses },
  eventType: {
    flag: '--event-type <type>',
    help: 'event type, e.g. booking.created',
    complete: eventTypes,
  },
  from: { flag: '--from <when>', help: 'created at or after, e.g. today, -7d, 2026-11-21' },
  to: { flag: '--to <when>', help: 'created before; a date includes the whole day' },
  ...plainListFlags,
} as const satisfies FlagTable;

const redeliverFlags = {
  webhook: { flag: '--webhook <id>', help: 'send the deliveries of this webhook again' },
  from: { flag: '--from <when>', help: 'created at or after, e.g. today, -2h, 2026-11-21T09:30' },
  to: listFlags.to,
  status: {
    flag: '--status <status>',
    help: 'status: pending, delivered or failed',
    complete: 'statuses',
  },
  dryRun: { ...writeFlags.dryRun, help: 'list the deliveries; send nothing' },
  ...confirmationFlags,
  ...printFlags,
} as const satisfies FlagTable;

type RedeliverFlags = FlagValues<typeof redeliverFlags>;

export function registerDeliveries(webhooks: Command, runner: ActionRunner): void {
  runner.define(webhooks.command('deliveries'), {
    description: 'List deliveries and their responses (kept for 30 days)',
    args: { '[id]': 'webhook ID; none for all webhooks' },
    flags: listFlags,
    examples: {
      'salon webhooks deliveries --from today': "List today's deliveries of all webhooks",
      'salon webhooks deliveries whk_01jd… --status failed -c id,event_type,last_response,response_text':
        'List failed deliveries of one, with what the receiver said',
      'salon webhooks deliveries --status no_webhook': 'List events that no webhook was subscribed to',
      'salon webhooks deliveries whk_01jd… --json | jq ".[].attempts"':
        'Show every attempt with time and response',
    },
    handler: async () => listDeliveries,
  });
  runner.define(webhooks.command('redeliver'), {
    description: 'Send deliveries again, by ID, or by webhook and time',
    args: { '[delivery...]': 'delivery IDs; none with --webhook' },
    flags: redeliverFlags,
    examples: {
      'salon webhooks redeliver dlv_01jd…': 'Send one delivery again',
      'salon webhooks redeliver --webhook whk_01jd… --from -2h --status failed':
        'Send all failed ones, after confirmation',
      'salon webhooks redeliver --webhook whk_01jd… --from today --dry-run': 'List them first',
    },
    handler: async () => redeliver,
  });
}

const listDeliveries: Handler<FlagValues<typeof listFlags>, [id?: string]> = async (context, id) => {
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
  const { limits, webhooks } = await context.client();
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
  return { ...toResult(toDeliveryPages(pages, forPeople)), rateLimit: limits, report: pages.consistency };
};

const redeliver: Handler<RedeliverFlags> = async (context, ids) => {
  const { webhook, from, to, status } = context.flags;
  if (webhook === undefined) {
    if (ids.length > 0 && [from, to, status].every((flag) => flag === undefined)) return byIds(context, ids);
    throw new SalonError('usage', 'No deliveries given.', {
      hint: 'Pass delivery IDs, or --webhook <id> with --from.',
    });
  }
  if (ids.length > 0) throw new SalonError('usage', 'Pass delivery IDs or --webhook, not both.');
  return redeliverRange(context, webhook);
};

async function byIds(
  context: CommandContext<RedeliverFlags>,
  ids: readonly string[],
): Promise<CommandResult> {
  const { flags, messages, client } = context;
  if (flags.dryRun) {
    messages.info(`Dry run: ${countOf(ids.length, 'deliveries')} would be sent again.`);
    return toResult(onePage(ids.map((id) => ({ id }))));
  }
  const { webhooks } = await client();
  const begun: Delivery[] = [];
  for (const id of ids) {
    try {
      begun.push(await webhooks.redeliver(id));
    } catch (error) {
      if (!(error instanceof SalonError) || begun.length === 0) throw error;
      const message = `${error.message} Failed at ${id}, after ${countOf(begun.length, 'deliveries')}.`;
      const redelivered = begun.map((one) => one.id);
      throw withContext(error, { message, members: { ...error.members, redelivered } });
    }
  }
  messages.info(`Sending ${countOf(begun.length, 'deliveries')} again.`);
  await explainDeliveryStart(context);
  return toResult(onePage(begun.map((one) => toDeliveryRow(one))));
}

function toResult(pages: AsyncIterable<RecordPage>) {
  return { show: 'records', noun: nouns.deliveries.many, columns: nouns.deliveries.columns, pages } as const;
}

/** Sends the deliveries of a webhook and time range again, after confirming their number. Throws `usage`. */
async function redeliverRange(context: CommandContext<RedeliverFlags>, id: string): Promise<CommandResult> {
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
    return toResult(toDeliveryPages(webhooks.deliveries(id, query)));
  }
  const counted = countListed(webhooks.deliveries(id, query, { limit: 1 }));
  const [{ url }, count] = await Promise.all([webhooks.get(id), counted]);
  if (count === 0) return toCountResult(id, 0, `Webhook ${id} has no matching deliveries.`);
  const amount = count === undefined ? 'these deliveries' : countOf(count, 'deliveries');
  await context.confirm(`Send ${amount} to ${url} again?`);
  const { redelivered } = await webhooks.redeliverSome(id, query);
  await explainDeliveryStart(context);
  return toCountResult(id, redelivered, `Sending ${countOf(redelivered, 'deliveries')} to ${url} again.`);
}

function toCountResult(webhook_id: string, redelivered: number, message: string): CommandResult {
  return { show: 'record', record: { webhook_id, redelivered }, message };
}

/** How many records a list has, from its first page; undefined if the server does not report it. */
async function countListed(pages: PagedList<unknown>): Promise<number | undefined> {
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
export function toDeliveryRow(delivery: Delivery | LoggedDelivery, forPeople = false): Fields {
  const { attempts, status } = delivery;
  const last = attempts?.at(-1);
  const response = last === undefined ? (unsent[status] ?? null) : String(last.status_code ?? last.error);
  const response_text = last?.response ?? null;
  return {
    ...delivery,
    attempt_count: attempts?.length ?? null,
    last_response: forPeople && response_text !== null ? `${response} ${response_text}` : response,
    response_text,
  };
}

async function* toDeliveryPages(
  pages: PagedList<LoggedDelivery>,
  forPeople = false,
): AsyncGenerator<RecordPage> {
  for await (const page of pages)
    yield { ...page, rows: page.rows.map((row) => toDeliveryRow(row, forPeople)) };
}

/** An embedded salon delivers only while a command runs: tell the user. */
export async function explainDeliveryStart({ session, messages }: CommandContext): Promise<void> {
  const { baseUrl } = (await session()).settings;
  if (baseUrl === undefined || !isEmbedded(baseUrl.value)) return;
  messages.info('This embedded salon delivers only while a command runs: keep "salon webhooks listen" open.');
}
