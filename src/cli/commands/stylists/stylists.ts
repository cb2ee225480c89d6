import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { newStylist, type Stylist } from '../../../contract/stylist.ts';
import { parseWeekHours } from '../../../time/week-hours.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { listPages } from '../../export/list-records.ts';
import { readFields } from '../../flags/fields.ts';
import {
  addChangeOptions,
  addConfirmOption,
  addListOptions,
  addPrintOptions,
  addWriteOptions,
  type ChangeFlags,
  type ListFlags,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import type { Io } from '../../io.ts';
import { toSalonError } from '../../messages/errors.ts';
import { stylistColumns } from '../../output/columns.ts';
import { type KnownStylist, rememberStylists } from '../../people/known-stylists.ts';
import { registerGet } from '../get-record.ts';
import { changeRecord, createRecord, type Describe } from '../write-record.ts';

const stylistReference = 'stylist: name, email, phone or ID';

export function registerStylists(stylists: Command, runner: ActionRunner): void {
  const list = stylists.command('list').description('List stylists, including inactive ones');
  addListOptions(list);
  runner.add(list, listStylists, {
    'salon stylists list': 'List all stylists',
    'salon stylists list --sort last_name': 'Sort by last name',
    'salon stylists list --json | jq -r ".[] | select(.active).id"': 'Print the IDs of active stylists',
  });

  registerGet(stylists, runner, {
    noun: 'stylists',
    name: 'stylist',
    columns: stylistColumns,
    examples: {
      'salon stylists get Mia': 'Show the name, services and availability',
    },
    argument: '<stylist...>',
    reference: stylistReference,
    find: async (reference, context) => {
      const { resolveStylist } = await import('../../people/resolve.ts');
      return { id: (await resolveStylist(reference, context)).id };
    },
  });

  const create = stylists.command('create').description('Add a stylist');
  addConfirmOption(addWriteOptions(create));
  addPrintOptions(create);
  runner.add(create, createStylist, {
    'salon stylists create --set first_name=Mia --set last_name=Sato': 'Add a stylist by name',
    [`salon stylists create --set display_name=Mia --set 'services:=["Cut"]'`]: 'With services',
    'salon stylists create --data @mia.json --dry-run': 'Preview what a file would send',
  });

  const update = stylists
    .command('update')
    .argument('<stylist...>', stylistReference)
    .description('Edit a stylist');
  addConfirmOption(addChangeOptions(update));
  addPrintOptions(update);
  runner.add(update, updateStylist, {
    'salon stylists update Mia --set active:=false': 'Stop new bookings',
    [`salon stylists update Mia --set 'services:=["Cut","Colour"]'`]: 'Change the services',
    'salon stylists update sty_01jd… --set phone="+44 20 7946 0018" -n': 'Show the change first',
  });
}

const listStylists: Handler<ListFlags> = async (context) => {
  const kind = { noun: 'stylists', columns: stylistColumns };
  const result = await listPages(context, { ...kind, list: ({ stylists }) => stylists.list });
  const baseUrl = (await context.session()).settings.baseUrl?.value;
  return baseUrl === undefined
    ? result
    : { ...result, pages: rememberAll(result.pages, context.io, baseUrl) };
};

/** Passes the pages on and, after the last one, saves the stylists for completion. */
async function* rememberAll<Page extends { readonly rows: readonly Stylist[] }>(
  pages: AsyncIterable<Page>,
  io: Io,
  baseUrl: string,
): AsyncGenerator<Page> {
  const { toNamedStylist } = await import('../../people/names.ts');
  const seen: KnownStylist[] = [];
  for await (const page of pages) {
    seen.push(...page.rows.map(toNamedStylist));
    yield page;
  }
  rememberStylists(io, baseUrl, seen);
}

const createStylist: Handler<WriteFlags> = async (context) => {
  const fields = await readFields(context.flags, context.io);
  if (Object.keys(fields).length === 0) {
    throw new SalonError('usage', 'A new stylist needs a name.', {
      hint: 'Set one, e.g. --set first_name=Mia, or use --data.',
    });
  }
  const known = Object.keys(newStylist.properties);
  return createRecord(context, fields, {
    create: (client) => client.stylists.create(fields),
    known,
    done: 'Added stylist',
    columns: stylistColumns,
    describe: await loadDescribe(),
  });
};

const updateStylist: Handler<ChangeFlags & PrintFlags> = async (context, words) => {
  const change = await readFields(context.flags, context.io);
  const { resolveStylist } = await import('../../people/resolve.ts');
  const who = await resolveStylist(words.join(' '), context, { isWrite: true });
  const describe = await loadDescribe();
  const result = await changeRecord(context, { noun: 'stylists', id: who.id, change, describe });
  const hours = parseWeekHours(String(change['working_hours']));
  if (hours === undefined || context.flags.quiet === true) return result;
  const { describeOutsideHours } = await import('../../booking/affected-visits.ts');
  const lines = await describeOutsideHours(who, hours, context).catch((thrown: unknown) => {
    context.messages.warn(`Whom to call is not known. ${toSalonError(thrown, undefined).message}`);
    return [];
  });
  if (result.show === 'record') return { ...result, message: [result.message, ...lines].join('\n') };
  if (lines.length > 0) context.messages.info(lines.join('\n'));
  return result;
};

async function loadDescribe(): Promise<Describe> {
  const { toNamedStylist } = await import('../../people/names.ts');
  return (record) => toNamedStylist(record as unknown as Stylist).name;
}
