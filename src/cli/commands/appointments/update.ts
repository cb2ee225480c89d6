import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addChangeOptions,
  addConfirmOption,
  addPrintOptions,
  type ChangeFlags,
} from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord } from '../write-record.ts';
import { addBookingOptions, type BookingFlags, normaliseBooking, toBookingFields } from './booking-flags.ts';

interface Flags extends ChangeFlags, BookingFlags {}

export function registerAppointmentsUpdate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('update')
    .argument('<id>', 'appointment ID')
    .description('Reschedule or edit an appointment');
  addChangeOptions(addBookingOptions(command));
  addConfirmOption(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments update apt_01jd… --start 2026-11-24T11:00', 'Reschedule it'],
    ['salon appointments update apt_01jd… --stylist sty_01jd… --duration 1h', 'Change the stylist'],
    ['salon appointments update apt_01jd… --status arrived', 'Mark the client as arrived'],
  ]);
  command.action(runner.action(updateAppointment));
}

async function updateAppointment(context: CommandContext<Flags>, id: string): Promise<CommandResult> {
  const { flags, io } = context;
  const given = { ...toBookingFields(flags), ...(await readFields(flags, io)) };
  return changeRecord(context, { noun: 'appointments', id, change: await normaliseBooking(given, context) });
}
