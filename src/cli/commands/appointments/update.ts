import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { readFields } from '../../flags/fields.ts';
import { addExamples } from '../../flags/help-page.ts';
import {
  addChangeOptions,
  addConfirmationOptions,
  addPrintOptions,
  type ChangeFlags,
} from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord } from '../write-record.ts';
import { addBookingOptions, type BookingFlags, normaliseBooking, toBookingFields } from './booking-flags.ts';
import { appointmentReference, loadPeople } from './references.ts';

interface Flags extends ChangeFlags, BookingFlags {
  readonly allowEarly?: boolean;
  readonly yes?: boolean;
}

export function registerAppointmentsUpdate(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('update')
    .argument('<appointment...>', appointmentReference)
    .description('Reschedule or edit an appointment');
  addChangeOptions(addBookingOptions(command));
  command.option('--allow-early', 'Allow arrived, completed and no_show more than a day before the start');
  addConfirmationOptions(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon appointments update Ana Costa --start "fri 11:00"', 'Reschedule her upcoming appointment'],
    ['salon appointments update apt_01jd… --stylist Mia --duration 1h', 'Change the stylist'],
    ['salon appointments update Ana Costa --status arrived', 'Mark the client as arrived'],
  ]);
  command.action(runner.action(updateAppointment));
}

async function updateAppointment(
  context: CommandContext<Flags>,
  words: readonly string[],
): Promise<CommandResult> {
  const { flags, io } = context;
  const { resolvePeople, findAppointment, describeAppointment, confirmStatus } = await loadPeople();
  const fields = await readFields(flags, io);
  const people = await resolvePeople(context, { isWrite: true });
  const given = { ...toBookingFields(flags), ...people, ...fields };
  const change = await normaliseBooking(given, context);
  if (flags.allowEarly === true && Object.keys(change).length > 0) change['allow_early'] = true;
  const found = await findAppointment(words.join(' '), context, { isWrite: true });
  if (flags.dryRun !== true) await confirmStatus(change['status'], found, context);
  return changeRecord(context, {
    noun: 'appointments',
    id: found.id,
    change,
    describe: (record) =>
      describeAppointment(record, context, 'client_id' in change ? undefined : found.client),
  });
}
