import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { newStylist } from '../../../contract/stylist.ts';
import type { Call } from '../../call.ts';
import { readFields } from '../../fields.ts';
import type { Frame } from '../../frame.ts';
import {
  addConfirmOption,
  addExamples,
  addPrintOptions,
  addWriteOptions,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { toOutcome } from '../../output/written.ts';
import { stylistColumns } from '../../print/columns.ts';
import { explainUnknownFields } from '../../unknown-fields.ts';

interface Flags extends WriteFlags, PrintFlags {}

export function registerStylistsCreate(parent: Command, frame: Frame): void {
  const command = parent.command('create').description('Add a stylist, who can be booked at once');
  addConfirmOption(addWriteOptions(command));
  addPrintOptions(command);
  addExamples(command, [
    ['salon stylists create --set first_name=Mia --set last_name=Sato', 'a name is enough'],
    [`salon stylists create --set display_name=Mia --set 'services:=["Cut","Colour"]'`, 'and what she does'],
  ]);
  command.action(frame.action(createStylist));
}

async function createStylist(call: Call<Flags>): Promise<Outcome> {
  const { flags, io, talk } = call;
  const fields = await readFields(flags, io);
  if (Object.keys(fields).length === 0) {
    throw new SalonError('usage', 'A new stylist needs at least a name.', {
      hint: 'Give it with --set first_name=Mia, or --data.',
    });
  }
  if (flags.dryRun) {
    talk.say('This would be sent; nothing was.');
    return { show: 'record', record: fields };
  }
  const client = await call.client();
  const adding = client.stylists.create(fields);
  const written = await explainUnknownFields(adding, Object.keys(newStylist.properties));
  return toOutcome(written, { done: 'Added stylist', columns: stylistColumns });
}
