import type { Command } from 'commander';
import { clientChange } from '../../../contract/client.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { Call } from '../../call.ts';
import { addMatchOption, addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { editSheet, requireId } from '../../edit/edit-sheet.ts';
import { exitCodes } from '../../exit-codes.ts';
import { type Fields, readFields } from '../../fields.ts';
import type { Frame } from '../../frame.ts';
import {
  addConsentOption,
  addExamples,
  addPrintOptions,
  addWriteOptions,
  type PrintFlags,
  type WriteFlags,
} from '../../options.ts';
import { type Outcome, onePage } from '../../output/outcome.ts';
import { toOutcome } from '../../output/written.ts';
import { clientColumns, columnSet } from '../../print/columns.ts';
import { explainUnknownFields } from '../../unknown-fields.ts';

const changeColumns = columnSet({ field: 'text', old: 'text', new: 'text' });

interface Flags extends WriteFlags, PrintFlags, EditFlags {
  readonly partial?: boolean;
  readonly exitCode?: boolean;
}

export function registerClientsUpdate(parent: Command, frame: Frame): void {
  const command = parent
    .command('update')
    .argument('[id]', 'identifier of the client; none with --from')
    .description(
      'Change fields of a client, or of every client that a sheet names; the others stay as they are',
    );
  addWriteOptions(command)
    .option('--partial', 'send only the changes, for a server known to merge')
    .option('--exit-code', 'with --dry-run: exit 9 when something would change');
  addSheetOptions(addMatchOption(command));
  addConsentOption(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon clients update cli_01jd… --set phone="+44 20 7946 0018"', 'a new number'],
    ['salon clients update cli_01jd… --set notes:=null', 'clear a field'],
    ['salon clients update cli_01jd… --set last_name=Ito --dry-run', 'see the change before it is made'],
    ['salon clients update --from clients.csv --dry-run', 'what a sheet would change; nothing is sent'],
    ['salon clients update --from clients.csv', 'shows the differences, asks, sends'],
    ['salon clients update --from phones.csv --match email --max-changes 5%', 'found by e-mail address'],
    [
      'salon clients update --from clients.csv --plan plan.json',
      'keep the plan; see: salon jobs apply --help',
    ],
    ['salon clients update --from clients.csv --rehearse --faults 429,timeout', 'try it on a copy first'],
  ]);
  command.action(frame.action(updateClient));
}

async function updateClient(call: Call<Flags>, given: string | undefined): Promise<Outcome> {
  const { flags, io } = call;
  const edited = await editSheet({ noun: 'clients', verb: 'update' }, call, given);
  if (edited !== undefined) return edited;
  const id = requireId(given, 'client');
  const change = await readFields(flags, io);
  if (Object.keys(change).length === 0) {
    throw new SalonError('usage', 'There is nothing to change.', {
      hint: 'Give fields with --set name=value or --data.',
    });
  }
  const client = await call.client();
  if (flags.dryRun) return preview(await client.clients.get(id), change, call);
  const update = client.clients.update(id, change, { partial: flags.partial === true });
  const written = await explainUnknownFields(update, Object.keys(clientChange.properties));
  return toOutcome(written, { done: 'Changed client', columns: clientColumns });
}

/** Field by field: what is there, and what would be. */
function preview(present: Fields, change: Fields, { flags, talk }: Call<Flags>): Outcome {
  const rows = Object.entries(change)
    .filter(([field, value]) => JSON.stringify(present[field] ?? null) !== JSON.stringify(value))
    .map(([field, value]) => ({ field, old: present[field] ?? null, new: value }));
  talk.say(rows.length === 0 ? 'Nothing would change.' : 'This would change; nothing was sent.');
  const pending = flags.exitCode === true && rows.length > 0;
  return {
    show: 'records',
    noun: 'changes',
    columns: changeColumns,
    pages: onePage(rows),
    exitCode: pending ? exitCodes.pending.code : exitCodes.done.code,
  };
}
