import { type Command, Option } from 'commander';
import type { Sureness } from '../../../bulk/merge/duplicate-evidence.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import {
  addAllOption,
  addCountryOption,
  addMatchOption,
  addPeopleOptions,
  addSheetOptions,
  addTagOptions,
} from '../../edit/edit-options.ts';
import { addClientConditions, type ClientConditionFlags } from '../../flags/client-condition-options.ts';
import {
  addChangeOptions,
  addConfirmationOptions,
  addExportOptions,
  addExtensions,
  addPrintOptions,
  addWriteOptions,
  collect,
  type ExportFlags,
  joinLists,
} from '../../flags/options.ts';
import type { MergeFlags } from '../../merge/merge-clients.ts';

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
  runner.addLazy(get, async () => (await import('./records.ts')).showClient, {
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
  runner.addLazy(card, async () => (await import('./records.ts')).showCard, {
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
  runner.addLazy(create, async () => (await import('./records.ts')).createClients, {
    'salon clients create --set first_name=Ana --set phone="+351 912 345 678"': 'Add a client',
    [`salon clients create --set last_name=Sato --set 'tags:=["vip"]'`]: 'Set a field that is not text',
    'salon clients create --file new.csv --dry-run': 'Check a list of clients, also of another program',
    'salon clients create --file old.xlsx --map "Kunde=first_name last_name" --mapping old':
      'Say what a column has, and remember it',
  });

  registerUpdate(clients, runner);
  registerDelete(clients, runner);

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
    .option('-n, --dry-run', 'Show how the fields are combined; change nothing');
  addConfirmationOptions(merging).addHelpText('after', rules);
  const merge: Handler<MergeFlags, [string?, string?]> = async (context, kept, other) => {
    const { mergeAsJob } = await import('../../merge/merge-clients.ts');
    return context.prompts.inTurn(() => mergeAsJob(context, [kept, other]));
  };
  runner.add(merging, merge, {
    'salon clients merge "Ana Costa" cli_01jd…': 'Merge after showing what happens',
    'salon clients merge ana@costa.example "Anna Costa" --prefer phone': "Use the duplicate's phone",
    'salon jobs undo 20261121-093000-1f2e3d': 'Undo a merge (for 30 days)',
  });
}

function registerUpdate(clients: Command, runner: ActionRunner): void {
  const command = clients
    .command('update')
    .argument('[client...]', 'name, email address, phone number or ID')
    .description('Edit a client, those who match conditions, or one per row of a file');
  addTagOptions(command);
  command.option('--preferred-stylist <who>', 'Preferred stylist: name, email, phone or ID');
  addChangeOptions(command);
  addAllOption(addClientConditions(command));
  addPeopleOptions(addSheetOptions(addMatchOption(command)), { isHidden: true });
  addConfirmationOptions(command);
  addPrintOptions(command);
  runner.addLazy(command, async () => (await import('./update.ts')).updateClients, {
    'salon clients update "Ana Costa" --add-tag vip': 'Edit one client',
    'salon clients update --not-seen-since 6mo --add-tag winback': 'Show who matches, ask, then tag them',
    'salon clients update --file clients.csv': 'Show all changes of a sheet, ask, then send',
  });
}

function registerDelete(clients: Command, runner: ActionRunner): void {
  const command = clients
    .command('delete')
    .argument('[client...]', 'name, email address, phone number or ID')
    .description('Delete a client, those who match conditions, or one per row of a file')
    .option('--force', 'Cancel upcoming appointments first')
    .option('--ignore-missing', 'Succeed if the client does not exist')
    .option('-n, --dry-run', 'Show who would be deleted; delete nothing');
  addAllOption(addClientConditions(command));
  addCountryOption(addSheetOptions(addMatchOption(command)));
  addConfirmationOptions(command);
  runner.addLazy(command, async () => (await import('./delete.ts')).deleteClients, {
    'salon clients delete "Ana Costa"': 'Delete after confirmation',
    'salon clients delete --file gone.csv --yes --force': 'Cancel appointments and delete, in a script',
    'salon clients delete --tag duplicate --max-changes 20': 'Delete who matches, at most 20',
  });
}

interface ListFlags extends ExportFlags, ClientConditionFlags {}

const listClients: Handler<ListFlags> = async (context) => {
  const { flags } = context;
  const [{ readClientFilter }, { listRecords }, { clientColumns }] = await Promise.all([
    import('../../people/selected-clients.ts'),
    import('../../export/list-records.ts'),
    import('../../output/columns.ts'),
  ]);
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
