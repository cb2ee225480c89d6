import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addMatchOption, addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { editFromSheet, requireId } from '../../edit/edit-sheet.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addChangeOptions,
  addConfirmationOptions,
  addPrintOptions,
  type ChangeFlags,
} from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord } from '../write-record.ts';

interface Flags extends ChangeFlags, EditFlags {}

export function registerClientsUpdate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('update')
    .argument('[id]', 'client ID; none with --file')
    .description('Edit a client, or one per row of a file');
  addSheetOptions(addMatchOption(addChangeOptions(command)));
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon clients update cli_01jd… --set notes:=null --dry-run', 'Show the change first'],
    ['salon clients update --file clients.csv', 'Show all changes, ask, then send'],
    ['salon clients update --file clients.csv --plan-file plan.json', 'Save a plan for review'],
  ]);
  command.action(runner.action(updateClient));
}

async function updateClient(
  context: CommandContext<Flags>,
  given: string | undefined,
): Promise<CommandResult> {
  const edited = await editFromSheet({ noun: 'clients', verb: 'update' }, context, given);
  if (edited !== undefined) return edited;
  const id = requireId(given, 'client');
  const change = await readFields(context.flags, context.io);
  return changeRecord(context, { noun: 'clients', id, change });
}
