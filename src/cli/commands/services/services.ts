import type { Command } from 'commander';
import { isSameService } from '../../../contract/salon-service.ts';
import { countOf } from '../../../text/numbers.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { listPages } from '../../export/list-records.ts';
import { type FieldValues, readFields, toDefinedFields } from '../../flags/fields.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { parseMinutes } from '../../flags/moments.ts';
import {
  type ChangeFlags,
  changeFlags,
  confirmationFlags,
  confirmFlag,
  listFlags,
  printFlags,
  type WriteFlags,
  writeFlags,
} from '../../flags/options.ts';
import { nouns } from '../../nouns/nouns.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readPrice } from '../appointments/read-booking.ts';
import { defineGet } from '../get-record.ts';
import { askForMissing, changeRecord, createRecord, endRecord } from '../write-record.ts';

const { reference, find: findService } = nouns.services;

const serviceFlags = {
  duration: { flag: '--duration <time>', help: 'Usual duration, e.g. 45m or 1h30m' },
  price: { flag: '--price <amount>', help: "Price in the salon's currency, e.g. 49.50" },
  noPrice: { flag: '--no-price', help: 'No fixed price', conflicts: 'price' },
  active: { flag: '--active', help: 'Offer it', conflicts: 'inactive' },
  inactive: { flag: '--inactive', help: 'No longer offer it' },
} as const satisfies FlagTable;

export function registerServices(services: Command, runner: ActionRunner): void {
  runner.define(services.command('list'), {
    description: 'List services and prices, including inactive ones',
    flags: listFlags,
    examples: {
      'salon services list': 'List all services',
      'salon services list -o prices.xlsx': 'Write a price list (prices in decimals)',
    },
    handler: async () => (context) => listPages(context, 'services'),
  });
  defineGet(services, runner, 'services', {
    'salon services get Balayage': 'Show its duration and price',
  });
  runner.define(services.command('create'), {
    description: 'Add a service',
    args: { '[name...]': 'name, as appointments call it' },
    flags: { ...serviceFlags, ...writeFlags, ...confirmFlag, ...printFlags },
    examples: {
      'salon services create Balayage --duration 2h --price 175': 'Add a service with its price',
      'salon services create Consultation --duration 15m --no-price': 'Without a fixed price',
    },
    undo: 'salon services delete',
    handler: async () => createService,
  });
  runner.define(services.command('update'), {
    description: 'Change a service; stylists who offer it get its new name',
    args: { '<service...>': reference },
    flags: {
      name: { flag: '--name <name>', help: 'New name' },
      ...serviceFlags,
      ...changeFlags,
      ...confirmFlag,
      ...printFlags,
    },
    examples: {
      'salon services update Balayage --price 180': 'Change the price of new appointments',
      'salon services update Balayage --name "Balayage, long hair" -n': 'Show what a rename changes',
      'salon services update Balayage --inactive': 'No longer offer it',
    },
    handler: async () => updateService,
  });
  runner.define(services.command('delete'), {
    description: 'Delete a service; its appointments stay as they are',
    args: { '<service...>': reference },
    flags: {
      dryRun: { ...writeFlags.dryRun, help: 'Show what would be deleted; delete nothing' },
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon services delete Perm': 'Delete it after confirmation',
      'salon services update Perm --inactive': 'Keep it in the list instead',
    },
    handler: async () => deleteService,
  });
  runner.define(services.command('learn'), {
    description: 'Propose services from past appointments and their payments, and add them',
    flags: {
      dryRun: { ...writeFlags.dryRun, help: 'Show what would be added; add nothing' },
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon services learn': 'Show the services of the last half year, then ask',
      'salon services learn --dry-run -o services.csv': 'Write what would be added',
    },
    undo: 'salon services delete',
    handler: async () => (await import('./learn.ts')).learnServices,
  });
}

type ServiceFlags = WriteFlags & FlagValues<typeof serviceFlags> & { readonly name?: string };

async function toFields(context: CommandContext<ServiceFlags>): Promise<FieldValues> {
  const { flags, io } = context;
  const { name, duration, price, noPrice, active, inactive } = flags;
  const given = toDefinedFields({
    name,
    duration,
    price: noPrice ? null : price,
    active: active ?? (inactive ? false : undefined),
  });
  return withMinutes(await readPrice({ ...given, ...(await readFields(flags, io)) }, context));
}

function withMinutes(fields: FieldValues): FieldValues {
  const { duration } = fields;
  return typeof duration === 'string' ? { ...fields, duration: parseMinutes(duration) } : fields;
}

const createService: Handler<ServiceFlags> = async (context, words) => {
  const name = words.length === 0 ? {} : { name: words.join(' ') };
  const asked = await askForMissing(
    { ...name, ...(await toFields(context)) },
    [
      { field: 'name', flag: 'its name', question: 'Name' },
      { field: 'duration', flag: '--duration', question: 'Duration (e.g. 45m or 1h30m)' },
    ],
    context,
  );
  return createRecord(context, 'services', withMinutes(asked));
};

const updateService: Handler<ServiceFlags & ChangeFlags> = async (context, words) => {
  const change = await toFields(context);
  const { id } = await findService(words.join(' '), context, { isWrite: true });
  // Bound to the version whose stylists are counted here.
  const seen = await (await context.client()).services.getTagged(id);
  const { name: former } = seen.record;
  const { name } = change;
  const follows =
    typeof name === 'string' && name !== former ? await describeRename(former, name, context) : '';
  if (context.flags.dryRun === true && follows !== '') context.messages.info(`Would rename ${follows}`);
  const result = await changeRecord(context, { noun: 'services', id, change, seen });
  if (context.flags.dryRun !== true && follows !== '') context.messages.info(`Renamed ${follows}`);
  return result;
};

/** What a new name brings about: `Cut to Haircut: 3 stylists …`. */
async function describeRename(former: string, name: string, context: CommandContext): Promise<string> {
  const { salonFacts } = await import('../../availability/salon-facts.ts');
  const stylists = (await salonFacts(context).stylists()) ?? [];
  const offering = stylists.filter(({ services }) => services.some((one) => isSameService(one, former)));
  const lists = offering.length === 1 ? 'list' : 'lists';
  const whose = `the ${lists} of ${countOf(offering.length, 'stylists')}`;
  return `${former} to ${name}, also in ${whose}. Appointments keep "${former}".`;
}

const deleteService: Handler = async (context, words) => {
  const { id } = await findService(words.join(' '), context, { isWrite: true });
  const client = await context.client();
  const { record, etag: ifMatch } = await client.services.getTagged(id);
  const { name } = record;
  return endRecord(context, 'delete', {
    ...{ id, name, end: ({ services }) => services.delete(id, { ifMatch }) },
    question: `Delete ${name}? Its appointments and the lists of stylists stay as they are.`,
  });
};
