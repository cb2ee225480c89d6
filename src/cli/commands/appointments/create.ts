import type { Command } from 'commander';
import { newAppointment } from '../../../contract/appointment.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { editFromSheet } from '../../edit/edit-sheet.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addConfirmationOptions,
  addPrintOptions,
  addWriteOptions,
  type WriteFlags,
} from '../../flags/options.ts';
import { appointmentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { askForMissing, createRecord } from '../write-record.ts';
import { addBookingOptions, type BookingFlags, normaliseBooking, toBookingFields } from './booking-flags.ts';

interface Flags extends WriteFlags, EditFlags, BookingFlags {}

const required = [
  { field: 'client_id', flag: '--client', question: 'Client ID' },
  { field: 'stylist_id', flag: '--stylist', question: 'Stylist ID' },
  { field: 'service', flag: '--service', question: 'Service' },
  { field: 'start_time', flag: '--start', question: 'Start (e.g. 2026-11-24T10:30)' },
  { field: 'duration', flag: '--duration', question: 'Duration (e.g. 45m or 1h30m)' },
] as const;

export function registerAppointmentsCreate(parent: Command, runner: ActionRunner): void {
  const command = parent.command('create').description('Book an appointment, or one per row of a file');
  addSheetOptions(addWriteOptions(addBookingOptions(command)));
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments create', 'Book step by step, with prompts'],
    [
      'salon appointments create --client cli_01jd… --stylist sty_01jd… --service cut --start 2026-11-24T10:30 --duration 45m',
      'Book in one command',
    ],
    ['salon appointments create --file bookings.csv', 'Book one appointment per row of a file'],
  ]);
  command.action(runner.action(createAppointment));
}

async function createAppointment(context: CommandContext<Flags>): Promise<CommandResult> {
  const edited = await editFromSheet({ noun: 'appointments', verb: 'create' }, context);
  if (edited !== undefined) return edited;
  const { flags, io } = context;
  const given = { ...toBookingFields(flags), ...(await readFields(flags, io)) };
  const fields = await normaliseBooking(await askForMissing(given, required, context), context);
  const known = Object.keys(newAppointment.properties);
  return createRecord(context, fields, {
    create: (client) => client.appointments.create(fields),
    known,
    done: 'Booked appointment',
    columns: appointmentColumns,
  });
}
