import type { Command } from 'commander';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { allowEarlyFlag, bookingFlags, followingFlag } from '../../flags/booking-flags.ts';
import {
  addServicesFlag,
  againFlag,
  countryFlag,
  importFlags,
  matchFlag,
  planFlags,
  sheetFlags,
} from '../../flags/edit-flags.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import {
  changeFlags,
  confirmationFlags,
  exportFlags,
  filterFlags,
  printFlags,
  updatedSinceFlag,
  writeFlags,
} from '../../flags/options.ts';
import { allAppointmentsFlag, appointmentSelectionFlags } from '../../flags/selection.ts';
import { nouns } from '../../nouns/nouns.ts';
import { defineGet } from '../get-record.ts';
import { registerCalendar } from './calendar.ts';

const selectedAppointments = { '[appointment...]': nouns.appointments.reference };

const listingFlags = {
  ...filterFlags,
  status: {
    flag: '--status <a,b>',
    help: 'Filter by status, e.g. confirmed,arrived',
    complete: 'statuses',
  },
  from: { flag: '--from <when>', help: 'Starting at or after, e.g. today, mon, 24/11/2026' },
  to: { flag: '--to <when>', help: 'Starting before; a date includes the whole day' },
  updatedSince: { ...updatedSinceFlag.updatedSince, help: 'Changed at or after, e.g. -7d' },
  unpaid: { flag: '--unpaid', help: 'Completed, and not fully paid' },
  ...exportFlags,
} as const satisfies FlagTable;

export function registerAppointments(appointments: Command, runner: ActionRunner): void {
  runner.define(appointments.command('list'), {
    description: 'List appointments, in the order they were added unless --sort is given',
    flags: listingFlags,
    examples: {
      'salon appointments list --from today --to +7d --sort start_time': 'List the coming week',
      'salon appointments list --status no_show --from -30d': 'Find the no-shows of the last 30 days',
      'salon appointments list -f csv -o appointments.csv': 'Export all appointments',
    },
    handler: async () => listAppointments,
  });
  registerCalendar(appointments.command('calendar'), runner);
  defineGet(appointments, runner, 'appointments', {
    'salon appointments get Ana Costa': "Show a client's upcoming appointment",
    'salon appointments get apt_01jd…': 'Show one by its ID',
  });
  runner.define(appointments.command('create'), {
    description: 'Book an appointment, or one per row of a file',
    flags: {
      ...bookingFlags,
      ...writeFlags,
      ...sheetFlags,
      ...againFlag,
      ...addServicesFlag,
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon appointments create': 'Book step by step, with prompts',
      'salon appointments create --client "Ana Costa" --stylist Mia --service Balayage --start "fri 15:00"':
        'Book in one command',
      'salon appointments create --file bookings.csv': 'Book one appointment per row of a file',
    },
    undo: 'salon jobs undo (of a file), salon appointments cancel',
    handler: async () => (await import('./edit-appointments.ts')).createAppointments,
  });
  runner.define(appointments.command('import'), {
    description: 'Import a list: add what is new, complete what is there',
    args: { '<file>': sheetFlags.file.help },
    flags: {
      ...importFlags,
      stylist: { ...bookingFlags.stylist, help: 'Whose calendar it is: name or ID' },
      ...addServicesFlag,
      ...countryFlag,
      ...confirmationFlags,
      ...printFlags,
    },
    notes: `A row means the appointment with its ID, or with its client, stylist and start.
One that was cancelled since is asked; a script leaves it out.`,
    examples: {
      'salon appointments import calendar.csv': 'Show what is new and what is there, ask, then send',
      'salon appointments import old.xlsx --dry-run': 'Show every change; send nothing',
      'salon appointments import mia.ics --stylist Mia': "Import a stylist's former calendar",
    },
    undo: 'salon jobs undo',
    handler: async () => (await import('../import.ts')).importRows('appointments'),
  });
  runner.define(appointments.command('update'), {
    description: 'Edit an appointment, a selection, or one per row of a file',
    args: selectedAppointments,
    flags: {
      ...bookingFlags,
      ...changeFlags,
      ...allowEarlyFlag,
      ...appointmentSelectionFlags,
      ...allAppointmentsFlag,
      ...matchFlag,
      ...sheetFlags,
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon appointments update Ana Costa --start "fri 11:00"': 'Reschedule her upcoming appointment',
      'salon appointments update --where-stylist Mia --where-date tomorrow --stylist anyone':
        "Spread a sick stylist's day over who is free",
      'salon appointments update --where-date "25 dec" --start +1w': 'Move a day to a week later',
      'salon appointments update Ana Costa --status arrived': 'Mark the client as arrived',
    },
    undo: 'salon jobs undo (of a file or selection)',
    handler: async () => (await import('./edit-appointments.ts')).updateAppointments,
  });
  runner.define(appointments.command('cancel'), {
    description: 'Cancel an appointment (cannot be undone), or a selection',
    args: selectedAppointments,
    flags: {
      reason: { flag: '--reason <text>', help: 'Reason, saved with the appointment' },
      ...followingFlag,
      dryRun: { ...writeFlags.dryRun, help: 'Show what would change; cancel nothing' },
      ...appointmentSelectionFlags,
      ...allAppointmentsFlag,
      ...planFlags,
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon appointments cancel Ana Costa': 'Cancel her upcoming appointment, after confirmation',
      'salon appointments cancel apt_01jd… --reason "Client is ill"': 'Save a reason',
      'salon appointments cancel apt_01jd… --following': 'Cancel the rest of a repeat, too',
      'salon appointments cancel --where-stylist Mia --where-date tomorrow': "Cancel a sick stylist's day",
    },
    handler: async () => (await import('./edit-appointments.ts')).cancelAppointments,
  });
}

const listAppointments: Handler<FlagValues<typeof listingFlags>> = async (context) => {
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
  const records = await listRecords(context, { noun: 'appointments' }, filters);
  return people?.refuseUnknown(records, ids, context) ?? records;
};
