import { type Command, Option } from 'commander';
import type { Collections } from '../../../client/resources/collections.ts';
import { SalonError } from '../../../contract/errors.ts';
import { eventPatterns, isEventPattern } from '../../../contract/events.ts';
import { newWebhook } from '../../../contract/webhook.ts';
import { didYouMean } from '../../../text/closest.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { listPages } from '../../export/list-records.ts';
import { type FieldValues, readFields, toDefinedFields } from '../../flags/fields.ts';
import { joinLists } from '../../flags/flag.ts';
import {
  addChangeOptions,
  addConfirmationOptions,
  addConfirmOption,
  addPlainListOptions,
  addPrintOptions,
  addWriteOptions,
  type ChangeFlags,
  type ListFlags,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import { parseList } from '../../flags/values.ts';
import { renderInstant } from '../../output/cell.ts';
import { columnSet, webhookColumns } from '../../output/columns.ts';
import { readClock } from '../../output/format.ts';
import { changeRecord, endRecord, explainUnknownFields, previewWrite } from '../write-record.ts';
import { explainDeliveryStart, registerWebhooksDeliveries, registerWebhooksRedeliver } from './deliveries.ts';
import { registerWebhooksListen, registerWebhooksReplay } from './listen.ts';
import { addSecretOption, makeSecret, type NewSecretFlags } from './secrets.ts';
import { registerWebhooksTest } from './test.ts';
import { registerWebhooksTrigger } from './trigger.ts';
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
  runner.add(command, listWebhooks, {
    'salon webhooks list': 'List all webhooks',
    'salon webhooks list --json | jq ".[] | select(.disabled_reason)"':
      'Find webhooks that the service disabled',
  });
}

const listWebhooks: Handler<ListFlags> = async (context) => {
  const kind = { noun: 'webhooks', columns: webhookColumns };
  return listPages(context, { ...kind, list: ({ webhooks }) => webhooks.list });
};

function registerWebhooksGet(parent: Command, runner: ActionRunner): void {
  const command = parent.command('get').argument('<id>', 'webhook ID').description('Show one webhook');
  addPrintOptions(command);
  runner.add(command, getWebhook, {
    'salon webhooks get whk_01jd…': 'Show the URL, events and why it was disabled',
  });
}

const getWebhook: Handler<PrintFlags, [id: string]> = async (context, id) => {
  const client = await context.client();
  return { show: 'record', record: await client.webhooks.get(id), columns: webhookColumns };
};

interface Flags extends WriteFlags, WebhookFlags, NewSecretFlags {}

function registerWebhooksCreate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('create')
    .argument('<url>', 'URL that receives the events (https, reachable by the service)')
    .description('Create a webhook; its signing secret is shown once');
  addWriteOptions(addSecretOption(addWebhookOptions(command)));
  addConfirmOption(command);
  addPrintOptions(command);
  runner.add(command, createWebhook, {
    'salon webhooks create https://example.com/hook': 'Send all events',
    [`salon webhooks create https://example.com/hook --events 'booking.*,payment.completed' --description Till`]:
      'Send bookings and completed payments',
    'salon webhooks create https://example.com/hook --secret-file hook.secret': 'Save the secret to a file',
  });
}

const createWebhook: Handler<Flags, [url: string]> = async (context, url) => {
  const { flags, io, messages } = context;
  const fields = { url, ...toWebhookBody(flags), ...(await readFields(flags, io)) };
  const known = Object.keys(newWebhook.properties);
  const create = ({ webhooks }: Collections) => explainUnknownFields(webhooks.create(fields), known);
  if (flags.dryRun) {
    messages.info(await context.checkDryRun(create));
    return { show: 'record', record: fields };
  }
  const outcome = await makeSecret('secret', context, async () => {
    const { id, record = { id: id ?? null } } = await create(await context.client());
    const message = `Created webhook${id === undefined ? '' : ` ${id}`}.`;
    return { id: id ?? '<id>', record: { ...record }, columns: webhookColumns, message };
  });
  await explainDeliveryStart(context);
  return outcome;
};

interface DeleteFlags {
  readonly ignoreMissing?: boolean;
  readonly dryRun?: boolean;
}

function registerWebhooksDelete(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('delete')
    .argument('<id>', 'webhook ID')
    .description('Delete a webhook and its pending deliveries')
    .option('--ignore-missing', 'succeed if the webhook does not exist')
    .option('-n, --dry-run', 'show the webhook; delete nothing');
  addConfirmationOptions(command);
  runner.add(command, deleteWebhook, {
    'salon webhooks delete whk_01jd…': 'Delete after confirmation',
    'salon webhooks delete whk_01jd… --yes --ignore-missing': 'Delete in a script',
    'salon webhooks update whk_01jd… --inactive': 'Pause it instead',
  });
}

