import type { Command } from 'commander';
import type { Sureness } from '../../../bulk/merge/duplicate-evidence.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { preferredStylistFlag } from '../../flags/booking-flags.ts';
import {
  allClientsFlag,
  type ClientSelectionFlags,
  clientSelectionFlags,
} from '../../flags/client-selection.ts';
import {
  againFlag,
  countryFlag,
  ignoreMissingFlag,
  importFlags,
  matchFlag,
  peopleFlags,
  sheetFlags,
  skipExistingFlag,
  tagFlags,
} from '../../flags/edit-flags.ts';
import { withoutHelp } from '../../flags/flag.ts';
import {
  changeFlags,
  confirmationFlags,
  type ExportFlags,
  exportFlags,
  printFlags,
  writeFlags,
} from '../../flags/options.ts';
import { findGiven } from '../../flags/selection.ts';
import { parseList } from '../../flags/values.ts';
import type { MergeFlags } from '../../merge/merge-clients.ts';

const clientArgument = 'client: name, email, phone or ID';
const selectedClients = { '[client...]': 'name, email address, phone number or ID' };

export function registerClients(clients: Command, runner: ActionRunner): void {
  runner.define(clients.command('list'), {
    description: 'List clients',
    flags: { ...clientSelectionFlags, ...exportFlags },
    examples: {
      'salon clients list --search ana': 'Find clients by name, email address or phone number',
      'salon clients list --tag vip --not-seen-since 6mo': 'Find clients who match all of these',
      'salon clients list -f csv -o clients.csv': 'Export all clients',
    },
    handler: async () => listClients,
  });
  runner.define(clients.command('get'), {
    description: 'Show one client, with appointments and payments',
    args: { '<client...>': clientArgument },
    flags: {
      history: {
        flag: '--history',
        help: 'Include who changed what, and the history in JSON output',
        conflicts: 'noHistory',
      },
      noHistory: { flag: '--no-history', help: 'Omit the history (saves requests)' },
      ...printFlags,
    },
    examples: {
      'salon clients get Ana Costa': 'Show the client and their history',
      'salon clients get 912345678 --json | jq -r .email': 'Find by phone, print one field',
      'salon clients get cli_01jd… --history --json | jq .history.counts': 'Count visits and no-shows',
    },
    handler: async () => (await import('./records.ts')).showClient,
  });
  runner.define(clients.command('card'), {
    description: 'Show everything stored about a client, to hand over to them',
    args: { '<client...>': clientArgument },
    flags: { output: { ...printFlags.output, help: 'Write to a file: .html, .json, or .txt' } },
    extensions: ['.html'],
    examples: {
      'salon clients card Ana Costa -o ana.html': 'Write a page to print or send',
      'salon clients card Ana Costa -o ana.json': 'The records as the service has them',
    },
    handler: async () => (await import('./records.ts')).showCard,
  });
  runner.define(clients.command('create'), {
    description: 'Add a client, or one per row of a file',
    flags: {
      ...preferredStylistFlag,
      allowDuplicate: { flag: '--allow-duplicate', help: 'Add clients even if some like that exist' },
      ...skipExistingFlag,
      ...writeFlags,
      ...sheetFlags,
      ...againFlag,
      ...peopleFlags,
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon clients create --set first_name=Ana --set phone="+351 912 345 678"': 'Add a client',
      [`salon clients create --set last_name=Sato --set 'tags:=["vip"]'`]: 'Set a field that is not text',
      'salon clients create --file new.csv --dry-run': 'Check a list of clients, also of another program',
      'salon clients create --file old.xlsx --map "Kunde=first_name last_name" --mapping old':
        'Say what a column has, and remember it',
    },
    undo: 'salon jobs undo (of a file), salon clients delete',
    handler: async () => (await import('./records.ts')).createClients,
  });
  runner.define(clients.command('import'), {
    description: 'Import a list: add who is new, complete who is known',
    args: { '<file>': sheetFlags.file.help },
    flags: { ...importFlags, ...peopleFlags, ...confirmationFlags, ...printFlags },
    notes: `A row means the client with its ID or external ID, with its email or phone and
a name that fits, or with its name and birthday. What is not certain is asked;
a script leaves it out.`,
    examples: {
      'salon clients import contacts.csv': 'Show who is new and who is known, ask, then send',
      'salon clients import old.xlsx --dry-run': 'Show every change; send nothing',
      'salon clients import crm.csv --overwrite --yes': 'In a script: the file is right',
    },
    undo: 'salon jobs undo',
    handler: async () => (await import('../import.ts')).importRows('clients'),
  });
  runner.define(clients.command('update'), {
    description: 'Edit a client, a selection of clients, or one per row of a file',
    args: selectedClients,
    flags: {
      ...tagFlags,
      ...preferredStylistFlag,
      ...changeFlags,
      ...clientSelectionFlags,
      ...allClientsFlag,
      ...matchFlag,
      ...sheetFlags,
      ...withoutHelp(peopleFlags),
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon clients update "Ana Costa" --add-tag vip': 'Edit one client',
      'salon clients update --not-seen-since 6mo --add-tag winback': 'Show who matches, ask, then tag them',
      'salon clients update --file clients.csv': 'Show all changes of a sheet, ask, then send',
    },
    undo: 'salon jobs undo (of a file or selection)',
    handler: async () => (await import('./update.ts')).updateClients,
  });
  runner.define(clients.command('delete'), {
    description: 'Delete a client, a selection of clients, or one per row of a file',
    args: selectedClients,
    flags: {
      force: { flag: '--force', help: 'Cancel upcoming appointments first' },
      ...ignoreMissingFlag,
      dryRun: { ...writeFlags.dryRun, help: 'Show who would be deleted; delete nothing' },
      ...clientSelectionFlags,
      ...allClientsFlag,
      ...matchFlag,
      ...sheetFlags,
      ...countryFlag,
      ...confirmationFlags,
    },
    examples: {
      'salon clients delete "Ana Costa"': 'Delete after confirmation',
      'salon clients delete --file gone.csv --yes --force': 'Cancel appointments and delete, in a script',
      'salon clients delete --tag duplicate --max-changes 20': 'Delete who matches, at most 20',
    },
    undo: 'salon jobs undo (of a file or selection; clients get new IDs)',
    handler: async () => (await import('./delete.ts')).deleteClients,
  });
  runner.define(clients.command('duplicates'), {
    description: 'List clients who may be there twice',
    flags: {
      sure: {
        flag: '--sure <level>',
        help: 'List pairs that are at least this sure',
        choices: levels,
        default: 'likely',
      },
      ...printFlags,
    },
    notes: explanation,
    examples: {
      'salon clients duplicates': 'List certain and likely duplicates',
      'salon clients duplicates --sure possible -o duplicates.xlsx': 'Review all of them in a spreadsheet',
      [`salon clients duplicates --sure certain --json | jq -r '.[].duplicate_id'`]: 'Print the later ones',
    },
    handler: async () => (await import('../../merge/duplicates.ts')).listDuplicates,
  });
  runner.define(clients.command('merge'), {
    description: 'Merge a duplicate into a client',
    args: {
      '[client]': 'client who stays: name, email, phone or ID',
      '[duplicate]': 'client who is merged into them',
    },
    flags: {
      prefer: {
        flag: '--prefer <a,b>',
        help: 'Take these fields from the duplicate, e.g. phone,email',
        parse: parseList,
      },
      set: writeFlags.set,
      dryRun: { ...writeFlags.dryRun, help: 'Show how the fields are combined; change nothing' },
      ...confirmationFlags,
    },
    notes: rules,
    examples: {
      'salon clients merge "Ana Costa" cli_01jd…': 'Merge after showing what happens',
      'salon clients merge ana@costa.example "Anna Costa" --prefer phone': "Use the duplicate's phone",
      'salon jobs undo 20261121-093000-1f2e3d': 'Undo a merge (for 30 days)',
    },
    undo: 'salon jobs undo',
    handler: async () => mergeClients,
  });
}

