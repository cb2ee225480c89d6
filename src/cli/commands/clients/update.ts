import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import {
  addMatchOption,
  addSheetOptions,
  type EditFlags,
  editSheet,
  requireId,
} from '../../edit/edit-options.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addChangeOptions,
  addConfirmationOptions,
  addPrintOptions,
  type ChangeFlags,
  type PrintFlags,
} from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord } from '../write-record.ts';

interface Flags extends ChangeFlags, PrintFlags, EditFlags {}

export function registerClientsUpdate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('update')
    .argument('[id]', 'client ID; none with --file')
    .description(
      'Change fields of a client, or of every client that a sheet names; the others stay as they are',
    );
  addSheetOptions(addMatchOption(addChangeOptions(command)));
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon clients update cli_01jd… --set phone="+44 20 7946 0018"', 'a new number'],
    ['salon clients update cli_01jd… --set notes:=null', 'clear a field'],
    ['salon clients update cli_01jd… --set last_name=Ito --dry-run', 'see the change before it is made'],
    ['salon clients update --file clients.csv --dry-run', 'what a sheet would change; nothing is sent'],
    ['salon clients update --file clients.csv', 'shows the differences, asks, sends'],
    ['salon clients update --file phones.csv --match email --max-changes 5%', 'found by e-mail address'],
    [
      'salon clients update --file clients.csv --plan-file plan.json',
      'keep the plan; see: salon jobs apply --help',
    ],
    ['salon clients update --file clients.csv --simulate --faults 429,timeout', 'try it on a copy first'],
  ]);
  command.action(runner.action(updateClient));
}

async function updateClient(
  context: CommandContext<Flags>,
  given: string | undefined,
): Promise<CommandResult> {
  const { flags, io } = context;
  const edited = await editSheet({ noun: 'clients', verb: 'update' }, context, given);
  if (edited !== undefined) return edited;
  const id = requireId(given, 'client');
  return changeRecord(context, { noun: 'clients', id, change: await readFields(flags, io) });
}
