import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { Stylist } from '../../../contract/stylist.ts';
import { parseWeekHours } from '../../../time/week-hours.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { listPages } from '../../export/list-records.ts';
import { readFields } from '../../flags/fields.ts';
import {
  type ChangeFlags,
  changeFlags,
  confirmFlag,
  type ListFlags,
  listFlags,
  printFlags,
  type WriteFlags,
  writeFlags,
} from '../../flags/options.ts';
import type { Io } from '../../io.ts';
import { toSalonError } from '../../messages/errors.ts';
import { nouns } from '../../nouns/nouns.ts';
import { type KnownStylist, rememberStylists } from '../../people/known-stylists.ts';
import { defineGet } from '../get-record.ts';
import { changeRecord, createRecord } from '../write-record.ts';

export function registerStylists(stylists: Command, runner: ActionRunner): void {
  runner.define(stylists.command('list'), {
    description: 'List stylists, including inactive ones',
    flags: listFlags,
    examples: {
      'salon stylists list': 'List all stylists',
      'salon stylists list --sort last_name': 'Sort by last name',
      'salon stylists list --json | jq -r ".[] | select(.active).id"': 'Print the IDs of active stylists',
    },
    handler: async () => listStylists,
  });
  defineGet(stylists, runner, 'stylists', {
    'salon stylists get Mia': 'Show the name, services and availability',
  });
  runner.define(stylists.command('create'), {
    description: 'Add a stylist',
    flags: { ...writeFlags, ...confirmFlag, ...printFlags },
    examples: {
      'salon stylists create --set first_name=Mia --set last_name=Sato': 'Add a stylist by name',
      [`salon stylists create --set display_name=Mia --set 'services:=["Cut"]'`]: 'With services',
      'salon stylists create --data @mia.json --dry-run': 'Preview what a file would send',
    },
    handler: async () => createStylist,
  });
  runner.define(stylists.command('update'), {
    description: 'Edit a stylist',
    args: { '<stylist...>': nouns.stylists.reference },
    flags: { ...changeFlags, ...confirmFlag, ...printFlags },
    examples: {
      'salon stylists update Mia --set active:=false': 'Stop new bookings',
      [`salon stylists update Mia --set 'services:=["Cut","Colour"]'`]: 'Change the services',
      'salon stylists update sty_01jd… --set phone="+44 20 7946 0018" -n': 'Show the change first',
    },
    handler: async () => updateStylist,
  });
}

const listStylists: Handler<ListFlags> = async (context) => {
  const result = await listPages(context, 'stylists');
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
  return createRecord(context, 'stylists', fields);
};

const updateStylist: Handler<ChangeFlags> = async (context, words) => {
  const change = await readFields(context.flags, context.io);
  const { resolveStylist } = await import('../../people/resolve.ts');
  const who = await resolveStylist(words.join(' '), context, { isWrite: true });
  const result = await changeRecord(context, { noun: 'stylists', id: who.id, change });
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
