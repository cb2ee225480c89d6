import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { listRecords } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addExportOptions, type ExportFlags } from '../../flags/options.ts';
import { clientColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { registerClientsCreate } from './create.ts';
import { registerClientsDelete } from './delete.ts';
import { registerClientsGet } from './get.ts';
import { registerClientsUpdate } from './update.ts';

export function registerClients(clients: Command, runner: ActionRunner): void {
  registerList(clients, runner);
  registerClientsGet(clients, runner);
  registerClientsCreate(clients, runner);
  registerClientsUpdate(clients, runner);
  registerClientsDelete(clients, runner);
}

interface ListFlags extends ExportFlags {
  readonly search?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly updatedSince?: string;
}

function registerList(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('list')
    .description('List clients')
    .option('--search <text>', 'Search names, email addresses and phone numbers')
    .option('--email <address>', 'Filter by exact email address')
    .option('--phone <number>', 'Filter by exact phone number')
    .option('--updated-since <when>', 'Changed at or after, e.g. -7d or 2026-11-21');
  addExportOptions(command);
  addExamples(command, [
    ['salon clients list --search ana', 'Find clients by name, email address or phone number'],
    ['salon clients list -f csv -o clients.csv', 'Export all clients'],
    ['salon clients list -o changed.ndjson --since-last --state export.json', 'Export what changed, in CI'],
  ]);
  command.action(runner.action(listClients));
}

async function listClients(context: CommandContext<ListFlags>): Promise<CommandResult> {
  const { search, email, phone, updatedSince } = context.flags;
  const updated_since = { moment: updatedSince, edge: 'start' } as const;
  const filters = { q: search, email, phone, updated_since };
  return listRecords(context, { noun: 'clients', columns: clientColumns }, filters);
}
