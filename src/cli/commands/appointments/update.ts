import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addChangeOptions,
  addConfirmOption,
  addPrintOptions,
  type ChangeFlags,
  type PrintFlags,
} from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord } from '../write-record.ts';
import { addBookingOptions, type BookingFlags, normaliseBooking, toBookingFields } from './booking-flags.ts';

interface Flags extends ChangeFlags, PrintFlags, BookingFlags {}

export function registerAppointmentsUpdate(parent: Command, runner: ActionRunner): void {
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
  command.action(runner.action(updateAppointment));
}

async function updateAppointment(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  const { flags, io } = context;
  const given = { ...toBookingFields(flags), ...(await readFields(flags, io)) };
  return changeRecord(context, { noun: 'appointments', id, change: await normaliseBooking(given, context) });
}
