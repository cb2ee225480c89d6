import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import { changeRecord } from '../../change-record.ts';
import { readFields } from '../../fields.ts';
import type { Frame } from '../../frame.ts';
import {
  addChangeOptions,
  addConfirmOption,
  addExamples,
  addPrintOptions,
  type ChangeFlags,
  type PrintFlags,
} from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';

interface Flags extends ChangeFlags, PrintFlags {}

export function registerStylistsUpdate(parent: Command, frame: Frame): void {
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
  command.action(frame.action(updateStylist));
}

async function updateStylist(call: Call<Flags>, id: string): Promise<Outcome> {
  const change = await readFields(call.flags, call.io);
  return changeRecord(call, { noun: 'stylists', id, change });
}
