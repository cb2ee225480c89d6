import type { Command } from 'commander';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { addMatchOption, addPlanOptions, addSheetOptions } from '../../edit/edit-options.ts';
import { addAppointmentConditions } from '../../flags/conditions.ts';
import type { Range } from '../../flags/moments.ts';
import {
  addChangeOptions,
  addConfirmationOptions,
  addExportOptions,
  addPrintOptions,
  addWriteOptions,
  type ExportFlags,
  joinLists,
} from '../../flags/options.ts';
import { appointmentColumns } from '../../output/columns.ts';
import type { PeopleFlags } from '../../people/resolve-filters.ts';
import { registerGet } from '../get-record.ts';
import { addBookingOptions } from './booking-flags.ts';
import { registerAppointmentsCalendar } from './calendar.ts';

export function registerAppointments(appointments: Command, runner: ActionRunner): void {
  const list = appointments
    .command('list')
    .description('List appointments, in the order they were added unless --sort is given')
    .option('--client <who>', 'Filter by client: name, email, phone or ID')
    .option('--stylist <who>', 'Filter by stylist: name, email, phone or ID')
    .option('--status <a,b>', 'Filter by status, e.g. confirmed,arrived', joinLists)
    .option('--from <when>', 'Starting at or after, e.g. today, mon, 24/11/2026')
    .option('--to <when>', 'Starting before; a date includes the whole day')
    .option('--updated-since <when>', 'Changed at or after, e.g. -7d')
    .option('--unpaid', 'Completed, and not fully paid');
  addExportOptions(list);
  runner.add(list, listAppointments, {
    'salon appointments list --from today --to +7d --sort start_time': 'List the coming week',
    'salon appointments list --status no_show --from -30d': 'Find the no-shows of the last 30 days',
    'salon appointments list -f csv -o appointments.csv': 'Export all appointments',
  });

  registerAppointmentsCalendar(appointments, runner);
  registerGet(appointments, runner, {
    noun: 'appointments',
    name: 'appointment',
    columns: appointmentColumns,
    examples: {
      'salon appointments get Ana Costa': "Show a client's upcoming appointment",
      'salon appointments get apt_01jd…': 'Show one by its ID',
    },
    argument: '<appointment...>',
    reference: appointmentReference,
    find: async (reference, context) =>
      (await import('../../people/resolve-appointment.ts')).findAppointment(reference, context),
  });

  const create = appointments.command('create').description('Book an appointment, or one per row of a file');
  addSheetOptions(addWriteOptions(addBookingOptions(create)), { adds: true });
  addConfirmationOptions(create);
  addPrintOptions(create);
  runner.addLazy(create, async () => (await import('./edit-appointments.ts')).createAppointments, {
    'salon appointments create': 'Book step by step, with prompts',
    'salon appointments create --client "Ana Costa" --stylist Mia --service Balayage --start "fri 15:00"':
      'Book in one command',
    'salon appointments create --file bookings.csv': 'Book one appointment per row of a file',
  });

  const update = appointments
    .command('update')
    .argument('[appointment...]', appointmentReference)
    .description('Edit an appointment, those that match conditions, or one per row of a file');
  addChangeOptions(addBookingOptions(update));
  update.option('--allow-early', 'Allow arrived, completed, no_show days early');
  addAppointmentConditions(update);
  addSheetOptions(addMatchOption(update));
  addConfirmationOptions(update);
  addPrintOptions(update);
  runner.addLazy(update, async () => (await import('./edit-appointments.ts')).updateAppointments, {
    'salon appointments update Ana Costa --start "fri 11:00"': 'Reschedule her upcoming appointment',
    'salon appointments update --where-stylist Mia --where-date tomorrow --stylist anyone':
      "Spread a sick stylist's day over who is free",
    'salon appointments update --where-date "25 dec" --start +1w': 'Move a day to a week later',
    'salon appointments update Ana Costa --status arrived': 'Mark the client as arrived',
  });

  const cancel = appointments
    .command('cancel')
    .argument('[appointment...]', appointmentReference)
    .description('Cancel an appointment (cannot be undone), or all that match conditions')
    .option('--reason <text>', 'Reason, saved with the appointment')
    .option('-n, --dry-run', 'Show what would change; cancel nothing');
  addAppointmentConditions(cancel);
  addPlanOptions(cancel);
  addConfirmationOptions(cancel);
  addPrintOptions(cancel);
  runner.addLazy(cancel, async () => (await import('./edit-appointments.ts')).cancelAppointments, {
    'salon appointments cancel Ana Costa': 'Cancel her upcoming appointment, after confirmation',
    'salon appointments cancel apt_01jd… --reason "Client is ill"': 'Save a reason',
    'salon appointments cancel --where-stylist Mia --where-date tomorrow': "Cancel a sick stylist's day",
  });
}

interface ListFlags extends ExportFlags, PeopleFlags, Range {
  readonly status?: string;
  readonly updatedSince?: string;
  readonly unpaid?: boolean;
}

const listAppointments: Handler<ListFlags> = async (context) => {
  const { listRecords } = await import('../../export/list-records.ts');
  const { client, stylist, status, from, to, updatedSince, unpaid } = context.flags;
  if (unpaid) await (await import('../../availability/salon-facts.ts')).requireServices(context);
  const isOfPeople = client !== undefined || stylist !== undefined;
  const people = isOfPeople ? await import('../../people/resolve-filters.ts') : undefined;
  const ids = (await people?.resolvePeople(context)) ?? {};
  const filters = {
    ...ids,
    status,
    payment: unpaid ? 'due' : undefined,
    start_time_from: { moment: from, edge: 'start' },
    start_time_to: { moment: to, edge: 'end' },
    updated_since: { moment: updatedSince, edge: 'start' },
  } as const;
  const records = await listRecords(context, { noun: 'appointments', columns: appointmentColumns }, filters);
  return people?.refuseUnknown(records, ids, context) ?? records;
};

/** What an appointment may be referred to by, for help. */
const appointmentReference = 'appointment ID, or its client: name, email, phone';
