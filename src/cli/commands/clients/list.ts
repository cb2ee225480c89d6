import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { listRecords } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addExportOptions, type ExportFlags } from '../../flags/options.ts';
import { clientColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends ExportFlags {
  readonly search?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly updatedSince?: string;
}

export function registerClientsList(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('list')
    .description('List clients, over all pages')
    .option('--search <text>', 'part of a name, an e-mail address or a phone number')
    .option('--email <address>', 'exactly this e-mail address')
    .option('--phone <number>', 'exactly this phone number')
    .option('--updated-since <when>', 'changed at or after: 2026-11-21, -7d, an instant');
  addExportOptions(command);
  addExamples(command, [
    ['salon clients list --search ana', 'everybody whose name, e-mail or phone has "ana" in it'],
    ['salon clients list -f csv -o clients.csv', 'the whole list into a file'],
    ['salon clients list --json | jq length', 'how many there are, by another program'],
    ['salon clients list -o clients.csv --manifest', 'with counts and a checksum beside the file'],
    [
      'salon clients list -o changed.ndjson --since-last --state export.json',
      'in CI: what was changed since the last time',
    ],
  ]);
  command.action(runner.action(listClients));
}

async function listClients(context: CommandContext<Flags>): Promise<CommandResult> {
  const { search, email, phone, updatedSince } = context.flags;
  const filters = {
    q: search,
    email,
    phone,
    updated_since: { moment: updatedSince, edge: 'start' },
  } as const;
  return listRecords(context, { noun: 'clients', columns: clientColumns }, filters);
}
