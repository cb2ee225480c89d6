import type { Command } from 'commander';
import type { Collections } from '../../../client/resources/collections.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { listPages } from '../../export/list-records.ts';
import { readFields, toDefinedFields } from '../../flags/fields.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import {
  changeFlags,
  confirmationFlags,
  confirmFlag,
  plainListFlags,
  printFlags,
  writeFlags,
} from '../../flags/options.ts';
import { nouns } from '../../nouns/nouns.ts';
import { renderInstant } from '../../output/cell.ts';
import { columnSet } from '../../output/columns.ts';
import { readClock } from '../../output/format.ts';
import { changeRecord, endRecord, explainUnknownFields, previewWrite } from '../write-record.ts';
import { explainDeliveryStart, registerDeliveries } from './deliveries.ts';
import { eventsFlag, parseEventPatterns, registerReceivers } from './listen.ts';
import { makeSecret, secretFileFlag } from './secrets.ts';
import { registerTest } from './test.ts';
import { registerTrigger } from './trigger.ts';
import { registerVerify } from './verify.ts';

const dryRun = { ...writeFlags.dryRun, help: 'show the webhook; change nothing' };

const webhookFlags = {
  events: {
    ...eventsFlag,
    help: 'event types: *, booking.*, or names',
    parse: (text, flag) =>
      parseEventPatterns(text, flag, ` If your server has others, use --set 'events:=["…"]'.`),
  },
  description: { flag: '--description <text>', help: 'description' },
} as const satisfies FlagTable;

const createFlags = {
  ...webhookFlags,
  ...secretFileFlag,
  ...writeFlags,
  ...confirmFlag,
  ...printFlags,
} as const satisfies FlagTable;

const updateFlags = {
  url: { flag: '--url <url>', help: 'new URL' },
  ...webhookFlags,
  active: { flag: '--active', help: 'resume deliveries', conflicts: 'inactive' },
  inactive: { flag: '--inactive', help: 'pause deliveries' },
  ...changeFlags,
  ...confirmFlag,
  ...printFlags,
} as const satisfies FlagTable;

const deleteFlags = {
  ignoreMissing: { flag: '--ignore-missing', help: 'succeed if the webhook does not exist' },
  dryRun: { ...dryRun, help: 'show the webhook; delete nothing' },
  ...confirmationFlags,
} as const satisfies FlagTable;

const rotateFlags = { dryRun, ...secretFileFlag, ...confirmFlag, ...printFlags } as const satisfies FlagTable;

