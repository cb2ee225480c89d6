import type { Command } from 'commander';
import { newClient } from '../../../contract/client.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addSheetOptions, type EditFlags, editSheet } from '../../edit/edit-options.ts';
import { type Fields, readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addConfirmationOptions,
  addPrintOptions,
  addWriteOptions,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import { clientColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { toWriteResult } from '../../output/write-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { explainUnknownFields } from '../write-record.ts';

interface Flags extends WriteFlags, PrintFlags, EditFlags {}

export function registerClientsCreate(parent: Command, runner: ActionRunner): void {
  const command = parent.command('create').description('Add a client, or every client of a sheet');
  addSheetOptions(addWriteOptions(command));
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    [
      'salon clients create --set first_name=Ana --set phone="+351 912 345 678"',
      'a name and a number are enough',
    ],
    [`salon clients create --set last_name=Sato --set 'tags:=["vip"]'`, 'a field that is not text'],
    ['salon clients create --data @ana.json --dry-run', 'what a file would send'],
    ['salon clients create --file new.csv --max-errors 10', 'every row of a sheet, none of them twice'],
  ]);
  command.action(runner.action(createClient));
}

async function createClient(context: CommandContext<Flags>): Promise<CommandResult> {
  const edited = await editSheet({ noun: 'clients', verb: 'create' }, context);
  if (edited !== undefined) return edited;
  const { flags, io, messages } = context;
  const fields = await askForName(await readFields(flags, io), context);
  if (flags.dryRun) {
    messages.info('This would be sent; nothing was.');
    return { show: 'record', record: fields };
  }
  const client = await context.client();
  const written = await explainUnknownFields(
    client.clients.create(fields),
    Object.keys(newClient.properties),
  );
  return toWriteResult(written, { done: 'Added client', columns: clientColumns });
}

/** Without any field a person at a terminal is asked; a script is told. */
async function askForName(fields: Fields, { prompts }: CommandContext<Flags>): Promise<Fields> {
  if (Object.keys(fields).length > 0) return fields;
  if (!prompts.isInteractive) {
    throw new SalonError(
      'usage',
      'A new client needs at least a name, an e-mail address or a phone number.',
      {
        hint: 'Give it with --set first_name=Ana, or --data.',
      },
    );
  }
  return {
    first_name: await prompts.text('First name'),
    last_name: await prompts.text('Last name'),
    phone: await prompts.text('Phone number'),
  };
}