const mergeClients: Handler<MergeFlags, [string?, string?]> = async (context, kept, other) => {
  const { mergeAsJob } = await import('../../merge/merge-clients.ts');
  return context.prompts.inTurn(() => mergeAsJob(context, [kept, other]));
};

const listClients: Handler<ExportFlags & ClientSelectionFlags> = async (context) => {
  const { flags } = context;
  const { listRecords } = await import('../../export/list-records.ts');
  if (findGiven(flags, clientSelectionFlags) === undefined)
    return listRecords(context, { noun: 'clients' }, {});
  const { readClientSelection } = await import('../../people/selected-clients.ts');
  const { query, conditions } = await readClientSelection(context);
  const hasConditions = Object.keys(conditions).length > 0;
  if (hasConditions && flags.sinceLast) {
    const message = 'With --since-last, clients can only be filtered by --search, --email and --phone.';
    throw new SalonError('usage', message, { hint: 'Export all changes, and filter the rows yourself.' });
  }
  const kind = { noun: 'clients', conditions: hasConditions ? conditions : undefined } as const;
  return listRecords(context, kind, query);
};

const levels = ['certain', 'likely', 'possible'] as const satisfies readonly Sureness[];

const explanation = `Compared are phone numbers in any written form, email addresses and names
(accents, case and word order do not matter, one letter may differ).
  certain   Same name, and same phone or email
  likely    Similar name, and same phone, email or birthday
            Same name, and nothing else differs
  possible  Same phone or same name only: perhaps a family or a common name`;

const rules = `How fields are combined:
  Names and contact details stay and are filled in from the duplicate
  Notes are joined, tags are united
  Marketing consent is given only if both gave it
Appointments and payments, past ones too, move to the client.`;
