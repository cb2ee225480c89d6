import type { Command } from 'commander';
import { newClient } from '../../../contract/client.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { editFromSheet } from '../../edit/edit-sheet.ts';
import { type FieldValues, readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addConfirmationOptions,
  addPrintOptions,
  addWriteOptions,
  type WriteFlags,
} from '../../flags/options.ts';
import { askInTurn } from '../../messages/prompts.ts';
import { clientColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { createRecord } from '../write-record.ts';

interface Flags extends WriteFlags, EditFlags {
  readonly preferredStylist?: string;
}

export function registerClientsCreate(parent: Command, runner: ActionRunner): void {
  const command = parent.command('create').description('Add a client, or one per row of a file');
  command.option('--preferred-stylist <who>', 'Preferred stylist: name, email, phone or ID');
  addSheetOptions(addWriteOptions(command));
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon clients create --set first_name=Ana --set phone="+351 912 345 678"', 'Add a client'],
    [`salon clients create --set last_name=Sato --set 'tags:=["vip"]'`, 'Set a field that is not text'],
    ['salon clients create --file new.csv --max-errors 10', 'Add one client per row of a file'],
  ]);
  command.action(runner.action(createClient));
}

async function createClient(context: CommandContext<Flags>): Promise<CommandResult> {
  const edited = await editFromSheet({ noun: 'clients', verb: 'create' }, context);
  if (edited !== undefined) return edited;
  const given = await readFields(context.flags, context.io);
  const [{ nameOfClient }, { resolvePreferredStylist }] = await Promise.all([
    import('../../people/names.ts'),
    import('../../people/resolve-filters.ts'),
  ]);
  const fields = { ...(await askForName(given, context)), ...(await resolvePreferredStylist(context)) };
  return createRecord(context, fields, {
    create: (client) => client.clients.create(fields),
    known: Object.keys(newClient.properties),
    done: 'Added client',
    columns: clientColumns,
    describe: nameOfClient,
  });
}

/** Prompts if no field was given. Throws `usage` if input is not interactive. */
async function askForName(fields: FieldValues, { prompts }: CommandContext<Flags>): Promise<FieldValues> {
  if (Object.keys(fields).length > 0) return fields;
  if (!prompts.isInteractive) {
    throw new SalonError('usage', 'A new client needs a name, an email address or a phone number.', {
      hint: 'Set one, e.g. --set first_name=Ana, or use --data.',
    });
  }
  const questions = ['First name', 'Last name', 'Phone number'].map((text) => () => prompts.text(text));
  const [first_name, last_name, phone] = await askInTurn(questions);
  return { first_name, last_name, phone };
}
