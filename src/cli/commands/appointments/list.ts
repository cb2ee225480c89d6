import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { listRecords } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addExportOptions, type ExportFlags } from '../../flags/options.ts';
import { appointmentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends ExportFlags {
  readonly client?: string;
  readonly stylist?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
  readonly updatedSince?: string;
}

export function registerAppointmentsList(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('list')
    .description('List appointments, over all pages')
    .option('--client <id>', 'of this client')
    .option('--stylist <id>', 'with this stylist')
    .option('--status <a,b>', 'in one of these statuses, such as confirmed,arrived')
    .option('--from <when>', 'starting at or after: today, +7d, 2026-11-21, an instant')
    .option('--to <when>', 'starting before; a bare day is counted to its end')
    .option('--updated-since <when>', 'changed at or after');
  addExportOptions(command);
  addExamples(command, [
    ['salon appointments list --from today --to +7d --sort start_time', 'the coming week, in order'],
    [
      'salon appointments list --status no_show --from -30d -c client_id,start_time',
      'who did not come last month',
    ],
    ['salon appointments list -f csv -o appointments.csv', 'the whole calendar into a file'],
    ['salon appointments list -o part.csv --shard 2/4', 'in a CI matrix: the second of four parts'],
  ]);
  command.action(runner.action(listAppointments));
}

async function listAppointments(context: CommandContext<Flags>): Promise<CommandResult> {
  const { client: client_id, stylist: stylist_id, status, from, to, updatedSince } = context.flags;
  const filters = {
    client_id,
    stylist_id,
    status,
    start_time_from: { moment: from, edge: 'start' },
    start_time_to: { moment: to, edge: 'end' },
    updated_since: { moment: updatedSince, edge: 'start' },
  } as const;
  return listRecords(context, { noun: 'appointments', columns: appointmentColumns }, filters);
}
