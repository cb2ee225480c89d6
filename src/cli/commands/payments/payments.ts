import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { listRecords } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addWholeListOptions, type ExportFlags, joinLists } from '../../flags/options.ts';
import { paymentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { registerGet } from '../get-record.ts';
import { registerPaymentsRecord } from './record.ts';
import { registerPaymentsRefund } from './refund.ts';

export function registerPayments(payments: Command, runner: ActionRunner): void {
  registerList(payments, runner);
  registerGet(payments, runner, {
    noun: 'payments',
    name: 'payment',
    columns: paymentColumns,
    examples: [
      ['salon payments get Ana Costa', "Show a client's payment"],
      ['salon payments get pay_01jd…', 'Show the amount, method and refunds'],
    ],
    argument: '<payment...>',
    reference: 'payment ID, or its client: name, email, phone',
    find: async (reference, context) =>
      (await import('../../people/resolve-payment.ts')).findPayment(reference, context),
  });
  registerPaymentsRecord(payments, runner);
  registerPaymentsRefund(payments, runner);
}

interface ListFlags extends ExportFlags {
  readonly client?: string;
  readonly appointment?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
}

function registerList(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('list')
    .description('List payments')
    .option('--client <who>', 'Filter by client: name, email, phone or ID')
    .option('--appointment <which>', 'Filter by appointment: ID, or its client')
    .option('--status <a,b>', 'Filter by status, e.g. pending,failed', joinLists)
    .option('--from <when>', 'Recorded at or after, e.g. today, -7d, 2026-11-21')
    .option('--to <when>', 'Recorded before; a date includes the whole day');
  addWholeListOptions(command);
  addExamples(command, [
    ['salon payments list --from today', "List today's payments"],
    [
      'salon payments list --status pending,failed --sort -created_at',
      'List pending and failed payments, newest first',
    ],
    ['salon payments list --from -30d -o payments.csv', 'Export the last 30 days (amounts in minor units)'],
  ]);
  command.action(runner.action(listPayments));
}

async function listPayments(context: CommandContext<ListFlags>): Promise<CommandResult> {
  const { appointment, status, from, to } = context.flags;
  const [{ resolvePeople, refuseUnknown }, { findAppointment }] = await Promise.all([
    import('../../people/resolve-filters.ts'),
    import('../../people/resolve-appointment.ts'),
  ]);
  const people = await resolvePeople(context);
  const found =
    appointment === undefined ? undefined : await findAppointment(appointment, context, { period: 'recent' });
  const filters = {
    ...people,
    appointment_id: found?.id,
    status,
    created_from: { moment: from, edge: 'start' },
    created_to: { moment: to, edge: 'end' },
  } as const;
  const records = await listRecords(context, { noun: 'payments', columns: paymentColumns }, filters);
  return refuseUnknown(records, { ...people, appointment_id: found?.id }, context);
}
