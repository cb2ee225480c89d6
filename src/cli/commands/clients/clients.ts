import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { listRecords } from '../../export/list-records.ts';
import {
  addClientConditions,
  type ClientConditionFlags,
  readClientConditions,
} from '../../flags/client-conditions.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addExportOptions, type ExportFlags } from '../../flags/options.ts';
import { clientColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { registerClientsCreate } from './create.ts';
import { registerClientsDelete } from './delete.ts';
import { registerClientsDuplicates } from './duplicates.ts';
import { registerClientsGet } from './get.ts';
import { registerClientsMerge } from './merge.ts';
import { registerClientsUpdate } from './update.ts';

export function registerClients(clients: Command, runner: ActionRunner): void {
  registerList(clients, runner);
  registerClientsGet(clients, runner);
  registerClientsCreate(clients, runner);
  registerClientsUpdate(clients, runner);
  registerClientsDelete(clients, runner);
  registerClientsDuplicates(clients, runner);
  registerClientsMerge(clients, runner);
}

interface ListFlags extends ExportFlags, ClientConditionFlags {}

function registerList(parent: Command, runner: ActionRunner): void {
  const command = addClientConditions(parent.command('list').description('List clients'));
  addExportOptions(command);
  addExamples(command, [
    ['salon clients list --search ana', 'Find clients by name, email address or phone number'],
    ['salon clients list --tag vip --not-seen-since 6mo', 'Find clients who match every condition'],
    ['salon clients list -f csv -o clients.csv', 'Export all clients'],
  ]);
  command.action(runner.action(listClients));
}

async function listClients(context: CommandContext<ListFlags>): Promise<CommandResult> {
  const { flags, io, session } = context;
  const timeZone = (await session()).settings.timeZone.value;
  const { query, conditions } = readClientConditions(flags, { now: io.now(), timeZone });
  const isConditional = Object.keys(conditions).length > 0;
  if (isConditional && flags.sinceLast) {
    throw new SalonError(
      'usage',
      'With --since-last, clients can only be filtered by --search, --email and --phone.',
      {
        hint: 'Export all changes, and filter the rows yourself.',
      },
    );
  }
  const kind = {
    noun: 'clients',
    columns: clientColumns,
    conditions: isConditional ? conditions : undefined,
  } as const;
  return listRecords(context, kind, query);
}
