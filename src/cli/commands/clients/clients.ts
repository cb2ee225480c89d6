import { type Command, Option } from 'commander';
import type { Sureness } from '../../../bulk/merge/duplicate-evidence.ts';
import { newClient } from '../../../contract/client.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { addPeopleOptions, addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { editFromSheet } from '../../edit/edit-sheet.ts';
import { listRecords } from '../../export/list-records.ts';
import { addClientConditions, type ClientConditionFlags } from '../../flags/client-condition-options.ts';
import { type FieldValues, readFields } from '../../flags/fields.ts';
import {
  addConfirmationOptions,
  addExportOptions,
  addExtensions,
  addPrintOptions,
  addWriteOptions,
  collect,
  type ExportFlags,
  joinLists,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import type { MergeFlags } from '../../merge/merge-clients.ts';
import { clientColumns } from '../../output/columns.ts';
import { readLayout, readStyle } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { createRecord } from '../write-record.ts';
import { registerClientsDelete } from './delete.ts';
import { registerClientsUpdate } from './update.ts';

export function registerClients(clients: Command, runner: ActionRunner): void {
  const list = addClientConditions(clients.command('list').description('List clients'));
  addExportOptions(list);
  runner.add(list, listClients, {
    'salon clients list --search ana': 'Find clients by name, email address or phone number',
    'salon clients list --tag vip --not-seen-since 6mo': 'Find clients who match every condition',
    'salon clients list -f csv -o clients.csv': 'Export all clients',
  });

  const get = clients
    .command('get')
    .argument('<client...>', 'client: name, email, phone or ID')
    .description('Show one client, with appointments and payments')
    .option('--history', 'Include who changed what, and the history in JSON output')
    .option('--no-history', 'Omit the history (saves requests)');
  addPrintOptions(get);
  runner.add(get, getClient, {
    'salon clients get Ana Costa': 'Show the client and their history',
    'salon clients get 912345678 --json | jq -r .email': 'Find by phone, print one field',
    'salon clients get cli_01jd… --history --json | jq .history.counts': 'Count visits and no-shows',
  });

  const card = clients
    .command('card')
    .argument('<client...>', 'client: name, email, phone or ID')
    .description('Show everything stored about a client, to hand over to them')
    .option('-o, --output <file>', 'Write to a file: .html, .json, or .txt');
  addExtensions(card, ['.html']);
  runner.add(card, showCard, {
    'salon clients card Ana Costa -o ana.html': 'Write a page to print or send',
    'salon clients card Ana Costa -o ana.json': 'The records as the service has them',
  });

  const create = clients.command('create').description('Add a client, or one per row of a file');
  create.option('--preferred-stylist <who>', 'Preferred stylist: name, email, phone or ID');
  create.option('--allow-duplicate', 'Add clients even if some like that exist');
  create.addOption(
    new Option('--skip-existing', 'Leave out clients who exist or are repeated').conflicts('allowDuplicate'),
  );
  addPeopleOptions(addSheetOptions(addWriteOptions(create), { adds: true }));
  addConfirmationOptions(create);
  addPrintOptions(create);
  runner.add(create, createClient, {
    'salon clients create --set first_name=Ana --set phone="+351 912 345 678"': 'Add a client',
    [`salon clients create --set last_name=Sato --set 'tags:=["vip"]'`]: 'Set a field that is not text',
    'salon clients create --file new.csv --dry-run': 'Check a list of clients, also of another program',
    'salon clients create --file old.xlsx --map "Kunde=first_name last_name" --mapping old':
      'Say what a column has, and remember it',
  });

  registerClientsUpdate(clients, runner);
  registerClientsDelete(clients, runner);

  const duplicates = clients
    .command('duplicates')
    .description('List clients who may be there twice')
    .addOption(
      new Option('--sure <level>', 'List pairs that are at least this sure')
        .choices(levels)
        .default('likely'),
    );
  addPrintOptions(duplicates).addHelpText('after', explanation);
  runner.addLazy(duplicates, async () => (await import('../../merge/duplicates.ts')).listDuplicates, {
    'salon clients duplicates': 'List certain and likely duplicates',
    'salon clients duplicates --sure possible -o duplicates.xlsx': 'Review all of them in a spreadsheet',
    [`salon clients duplicates --sure certain --json | jq -r '.[].duplicate_id'`]: 'Print the later ones',
  });

  const merging = clients
    .command('merge')
    .argument('[client]', 'client who stays: name, email, phone or ID')
    .argument('[duplicate]', 'client who is merged into them')
    .description('Merge a duplicate into a client')
    .option('--prefer <fields>', 'Take these fields from the duplicate, e.g. phone,email', joinLists)
    .option('--set <field=value>', 'Set a field; field:=json for JSON; repeatable', collect)
    .option(
      '--delete-anyway',
      'Without a merge endpoint: delete the duplicate even if something stays with it',
    )
    .option('-n, --dry-run', 'Show how the fields are combined; change nothing');
  addConfirmationOptions(merging).addHelpText('after', rules);
  const merge: Handler<MergeFlags, [string?, string?]> = async (context, kept, other) => {
    const { mergeAsJob } = await import('../../merge/merge-clients.ts');
    return context.prompts.inTurn(() => mergeAsJob(context, [kept, other]));
  };
  runner.add(merging, merge, {
    'salon clients merge "Ana Costa" cli_01jd…': 'Merge after showing what happens',
    'salon clients merge ana@costa.example "Anna Costa" --prefer phone': "Use the duplicate's phone",
    'salon jobs undo 20261121-093000-1f2e3d': 'Undo a merge (our service: for 30 days)',
  });
}

interface ListFlags extends ExportFlags, ClientConditionFlags {}

const listClients: Handler<ListFlags> = async (context) => {
  const { flags } = context;
  const { readClientFilter } = await import('../../people/selected-clients.ts');
  const { query, conditions } = await readClientFilter(context);
  const isConditional = Object.keys(conditions).length > 0;
  if (isConditional && flags.sinceLast) {
    const message = 'With --since-last, clients can only be filtered by --search, --email and --phone.';
    throw new SalonError('usage', message, { hint: 'Export all changes, and filter the rows yourself.' });
  }
  const kind = {
    noun: 'clients',
    columns: clientColumns,
    conditions: isConditional ? conditions : undefined,
  } as const;
  return listRecords(context, kind, query);
};

interface Flags extends WriteFlags, EditFlags {
  readonly preferredStylist?: string;
}

const createClient: Handler<Flags> = async (context) => {
  const edited = await editFromSheet({ noun: 'clients', verb: 'create' }, context);
  if (edited !== undefined) return edited;
  const given = await readFields(context.flags, context.io);
  const [{ nameOfClient, toText }, { resolvePreferredStylist }, { chooseExisting }] = await Promise.all([
    import('../../people/names.ts'),
    import('../../people/resolve-filters.ts'),
    import('../../people/same-person.ts'),
  ]);
  const fields: FieldValues = {
    ...(await askForName(given, context)),
    ...(await resolvePreferredStylist(context)),
  };
  const { phone, email } = fields;
  await chooseExisting({ name: nameOfClient(fields), phone: toText(phone), email: toText(email) }, context);
  return createRecord(context, fields, {
    create: (client) => client.clients.create(fields),
    known: Object.keys(newClient.properties),
    done: 'Added client',
    columns: clientColumns,
    describe: nameOfClient,
  });
};

/** Prompts if no field was given. Throws `usage` if input is not interactive. */
async function askForName(fields: FieldValues, { prompts }: CommandContext<Flags>): Promise<FieldValues> {
  if (Object.keys(fields).length > 0) return fields;
  if (!prompts.isInteractive) {
    throw new SalonError('usage', 'A new client needs a name, an email address or a phone number.', {
      hint: 'Set one, e.g. --set first_name=Ana, or use --data.',
    });
  }
  return prompts.inTurn(async () => ({
    first_name: await prompts.text('First name'),
    last_name: await prompts.text('Last name'),
    phone: await prompts.text('Phone number'),
  }));
}

const levels: readonly Sureness[] = ['certain', 'likely', 'possible'];

const explanation = `
Compared are phone numbers in any written form, email addresses and names
(accents, case and word order do not matter, one letter may differ).
  certain   Same name, and same phone or email
  likely    Similar name, and same phone, email or birthday
            Same name, and nothing else differs
  possible  Same phone or same name only: perhaps a family or a common name`;

const rules = `
How fields are combined:
  Names and contact details stay and are filled in from the duplicate
  Notes are joined, tags are united
  Marketing consent is given only if both gave it
Appointments and payments, past ones too, move to the client.`;

interface GetFlags extends PrintFlags {
  readonly history?: boolean;
}

const getClient: Handler<GetFlags> = async (context, words) => {
  const { flags, io, messages } = context;
  const layout = await readLayout(context);
  const isTable = layout === 'table';
  if (flags.history && (layout === 'csv' || layout === 'tsv')) {
    throw new SalonError('usage', 'CSV and tab-separated output cannot contain the history.', {
      hint: 'Use --json or -f ndjson with --history.',
    });
  }
  const { resolveClient } = await import('../../people/resolve.ts');
  const { id } = await resolveClient(words.join(' '), context);
  const client = await context.client();
  const record = await client.clients.get(id);
  const result = { show: 'record', record, columns: clientColumns } as const;
  if (!(flags.history ?? (isTable && flags.columns === undefined))) return result;
  const { readHistory, renderHistory, toHistoryMember } = await import('../../history/client-history.ts');
  try {
    const wanted = { explain: messages.verbose, withChanges: flags.history === true };
    const history = await readHistory(client, id, wanted);
    if (!isTable) return { ...result, record: { ...record, history: toHistoryMember(history) } };
    const style = { ...(await readStyle(context)), width: io.terminal.columns, nowMs: io.now().getTime() };
    return { ...result, footer: renderHistory(history, { ...style, clientId: id }) };
  } catch (error) {
    if (!isTable || !(error instanceof SalonError) || error.code === 'interrupted') throw error;
    const message = `Could not read the history. ${error.message}`;
    if (flags.history) throw withContext(error, { message });
    // The record is still shown.
    messages.warn(message);
    return result;
  }
};

const showCard: Handler<PrintFlags> = async (context, words) => {
  const [{ resolveClient }, { findPageFile, writePage }, cards] = await Promise.all([
    import('../../people/resolve.ts'),
    import('../../output/printed-page.ts'),
    import('../../history/client-card.ts'),
  ]);
  const [file, layout] = [await findPageFile(context), await readLayout(context)];
  if (layout === 'csv' || layout === 'xlsx') {
    throw new SalonError('usage', `A card does not fit a sheet (${layout}).`, {
      hint: 'Name the file .html or .json.',
    });
  }
  const { id } = await resolveClient(words.join(' '), context);
  const card = await cards.readCard(id, context);
  if (file !== undefined) {
    await writePage(file, await cards.renderCardPage(card, context), context);
    return { show: 'nothing', message: [`Card written to ${file}`, ...card.not_included].join('\n') };
  }
  if (layout === 'json' || layout === 'ndjson') return { show: 'record', record: { ...card } };
  return { show: 'pagedText', text: await cards.renderCardText(card, context) };
};