const deleteWebhook: Handler<DeleteFlags, [id: string]> = async (context, id) => {
  const { flags } = context;
  const client = await context.client();
  try {
    const { url } = await client.webhooks.get(id);
    const name = `the webhook to ${url} (${id})`;
    const question = `Delete ${name} and its pending deliveries?`;
    const end = ({ webhooks }: Collections) => webhooks.delete(id);
    return await endRecord(context, 'delete', { id, name, question, end });
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'not_found' || !flags.ignoreMissing) throw error;
    return { show: 'record', record: { id, deleted: false }, message: `No webhook with ID ${id}.` };
  }
};

interface RotateFlags extends NewSecretFlags {
  readonly dryRun?: boolean;
}

const columns = columnSet({ id: 'text', former_secret_until: 'instant' });

function registerWebhooksRotate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('rotate')
    .argument('<id>', 'webhook ID')
    .description('Rotate the signing secret; the old one stays valid for 24 hours')
    .option('-n, --dry-run', 'show the webhook; change nothing');
  addConfirmOption(addSecretOption(command));
  addPrintOptions(command);
  runner.add(command, rotateSecret, {
    'salon webhooks rotate whk_01jd…': 'Print the new secret, once',
    'salon webhooks rotate whk_01jd… --secret-file hook.secret': 'Save it to a file',
  });
}

const rotateSecret: Handler<RotateFlags, [id: string]> = async (context, id) => {
  if (context.flags.dryRun) {
    const { url } = await (await context.client()).webhooks.get(id);
    const preview = { would: `rotate the secret of the webhook to ${url}`, record: { id, url } };
    return previewWrite(context, preview, ({ webhooks }) => webhooks.rotateSecret(id));
  }
  return makeSecret('secret', context, async () => {
    const record = await (await context.client()).webhooks.rotateSecret(id);
    const { timeZone } = await readClock(context);
    const until = renderInstant(record.former_secret_until, { timeZone });
    const message = `Rotated the secret of webhook ${id}; the old one stays valid until ${until} (${timeZone}).`;
    return { id, record: { ...record }, columns, message };
  });
};

interface UpdateFlags extends ChangeFlags, PrintFlags, WebhookFlags {
  readonly url?: string;
  readonly active?: boolean;
  readonly inactive?: boolean;
}

function registerWebhooksUpdate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('update')
    .argument('<id>', 'webhook ID')
    .description('Update the URL, events or state of a webhook')
    .option('--url <url>', 'new URL');
  addWebhookOptions(command)
    .addOption(new Option('--active', 'resume deliveries').conflicts('inactive'))
    .option('--inactive', 'pause deliveries');
  addConfirmOption(addChangeOptions(command));
  addPrintOptions(command);
  runner.add(command, updateWebhook, {
    [`salon webhooks update whk_01jd… --events 'booking.*'`]: 'Send only bookings',
    'salon webhooks update whk_01jd… --active': 'Re-enable it after the service disabled it',
    'salon webhooks update whk_01jd… --set description:=null --dry-run': 'Show the change first',
  });
}

const updateWebhook: Handler<UpdateFlags, [id: string]> = async (context, id) => {
  const { flags, io } = context;
  const { url, active, inactive } = flags;
  const state = active || inactive ? active === true : undefined;
  const given = toDefinedFields({ url, ...toWebhookBody(flags), active: state });
  const change = { ...given, ...(await readFields(flags, io)) };
  return changeRecord(context, { noun: 'webhooks', id, change });
};

/** Flags for the events and the description of a webhook. */
interface WebhookFlags {
  readonly events?: string;
  readonly description?: string;
}

function addWebhookOptions(command: Command): Command {
  return command
    .option('--events <a,b>', 'event types: *, booking.*, or names', joinLists)
    .option('--description <text>', 'description');
}

/** Converts the flags to fields. Throws `usage` for an unknown event type. */
function toWebhookBody({ events, description }: WebhookFlags): FieldValues {
  return toDefinedFields({ events: events === undefined ? undefined : parseEvents(events), description });
}

function parseEvents(text: string): readonly string[] {
  const patterns = parseList(text, '--events');
  const unknown = patterns.find((pattern) => !isEventPattern(pattern));
  if (unknown === undefined) return patterns;
  throw new SalonError('usage', `Unknown event type "${unknown}".${didYouMean(unknown, eventPatterns)}`, {
    hint: `Event types: ${eventPatterns.join(', ')}. If your server has others, use --set 'events:=["${unknown}"]'.`,
  });
}
