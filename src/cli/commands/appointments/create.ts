import type { Command } from 'commander';
import { newAppointment } from '../../../contract/appointment.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addSheetOptions, type EditFlags, editSheet } from '../../edit/edit-options.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addConfirmationOptions,
  addPrintOptions,
  addWriteOptions,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import { appointmentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { toWriteResult } from '../../output/write-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { askForMissing, explainUnknownFields } from '../write-record.ts';
import { addBookingOptions, type BookingFlags, normaliseBooking, toBookingFields } from './booking-flags.ts';

interface Flags extends WriteFlags, PrintFlags, EditFlags, BookingFlags {}

/** The fields every appointment has, with the flag that gives each and the question that asks for it. */
const required = [
  { field: 'client_id', flag: '--client', question: 'Client (identifier)' },
  { field: 'stylist_id', flag: '--stylist', question: 'Stylist (identifier)' },
  { field: 'service', flag: '--service', question: 'Service' },
  { field: 'start_time', flag: '--start', question: 'Start (such as 2026-11-24T10:30)' },
  { field: 'duration', flag: '--duration', question: 'Duration (such as 45m or 1h30m)' },
] as const;

export function registerAppointmentsCreate(parent: Command, runner: ActionRunner): void {
  const command = parent.command('create').description('Book an appointment, or every one of a sheet');
  addSheetOptions(addWriteOptions(addBookingOptions(command)));
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    [
      'salon appointments create --client cli_01jd… --stylist sty_01jd… --service cut --start 2026-11-24T10:30 --duration 45m',
      'everything given',
    ],
    ['salon appointments create', 'at a terminal: asks for what is missing'],
    ['salon appointments create --file bookings.csv', 'every row of a sheet, none of them twice'],
  ]);
  command.action(runner.action(createAppointment));
}

async function createAppointment(context: CommandContext<Flags>): Promise<CommandResult> {
  const edited = await editSheet({ noun: 'appointments', verb: 'create' }, context);
  if (edited !== undefined) return edited;
  const { flags, io, messages } = context;
  const given = { ...toBookingFields(flags), ...(await readFields(flags, io)) };
  const body = await normaliseBooking(await askForMissing(given, required, context), context);
  if (flags.dryRun) {
    messages.info('This would be sent; nothing was.');
    return { show: 'record', record: body };
  }
  const client = await context.client();
  const booking = client.appointments.create(body);
  const written = await explainUnknownFields(booking, Object.keys(newAppointment.properties));
  return toWriteResult(written, { done: 'Booked appointment', columns: appointmentColumns });
}
