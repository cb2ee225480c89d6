import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { newStylist } from '../../../contract/stylist.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addConfirmOption,
  addPrintOptions,
  addWriteOptions,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import { stylistColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { toWriteResult } from '../../output/write-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { explainUnknownFields } from '../write-record.ts';

interface Flags extends WriteFlags, PrintFlags {}

export function registerStylistsCreate(parent: Command, runner: ActionRunner): void {
  const command = parent.command('create').description('Add a stylist, who can be booked at once');
  addConfirmOption(addWriteOptions(command));
  addPrintOptions(command);
  addExamples(command, [
    ['salon stylists create --set first_name=Mia --set last_name=Sato', 'a name is enough'],
    [`salon stylists create --set display_name=Mia --set 'services:=["Cut","Colour"]'`, 'and what she does'],
  ]);
  command.action(runner.action(createStylist));
}

async function createStylist(context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags, io, messages } = context;
  const fields = await readFields(flags, io);
  if (Object.keys(fields).length === 0) {
    throw new SalonError('usage', 'A new stylist needs at least a name.', {
      hint: 'Give it with --set first_name=Mia, or --data.',
    });
  }
  if (flags.dryRun) {
    messages.info('This would be sent; nothing was.');
    return { show: 'record', record: fields };
  }
  const client = await context.client();
  const adding = client.stylists.create(fields);
  const written = await explainUnknownFields(adding, Object.keys(newStylist.properties));
  return toWriteResult(written, { done: 'Added stylist', columns: stylistColumns });
}
