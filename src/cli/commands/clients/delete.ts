import type { Command } from 'commander';
import type { SalonClient } from '../../../client/client.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addMatchOption, addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { editFromSheet, requireId } from '../../edit/edit-sheet.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { checkDryRun } from '../../session/dry-run.ts';

interface Flags extends EditFlags {
  readonly ignoreMissing?: boolean;
}

export function registerClientsDelete(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('delete')
    .argument('[id]', 'client ID; none with --file')
    .description('Delete a client and their data, or one per row of a file')
    .option('--force', 'Cancel upcoming appointments first')
    .option('--ignore-missing', 'Succeed if the client does not exist')
    .option('-n, --dry-run', 'Show who would be deleted; delete nothing');
  addSheetOptions(addMatchOption(command));
  addConfirmationOptions(command);
  addExamples(command, [
    ['salon clients delete cli_01jd…', 'Delete after confirmation'],
    ['salon clients delete cli_01jd… --yes --force', 'Cancel appointments and delete, in a script'],
    ['salon clients delete --file gone.csv --max-changes 20', 'Delete the clients in a file, at most 20'],
  ]);
  command.action(runner.action(deleteClient));
}

async function deleteClient(
  context: CommandContext<Flags>,
  given: string | undefined,
): Promise<CommandResult> {
  const { flags } = context;
  const edited = await editFromSheet({ noun: 'clients', verb: 'delete' }, context, given);
  if (edited !== undefined) return edited;
  const id = requireId(given, 'client');
  const client = await context.client();
  try {
    const name = await readName(client, id);
    const force = flags.force === true;
    if (flags.dryRun) {
      const verdict = await checkDryRun(context, ({ clients }) => clients.delete(id, { force }));
      return {
        show: 'record',
        record: { id, deleted: false },
        message: `Would delete ${name}.\n${verdict}`,
      };
    }
    await context.confirm(`Delete ${name} and their personal data?`);
    await client.clients.delete(id, { force });
    return { show: 'record', record: { id, deleted: true }, message: `Deleted ${name}.` };
  } catch (error) {
    if (error instanceof SalonError && error.code === 'not_found' && flags.ignoreMissing) {
      return { show: 'record', record: { id, deleted: false }, message: `No client with ID ${id}.` };
    }
    throw withForceHint(error);
  }
}

async function readName(client: SalonClient, id: string): Promise<string> {
  const { nameOfClient } = await import('../../people/names.ts');
  const name = nameOfClient(await client.clients.get(id));
  return name === '' ? `client ${id}` : `${name} (${id})`;
}

function withForceHint(error: unknown): unknown {
  if (!(error instanceof SalonError) || error.code !== 'client_has_upcoming_appointments') return error;
  const { message, members } = error;
  const ids = Array.isArray(members['appointment_ids']) ? members['appointment_ids'].join(', ') : '';
  const isDescribed = Array.isArray(members['appointments']) && members['appointments'].length > 0;
  const list = ids === '' || isDescribed ? message : `${message} Upcoming: ${ids}.`;
  const hint = 'Cancel them first, or use --force to cancel them and delete the client.';
  return withContext(error, { message: list, hint });
}