export function registerWebhooks(webhooks: Command, runner: ActionRunner): void {
  runner.define(webhooks.command('list'), {
    description: 'List webhooks, including disabled ones',
    flags: plainListFlags,
    examples: {
      'salon webhooks list': 'List all webhooks',
      'salon webhooks list --json | jq ".[] | select(.disabled_reason)"':
        'Find webhooks that the service disabled',
    },
    handler: async () => (context) => listPages(context, 'webhooks'),
  });
  runner.define(webhooks.command('get'), {
    description: 'Show one webhook',
    args: { '<id>': 'webhook ID' },
    flags: printFlags,
    examples: { 'salon webhooks get whk_01jd…': 'Show the URL, events and why it was disabled' },
    handler: async () => async (context, id: string) => {
      const client = await context.client();
      return { show: 'record', record: await client.webhooks.get(id), columns: nouns.webhooks.columns };
    },
  });
  runner.define(webhooks.command('create'), {
    description: 'Create a webhook; its signing secret is shown once',
    args: { '<url>': 'URL that receives the events (https, reachable by the service)' },
    flags: createFlags,
    examples: {
      'salon webhooks create https://example.com/hook': 'Send all events',
      [`salon webhooks create https://example.com/hook --events 'booking.*,payment.completed' --description Till`]:
        'Send bookings and completed payments',
      'salon webhooks create https://example.com/hook --secret-file hook.secret': 'Save the secret to a file',
    },
    undo: 'salon webhooks delete',
    handler: async () => createWebhook,
  });
  runner.define(webhooks.command('update'), {
    description: 'Update the URL, events or state of a webhook',
    args: { '<id>': 'webhook ID' },
    flags: updateFlags,
    examples: {
      [`salon webhooks update whk_01jd… --events 'booking.*'`]: 'Send only bookings',
      'salon webhooks update whk_01jd… --active': 'Re-enable it after the service disabled it',
      'salon webhooks update whk_01jd… --set description:=null --dry-run': 'Show the change first',
    },
    handler: async () => updateWebhook,
  });
  runner.define(webhooks.command('delete'), {
    description: 'Delete a webhook and its pending deliveries',
    args: { '<id>': 'webhook ID' },
    flags: deleteFlags,
    examples: {
      'salon webhooks delete whk_01jd…': 'Delete after confirmation',
      'salon webhooks delete whk_01jd… --yes --ignore-missing': 'Delete in a script',
      'salon webhooks update whk_01jd… --inactive': 'Pause it instead',
    },
    handler: async () => deleteWebhook,
  });
  runner.define(webhooks.command('rotate'), {
    description: 'Rotate the signing secret; the old one stays valid for 24 hours',
    args: { '<id>': 'webhook ID' },
    flags: rotateFlags,
    examples: {
      'salon webhooks rotate whk_01jd…': 'Print the new secret, once',
      'salon webhooks rotate whk_01jd… --secret-file hook.secret': 'Save it to a file',
    },
    handler: async () => rotateSecret,
  });
  registerTest(webhooks, runner);
  registerDeliveries(webhooks, runner);
  registerReceivers(webhooks, runner);
  registerVerify(webhooks, runner);
  registerTrigger(webhooks, runner);
}

const createWebhook: Handler<FlagValues<typeof createFlags>, [url: string]> = async (context, url) => {
  const { flags, io, messages } = context;
  const { events, description } = flags;
  const fields = { ...toDefinedFields({ url, events, description }), ...(await readFields(flags, io)) };
  const create = ({ webhooks }: Collections) =>
    explainUnknownFields(webhooks.create(fields), nouns.webhooks.fields);
  if (flags.dryRun) {
    messages.info(await context.checkDryRun(create));
    return { show: 'record', record: fields };
  }
  const outcome = await makeSecret('secret', context, async () => {
    const { id, record = { id: id ?? null } } = await create(await context.client());
    const message = `Created webhook${id === undefined ? '' : ` ${id}`}.`;
    return { id: id ?? '<id>', record: { ...record }, columns: nouns.webhooks.columns, message };
  });
  await explainDeliveryStart(context);
  return outcome;
};

const updateWebhook: Handler<FlagValues<typeof updateFlags>, [id: string]> = async (context, id) => {
  const { flags, io } = context;
  const { url, events, description } = flags;
  const active = flags.active || flags.inactive ? flags.active === true : undefined;
  const given = toDefinedFields({ url, events, description, active });
  return changeRecord(context, {
    noun: 'webhooks',
    id,
    change: { ...given, ...(await readFields(flags, io)) },
  });
};

const deleteWebhook: Handler<FlagValues<typeof deleteFlags>, [id: string]> = async (context, id) => {
  const client = await context.client();
  try {
    const { url } = await client.webhooks.get(id);
    const name = `the webhook to ${url} (${id})`;
    const question = `Delete ${name} and its pending deliveries?`;
    const end = ({ webhooks }: Collections) => webhooks.delete(id);
    return await endRecord(context, 'delete', { id, name, question, end });
  } catch (error) {
    const isMissing = error instanceof SalonError && error.code === 'not_found';
    if (!isMissing || !context.flags.ignoreMissing) throw error;
    return { show: 'record', record: { id, deleted: false }, message: `No webhook with ID ${id}.` };
  }
};

const rotatedColumns = columnSet({ id: 'text', former_secret_until: 'instant' });

const rotateSecret: Handler<FlagValues<typeof rotateFlags>, [id: string]> = async (context, id) => {
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
    return { id, record: { ...record }, columns: rotatedColumns, message };
  });
};
