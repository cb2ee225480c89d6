import type { Command } from 'commander';
import { newAppointment } from '../../../contract/appointment.ts';
import { askForMissing } from '../../ask-for-missing.ts';
import type { Call } from '../../call.ts';
import { addSheetOptions, type EditFlags } from '../../edit/edit-options.ts';
import { editSheet } from '../../edit/edit-sheet.ts';
import { readFields } from '../../fields.ts';
import type { Frame } from '../../frame.ts';
import {
  addConsentOption,
  addExamples,
  addPrintOptions,
  addWriteOptions,
  type PrintFlags,
  type WriteFlags,
} from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { toOutcome } from '../../output/written.ts';
import { appointmentColumns } from '../../print/columns.ts';
import { explainUnknownFields } from '../../unknown-fields.ts';
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

export function registerAppointmentsCreate(parent: Command, frame: Frame): void {
  const command = parent.command('create').description('Book an appointment, or every one of a sheet');
  addSheetOptions(addWriteOptions(addBookingOptions(command)));
  addConsentOption(command);
  addPrintOptions(command);
  addExamples(command, [
    [
      'salon appointments create --client cli_01jd… --stylist sty_01jd… --service cut --start 2026-11-24T10:30 --duration 45m',
      'everything given',
    ],
    ['salon appointments create', 'at a terminal: asks for what is missing'],
    ['salon appointments create --from bookings.csv', 'every row of a sheet, none of them twice'],
  ]);
  command.action(frame.action(createAppointment));
}

async function createAppointment(call: Call<Flags>): Promise<Outcome> {
  const edited = await editSheet({ noun: 'appointments', verb: 'create' }, call);
  if (edited !== undefined) return edited;
  const { flags, io, talk } = call;
  const given = { ...toBookingFields(flags), ...(await readFields(flags, io)) };
  const body = await normaliseBooking(await askForMissing(given, required, call), call);
  if (flags.dryRun) {
    talk.say('This would be sent; nothing was.');
    return { show: 'record', record: body };
  }
  const client = await call.client();
  const booking = client.appointments.create(body);
  const written = await explainUnknownFields(booking, Object.keys(newAppointment.properties));
  return toOutcome(written, { done: 'Booked appointment', columns: appointmentColumns });
}
