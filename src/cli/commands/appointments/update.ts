import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import { changeRecord } from '../../change-record.ts';
import { readFields } from '../../fields.ts';
import type { Frame } from '../../frame.ts';
import {
  addChangeOptions,
  addConfirmOption,
  addExamples,
  addPrintOptions,
  type ChangeFlags,
  type PrintFlags,
} from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { addBookingOptions, type BookingFlags, normaliseBooking, toBookingFields } from './booking-flags.ts';

interface Flags extends ChangeFlags, PrintFlags, BookingFlags {}

export function registerAppointmentsUpdate(parent: Command, frame: Frame): void {
  const command = parent
    .command('update')
    .argument('<id>', 'identifier of the appointment')
    .description('Move an appointment, or change what else it is; what is not named stays as it is');
  addChangeOptions(addBookingOptions(command));
  addConfirmOption(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments update apt_01jd… --start 2026-11-24T11:00', 'another time, if the stylist is free'],
    ['salon appointments update apt_01jd… --stylist sty_01jd… --duration 1h', 'somebody else, for an hour'],
    ['salon appointments update apt_01jd… --status arrived', 'the client is here'],
    ['salon appointments update apt_01jd… --set notes:=null --dry-run', 'see the change before it is made'],
  ]);
  command.action(frame.action(updateAppointment));
}

async function updateAppointment(call: Call<Flags>, id: string): Promise<Outcome> {
  const { flags, io } = call;
  const given = { ...toBookingFields(flags), ...(await readFields(flags, io)) };
  return changeRecord(call, { noun: 'appointments', id, change: await normaliseBooking(given, call) });
}
