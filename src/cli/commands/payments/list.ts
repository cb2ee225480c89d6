import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { listRecords } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addWholeListOptions, type ExportFlags } from '../../flags/options.ts';
import { paymentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface Flags extends ExportFlags {
  readonly client?: string;
  readonly appointment?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
}

export function registerPaymentsList(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('list')
    .description('List payments, over all pages')
    .option('--client <id>', 'of this client')
    .option('--appointment <id>', 'for this appointment')
    .option('--status <a,b>', 'in one of these statuses, such as pending,failed')
    .option('--from <when>', 'recorded at or after: today, -7d, 2026-11-21, an instant')
    .option('--to <when>', 'recorded before; a bare day is counted to its end');
  addWholeListOptions(command);
  addExamples(command, [
    ['salon payments list --from today', 'what came in today'],
    ['salon payments list --status pending,failed --sort -created_at', 'what is open, newest first'],
    ['salon payments list --client cli_01jd…', 'what one client paid'],
    ['salon payments list --from -30d -o payments.csv', 'a month for the books, in minor units'],
  ]);
  command.action(runner.action(listPayments));
}

async function listPayments(context: CommandContext<Flags>): Promise<CommandResult> {
  const { client: client_id, appointment: appointment_id, status, from, to } = context.flags;
  const filters = {
    client_id,
    appointment_id,
    status,
    created_from: { moment: from, edge: 'start' },
    created_to: { moment: to, edge: 'end' },
  } as const;
  return listRecords(context, { noun: 'payments', columns: paymentColumns }, filters);
}
