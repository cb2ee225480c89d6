import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { listRecords } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addExportOptions, type ExportFlags, joinLists } from '../../flags/options.ts';
import { appointmentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { registerGet } from '../get-record.ts';
import { registerAppointmentsCalendar } from './calendar.ts';
import { registerAppointmentsCancel } from './cancel.ts';
import { registerAppointmentsCreate } from './create.ts';
import { appointmentReference, loadPeople } from './references.ts';
import { registerAppointmentsUpdate } from './update.ts';

export function registerAppointments(appointments: Command, runner: ActionRunner): void {
  registerList(appointments, runner);
  registerAppointmentsCalendar(appointments, runner);
  registerGet(appointments, runner, {
    noun: 'appointments',
    name: 'appointment',
    columns: appointmentColumns,
    examples: [
      ['salon appointments get Ana Costa', "Show a client's upcoming appointment"],
      ['salon appointments get apt_01jd…', 'Show one by its ID'],
    ],
    argument: '<appointment...>',
    reference: appointmentReference,
    find: async (reference, context) => (await loadPeople()).findAppointment(reference, context),
  });
  registerAppointmentsCreate(appointments, runner);
  registerAppointmentsUpdate(appointments, runner);
  registerAppointmentsCancel(appointments, runner);
}

interface ListFlags extends ExportFlags {
  readonly client?: string;
  readonly stylist?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
  readonly updatedSince?: string;
}

function registerList(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('list')
    .description('List appointments')
    .option('--client <who>', 'Filter by client: name, email, phone or ID')
    .option('--stylist <who>', 'Filter by stylist: name, email, phone or ID')
    .option('--status <a,b>', 'Filter by status, e.g. confirmed,arrived', joinLists)
    .option('--from <when>', 'Starting at or after, e.g. today, mon, 24/11/2026')
    .option('--to <when>', 'Starting before; a date includes the whole day')
    .option('--updated-since <when>', 'Changed at or after, e.g. -7d');
  addExportOptions(command);
  addExamples(command, [
    ['salon appointments list --from today --to +7d --sort start_time', 'List the coming week'],
    ['salon appointments list --status no_show --from -30d', 'Find the no-shows of the last 30 days'],
    ['salon appointments list -f csv -o appointments.csv', 'Export all appointments'],
  ]);
  command.action(runner.action(listAppointments));
}

async function listAppointments(context: CommandContext<ListFlags>): Promise<CommandResult> {
  const { client, stylist, status, from, to, updatedSince } = context.flags;
  const isOfPeople = client !== undefined || stylist !== undefined;
  const people = isOfPeople ? await import('../../people/resolve-filters.ts') : undefined;
  const ids = (await people?.resolvePeople(context)) ?? {};
  const filters = {
    ...ids,
    status,
    start_time_from: { moment: from, edge: 'start' },
    start_time_to: { moment: to, edge: 'end' },
    updated_since: { moment: updatedSince, edge: 'start' },
  } as const;
  const records = await listRecords(context, { noun: 'appointments', columns: appointmentColumns }, filters);
  return people?.refuseUnknown(records, ids, context) ?? records;
}
