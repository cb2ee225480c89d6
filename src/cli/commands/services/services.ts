import { type Command, Option } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { isSameService, newSalonService, type SalonService } from '../../../contract/salon-service.ts';
import { countOf } from '../../../text/numbers.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { listPages } from '../../export/list-records.ts';
import { type FieldValues, readFields, toDefinedFields } from '../../flags/fields.ts';
import { parseMinutes } from '../../flags/moments.ts';
import {
  addChangeOptions,
  addConfirmationOptions,
  addConfirmOption,
  addListOptions,
  addPrintOptions,
  addWriteOptions,
  type ChangeFlags,
  type ListFlags,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readPrice } from '../appointments/read-booking.ts';
import { registerGet } from '../get-record.ts';
import { askForMissing, changeRecord, createRecord, endRecord, serviceColumns } from '../write-record.ts';

const reference = 'service: name or ID';

export function registerServices(services: Command, runner: ActionRunner): void {
  const command = services.command('list').description('List services and prices, including inactive ones');
  addListOptions(command);
  const listServices = (context: CommandContext<ListFlags>) =>
    listPages(context, { noun: 'services', columns: serviceColumns, list: ({ services: { list } }) => list });
  runner.add(command, listServices, {
    'salon services list': 'List all services',
    'salon services list -o prices.xlsx': 'Write a price list (prices in decimals)',
  });
  registerGet(services, runner, {
    noun: 'services',
    name: 'service',
    columns: serviceColumns,
    examples: {
      'salon services get Balayage': 'Show its duration and price',
    },
    argument: '<service...>',
    reference,
    async find(text, context) {
      const record = await findService(text, context);
      return { id: record.id, record };
    },
  });

  const create = services
    .command('create')
    .argument('[name...]', 'name, as appointments call it')
    .description('Add a service');
  addConfirmOption(addWriteOptions(addServiceOptions(create)));
  addPrintOptions(create);
  runner.add(create, createService, {
    'salon services create Balayage --duration 2h --price 175': 'Add a service with its price',
    'salon services create Consultation --duration 15m --no-price': 'Without a fixed price',
  });

  const update = services
    .command('update')
    .argument('<service...>', reference)
    .description('Change a service; stylists who offer it get its new name')
    .option('--name <name>', 'New name');
  addConfirmOption(addChangeOptions(addServiceOptions(update)));
  addPrintOptions(update);
  runner.add(update, updateService, {
    'salon services update Balayage --price 180': 'Change the price of new appointments',
    'salon services update Balayage --name "Balayage, long hair" -n': 'Show what a rename changes',
    'salon services update Balayage --inactive': 'No longer offer it',
  });

  const remove = services
    .command('delete')
    .argument('<service...>', reference)
    .description('Delete a service; its appointments stay as they are')
    .option('-n, --dry-run', 'Show what would be deleted; delete nothing');
  addPrintOptions(addConfirmationOptions(remove));
  runner.add(remove, deleteService, {
    'salon services delete Perm': 'Delete it after confirmation',
    'salon services update Perm --inactive': 'Keep it in the list instead',
  });

  const learn = services
    .command('learn')
    .description('Propose services from past appointments and their payments, and add them')
    .option('-n, --dry-run', 'Show what would be added; add nothing');
  addPrintOptions(addConfirmationOptions(learn));
  runner.addLazy(learn, async () => (await import('./learn.ts')).learnServices, {
    'salon services learn': 'Show the services of the last half year, then ask',
    'salon services learn --dry-run -o services.csv': 'Write what would be added',
  });
}

interface ServiceFlags extends WriteFlags {
  readonly name?: string;
  readonly duration?: string;
  /** False for `--no-price`. */
  readonly price?: string | false;
  readonly active?: boolean;
  readonly inactive?: boolean;
}

function addServiceOptions(command: Command): Command {
  return command
    .option('--duration <time>', 'Usual duration, e.g. 45m or 1h30m')
    .option('--price <amount>', "Price in the salon's currency, e.g. 49.50")
    .option('--no-price', 'No fixed price')
    .addOption(new Option('--active', 'Offer it').conflicts('inactive'))
    .option('--inactive', 'No longer offer it');
}

async function toFields(context: CommandContext<ServiceFlags>): Promise<FieldValues> {
  const { flags, io } = context;
  const { name, duration, price, active, inactive } = flags;
  const given = toDefinedFields({
    name,
    duration,
    price: price === false ? null : price,
    active: active === true ? true : inactive === true ? false : undefined,
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
  const fields = withMinutes(asked);
  return createRecord(context, fields, {
    create: (client) => client.services.create(fields),
    known: Object.keys(newSalonService.properties),
    done: 'Added service',
    columns: serviceColumns,
    describe: (record) => String(record['name']),
  });
};

const updateService: Handler<ServiceFlags & ChangeFlags & PrintFlags> = async (context, words) => {
  const change = await toFields(context);
  const { id } = await findService(words.join(' '), context, true);
  // Bound to the version whose stylists are counted here.
  const seen = await (await context.client()).services.getTagged(id);
  const { name: former } = seen.record;
  const { name } = change;
  const follows =
    typeof name === 'string' && name !== former ? await describeRename(former, name, context) : '';
  if (context.flags.dryRun === true && follows !== '') context.messages.info(`Would rename ${follows}`);
  const result = await changeRecord(context, {
    noun: 'services',
    id,
    change,
    seen,
    describe: (record) => String(record['name']),
  });
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

const deleteService: Handler<WriteFlags & PrintFlags> = async (context, words) => {
  const { id } = await findService(words.join(' '), context, true);
  const client = await context.client();
  const { record, etag: ifMatch } = await client.services.getTagged(id);
  const { name } = record;
  return endRecord(context, 'delete', {
    ...{ id, name, end: ({ services }) => services.delete(id, { ifMatch }) },
    question: `Delete ${name}? Its appointments and the lists of stylists stay as they are.`,
  });
};

/** Throws `usage` without a reference, and as `resolveService`. */
async function findService(text: string, context: CommandContext, isWrite = false): Promise<SalonService> {
  if (text.trim() === '') throw new SalonError('usage', 'No service given.', { hint: 'Use its name or ID.' });
  const { resolveService } = await import('../../availability/usual-services.ts');
  return resolveService(text, context, { isWrite });
}
