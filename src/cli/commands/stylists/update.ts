import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addChangeOptions,
  addConfirmOption,
  addPrintOptions,
  type ChangeFlags,
  type PrintFlags,
} from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord } from '../write-record.ts';

interface Flags extends ChangeFlags, PrintFlags {}

export function registerStylistsUpdate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('update')
    .argument('<id>', 'identifier of the stylist')
    .description('Change fields of a stylist; the others stay as they are');
  addConfirmOption(addChangeOptions(command));
  addPrintOptions(command);
  addExamples(command, [
    ['salon stylists update sty_01jd… --set active:=false', 'has left: no new appointments, old ones stay'],
    ['salon stylists update sty_01jd… --set phone="+44 20 7946 0018" --dry-run', 'see the change first'],
  ]);
  command.action(runner.action(updateStylist));
}

async function updateStylist(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  const change = await readFields(context.flags, context.io);
  return changeRecord(context, { noun: 'stylists', id, change });
}
